#include "formats/aipp/edit.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace npubin::aipp {
namespace {

struct Target {
  std::size_t block;
  const FieldInfo* field;
};

Unexpected no_such_path(const std::string& path, const Config& config) {
  return usage_error(
      fmt::format("`{}` names no field", path),
      config.blocks.size() == 1
          ? std::string("write the field's name, e.g. mean_chn_0")
          : fmt::format("the config has {} blocks: write aipp_op[K].field", config.blocks.size()));
}

Result<Target> target_of(const std::string& path, const Config& config) {
  std::string_view name = path;
  std::size_t block = 0;
  constexpr std::string_view kPrefix = "aipp_op[";
  if (name.substr(0, kPrefix.size()) == kPrefix) {
    const std::size_t close = name.find("].");
    if (close == std::string_view::npos) return no_such_path(path, config);
    const char* end = name.data() + close;
    const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, block);
    if (error != std::errc() || stop != end) return no_such_path(path, config);
    name.remove_prefix(close + 2);
  } else if (config.blocks.size() != 1) {
    return no_such_path(path, config);
  }
  const FieldInfo* field = find_field(name);
  if (field == nullptr) {
    const FieldInfo* near = nearest_field(name);
    return usage_error(fmt::format("the schema has no field named `{}`", name),
                       near != nullptr ? fmt::format("did you mean `{}`?", near->name) : std::string());
  }
  if (block >= config.blocks.size())
    return usage_error(fmt::format("{}: the config has {} block{}, counted from 0", path,
                                   config.blocks.size(), config.blocks.size() == 1 ? "" : "s"),
                       config.blocks.size() == 1
                           ? fmt::format("write {}, or aipp_op[0].{}", field->name, field->name)
                           : fmt::format("the last one is aipp_op[{}]", config.blocks.size() - 1));
  return Target{block, field};
}

std::uint64_t end_of(const Token& token) {
  return token.offset + token.text.size();
}

struct Span {
  std::uint64_t begin, end;
};

// The value of the field whose name begins at `offset`. The text is known to parse.
Span value_span(std::string_view text, std::uint64_t offset) {
  Token token = next_token(text, end_of(next_token(text, offset)));
  if (token.text == ":") token = next_token(text, end_of(token));
  Span out{token.offset, end_of(token)};
  if (token.text == "[") {
    while (token.kind != Token::Kind::End && token.text != "]") token = next_token(text, end_of(token));
    out.end = end_of(token);
  } else if (token.text == "-") {
    out.end = end_of(next_token(text, end_of(token)));
  } else if (token.kind == Token::Kind::String) {
    // Literals that follow each other are one string.
    for (Token more = token; more.kind == Token::Kind::String; more = next_token(text, end_of(more)))
      out.end = end_of(more);
  }
  return out;
}

// The closing brace of a block that begins at `offset`.
std::optional<std::uint64_t> closing_brace(std::string_view text, std::uint64_t offset) {
  int depth = 0;
  for (Token token = next_token(text, offset); token.kind != Token::Kind::End;
       token = next_token(text, end_of(token))) {
    if (token.kind != Token::Kind::Symbol) continue;
    if (token.text == "{" || token.text == "<") ++depth;
    if ((token.text == "}" || token.text == ">") && --depth == 0) return token.offset;
  }
  return std::nullopt;
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::uint64_t line_start(std::string_view text, std::uint64_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

// As the last field of the block, or as its first line where it has none.
std::string indentation(std::string_view text, const Block& block) {
  std::uint64_t last = 0;
  for (const FieldValues& values : block.values)
    for (const Occurrence& where : values.where) last = std::max(last, where.offset);
  if (last == 0) return "  ";
  const std::uint64_t start = line_start(text, last);
  const std::string_view lead = text.substr(start, last - start);
  return blank(lead) ? std::string(lead) : "  ";
}

Result<std::string> with_field_added(std::string_view text, const Block& block, const std::string& line) {
  const auto brace = closing_brace(text, block.where.offset);
  const bool in_list = next_token(text, end_of(next_token(text, block.where.offset))).text == "[";
  if (!brace || in_list)
    return usage_error("a field cannot be added to a block in list form",
                       "write the block as aipp_op { ... }");
  const std::uint64_t start = line_start(text, *brace);
  std::string out(text);
  if (blank(text.substr(start, *brace - start)) && start > block.where.offset) {
    const bool crlf = text.find("\r\n") != std::string_view::npos;
    out.insert(start, indentation(text, block) + line + (crlf ? "\r\n" : "\n"));
  } else {
    out.insert(*brace, (*brace > 0 && text[*brace - 1] == ' ' ? "" : " ") + line + " ");
  }
  return out;
}

// Takes the whole line when nothing else stands on it (a comment behind the value goes with it).
std::string with_field_removed(std::string_view text, const Occurrence& where, const Span& value) {
  const std::uint64_t start = line_start(text, where.offset);
  const std::size_t newline = text.find('\n', value.end);
  const std::uint64_t line_end = newline == std::string_view::npos ? text.size() : newline + 1;
  const Token behind = next_token(text, value.end);
  const bool separator = behind.text == "," || behind.text == ";";
  const std::uint64_t end = separator ? end_of(behind) : value.end;
  const Token next = next_token(text, end);
  const bool alone = blank(text.substr(start, where.offset - start)) &&
                     (next.kind == Token::Kind::End || next.offset >= line_end);
  std::string out(text);
  if (alone)
    out.erase(start, line_end - start);
  else
    out.erase(where.offset, end - where.offset);
  return out;
}

Result<std::string> with_change(std::string_view text, const Change& change) {
  const Parsed parsed = parse_text(text);
  if (parsed.fault)
    return malformed(parsed.fault->where, parsed.fault->message, parsed.fault->hint, parsed.fault->code);
  NPUBIN_TRY(const Target target, target_of(change.path, parsed.config));
  const Block& block = parsed.config.blocks[target.block];
  const bool quoted = !change.value.empty() && (change.value.front() == '"' || change.value.front() == '\'');
  if (target.field->kind == FieldKind::String && !change.value.empty() && !quoted)
    return usage_error(fmt::format("{} is a text: `{}` lacks its quotes", target.field->name, change.value),
                       fmt::format("in a shell: --set '{}=\"{}\"'", change.path, change.value));
  const auto& where = block.of(target.field->id).where;
  if (where.size() > 1)
    return usage_error(fmt::format("{} stands in the text {} times", target.field->name, where.size()),
                       "keep one of the lines first");
  if (where.empty()) {
    if (change.value.empty()) return usage_error(fmt::format("{} is not set", target.field->name));
    return with_field_added(text, block, fmt::format("{}: {}", target.field->name, change.value));
  }
  const Span value = value_span(text, where.front().offset);
  if (change.value.empty()) return with_field_removed(text, where.front(), value);
  std::string out(text);
  out.replace(value.begin, value.end - value.begin, change.value);
  return out;
}

// The change must have set this one field and nothing else: a value such as `1 crop: true` would smuggle in
// more.
Result<void> verify(std::string_view text, const Change& change) {
  const Parsed parsed = parse_text(text);
  if (parsed.fault)
    return usage_error(fmt::format("{}: {}", change.path, parsed.fault->message), parsed.fault->hint);
  return {};
}

bool one_value(const std::string& value) {
  if (value.empty()) return true;
  const std::string line = "x: " + value;
  if (value.find('\n') != std::string::npos || value.find('#') != std::string::npos) return false;
  return value_span(line, 0).end == line.find_last_not_of(" \t") + 1;
}

}  // namespace

Result<std::string> edit_text(std::string_view text, const std::vector<Change>& changes) {
  std::string out(text);
  for (const Change& change : changes) {
    if (!one_value(change.value))
      return usage_error(fmt::format("{}: `{}` is not a single value", change.path, change.value));
    NPUBIN_TRY(out, with_change(out, change));
    NPUBIN_CHECK(verify(out, change));
  }
  return out;
}

std::vector<std::string> changes_between(const Config& before, const Config& after) {
  const auto text_of = [](const FieldInfo& field, const FieldValues& values) -> std::string {
    if (!values.present()) return "not set";
    if (field.kind == FieldKind::String) return fmt::format("\"{}\"", values.text);
    std::string out;
    for (double number : values.numbers) {
      out += out.empty() ? "" : ", ";
      if (field.kind == FieldKind::Bool)
        out += number != 0 ? "true" : "false";
      else if (field.kind == FieldKind::Float)
        out += fmt::format("{}", static_cast<float>(number));
      else if (const FormatFacts* facts =
                   field.kind == FieldKind::Format ? find_format(static_cast<InputFormat>(number)) : nullptr)
        out += facts->name;
      else
        out += fmt::format("{:.0f}", number);
    }
    return out;
  };
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(before.blocks.size(), after.blocks.size()); ++i)
    for (const FieldInfo& field : fields()) {
      const std::string left = text_of(field, before.blocks[i].of(field.id));
      const std::string right = text_of(field, after.blocks[i].of(field.id));
      if (left != right)
        out.push_back(fmt::format("aipp_op[{}].{}: {} became {}", i, field.name, left, right));
    }
  return out;
}

Result<std::vector<std::byte>> edit(ByteSpan data, const std::vector<Change>& changes) {
  const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  if (looks_binary(data) && next_token(text, 0).text != "aipp_op") {
    NPUBIN_TRY(const Config config, parse_binary(data));
    NPUBIN_TRY(const std::string edited, edit_text(to_text(config), changes));
    return to_binary(parse_text(edited).config);
  }
  NPUBIN_TRY(const std::string edited, edit_text(text, changes));
  const auto* bytes = reinterpret_cast<const std::byte*>(edited.data());
  return std::vector<std::byte>(bytes, bytes + edited.size());
}

}  // namespace npubin::aipp
