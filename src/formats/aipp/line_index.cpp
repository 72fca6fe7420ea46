#include <algorithm>

#include "formats/aipp/config.h"

namespace npubin::aipp {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

std::uint64_t LineIndex::offset(int line, int column) const {
  if (line < 0) return 0;
  if (static_cast<std::size_t>(line) >= starts_.size()) return text_.size();
  std::uint64_t at = starts_[static_cast<std::size_t>(line)];
  constexpr int kTab = 8;  // as protobuf's tokenizer counts
  for (int seen = 0; seen < column && at < text_.size() && text_[at] != '\n'; ++at)
    seen += text_[at] == '\t' ? kTab - seen % kTab : 1;
  return at;
}

Occurrence LineIndex::position(std::uint64_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin());
  Occurrence out;
  out.line = static_cast<std::uint32_t>(line);
  out.column = static_cast<std::uint32_t>(offset - starts_[line - 1] + 1);
  out.offset = offset;
  out.end = offset;
  return out;
}

std::string_view LineIndex::line(std::uint32_t line) const {
  if (line == 0 || line > starts_.size()) return {};
  const std::uint64_t begin = starts_[line - 1];
  std::string_view out = text_.substr(begin, text_.find('\n', begin) - begin);
  if (!out.empty() && out.back() == '\r') out.remove_suffix(1);
  return out;
}

Token next_token(std::string_view text, std::uint64_t offset) {
  std::size_t i = offset;
  while (i < text.size()) {
    if (is_blank(text[i])) {
      ++i;
    } else if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else {
      break;
    }
  }
  Token token;
  token.offset = i;
  if (i >= text.size()) return token;
  const char first = text[i];
  std::size_t end = i + 1;
  if (first == '"' || first == '\'') {
    token.kind = Token::Kind::String;
    while (end < text.size() && text[end] != first && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, text.size());
  } else if (is_word(first) || first == '.') {
    const bool number = (first >= '0' && first <= '9') || first == '.';
    token.kind = number ? Token::Kind::Number : Token::Kind::Word;
    while (end < text.size() &&
           (is_word(text[end]) || (number && (text[end] == '.' || ((text[end] == '+' || text[end] == '-') &&
                                                                   (text[end - 1] | 32) == 'e')))))
      ++end;
  } else {
    token.kind = Token::Kind::Symbol;
  }
  token.text = text.substr(i, end - i);
  return token;
}

}  // namespace npubin::aipp
