#include "ethosu/raw_listing.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

namespace npubin::ethosu {
namespace {

constexpr std::uint32_t kOpcodeBits = 0x3FFu;
constexpr std::uint32_t kTwoWords = 0x4000u;

void append_number(std::string& out, std::uint64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

void append_hex(std::string& out, std::uint64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  out += "0x";
  out.append(text, end);
}

void append_padded_hex(std::string& out, std::uint64_t value, std::size_t digits) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  const auto used = static_cast<std::size_t>(end - text);
  out += "0x";
  if (used < digits) out.append(digits - used, '0');
  out.append(text, end);
}

struct Masks {
  std::uint32_t word0 = 0, word1 = 0;
};

// Bits that the fields of a command, its opcode and an address extension account for.
Masks known_bits(const CommandKind& kind) {
  Masks masks{kOpcodeBits | (kind.two_words() ? kTwoWords : 0u), 0};
  for (const CommandField& field : kind.fields) (field.word == 0 ? masks.word0 : masks.word1) |= field.mask();
  if (kind.extends_payload()) masks.word0 |= 0x00FF0000u;
  return masks;
}

void append_field(std::string& out, const Command& command, const CommandField& field) {
  out += ' ';
  out += field.name;
  out += '=';
  if (field.word == 1 && command.kind->extends_payload()) return append_hex(out, command.address());
  const std::uint32_t value = field.get(field.word == 0 ? command.word0 : command.word1);
  const std::string_view spelling = field.values != nullptr ? field.values->spelling(value) : "";
  if (spelling.empty())
    append_number(out, value);
  else
    out += spelling;
}

void append_unknown(std::string& out, const Command& command) {
  out += "UNKNOWN word0=";
  append_padded_hex(out, command.word0, 8);
  if (command.words < 2) return;
  out += " word1=";
  append_padded_hex(out, command.word1, 8);
}

// ---- assembling ----

struct Line {
  std::uint32_t number = 0;
  std::string_view text;
};

Unexpected bad_line(const Line& line, std::string message, std::string hint = {}) {
  constexpr std::size_t kMost = 160;  // a line of anything at all may be quoted
  if (message.size() > kMost) message = message.substr(0, kMost) + "...";
  Location where;
  where.line = line.number;
  return malformed(std::move(where), std::move(message), std::move(hint), "ETU-0010");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

std::string_view take_token(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = rest.find_first_of(" \t");
  std::string_view token = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
  return token;
}

bool parse_number(std::string_view text, std::uint64_t& out) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  const auto done = std::from_chars(text.data(), text.data() + text.size(), out, hex ? 16 : 10);
  return !text.empty() && done.ec == std::errc() && done.ptr == text.data() + text.size();
}

struct Words {
  std::uint32_t word0 = 0, word1 = 0;
  bool two = false;
};

Result<std::uint64_t> field_value(const Line& line, const CommandField& field, std::string_view text,
                                  std::uint64_t limit) {
  if (field.values != nullptr)
    for (const FieldValue& known : field.values->values)
      if (known.name == text) return std::uint64_t{known.value};
  std::uint64_t value = 0;
  if (!parse_number(text, value))
    return bad_line(line, fmt::format("{}={} is neither a number nor a known spelling", field.name, text));
  if (value > limit)
    return bad_line(line, fmt::format("{}={} exceeds the field's largest value {}", field.name, text, limit));
  return value;
}

Result<void> set_field(const Line& line, const CommandKind& kind, std::string_view name,
                       std::string_view text, Words& words) {
  if (name == "reserved0" || name == "reserved1") {
    std::uint64_t value = 0;
    if (!parse_number(text, value) || value > 0xFFFFFFFFu)
      return bad_line(line, fmt::format("{}={} is not a 32-bit number", name, text));
    (name == "reserved0" ? words.word0 : words.word1) |= static_cast<std::uint32_t>(value);
    return {};
  }
  for (const CommandField& field : kind.fields) {
    if (field.name != name) continue;
    const bool extended = field.word == 1 && kind.extends_payload();
    const std::uint64_t limit = extended ? 0xFF'FFFF'FFFFu : field.mask() >> field.low;
    NPUBIN_TRY(const std::uint64_t value, field_value(line, field, text, limit));
    if (extended) words.word0 |= static_cast<std::uint32_t>(value >> 32) << 16;
    (field.word == 0 ? words.word0 : words.word1) |= static_cast<std::uint32_t>(value << field.low);
    return {};
  }
  return bad_line(line, fmt::format("{} has no field {}", kind.name, name));
}

Result<Words> unknown_words(const Line& line, std::string_view rest) {
  Words words;
  bool first = false;
  while (!trimmed(rest).empty()) {
    const std::string_view token = take_token(rest);
    std::uint64_t value = 0;
    const bool is_first = token.substr(0, 6) == "word0=";
    if ((!is_first && token.substr(0, 6) != "word1=") || !parse_number(token.substr(6), value) ||
        value > 0xFFFFFFFFu)
      return bad_line(line, fmt::format("{} is neither word0=NUMBER nor word1=NUMBER", token));
    (is_first ? words.word0 : words.word1) = static_cast<std::uint32_t>(value);
    (is_first ? first : words.two) = true;
  }
  if (!first) return bad_line(line, "UNKNOWN needs word0=NUMBER");
  return words;
}

Result<Words> assemble_command(const Line& line, std::string_view rest) {
  const std::string_view name = take_token(rest);
  if (name == "UNKNOWN") return unknown_words(line, rest);
  const CommandKind* kind = find_command(name);
  if (kind == nullptr)
    return bad_line(line, fmt::format("{} is no command of the Ethos-U55", name),
                    "write words of no command as UNKNOWN word0=0x.. word1=0x..");
  Words words{kind->opcode() | (kind->two_words() ? kTwoWords : 0u), 0, kind->two_words()};
  while (!trimmed(rest).empty()) {
    const std::string_view token = take_token(rest);
    const std::size_t equals = token.find('=');
    if (equals == std::string_view::npos)
      return bad_line(line, fmt::format("{} is not of the form field=value", token));
    NPUBIN_CHECK(set_field(line, *kind, token.substr(0, equals), token.substr(equals + 1), words));
  }
  return words;
}

// Takes `0x000024:` off the front and holds it against the place that has been reached.
Result<void> check_offset(const Line& line, std::string_view& rest, std::size_t words) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return {};
  std::uint64_t offset = 0;
  if (!parse_number(trimmed(rest.substr(0, colon)), offset))
    return bad_line(line, "what stands before ':' is not an offset");
  if (offset == 0 && words > 0)
    return bad_line(line, "offset 0 again: the listing holds more than one command stream",
                    "list one of them alone: `npubin disasm --raw --stream N FILE`");
  if (offset != words * 4)
    return bad_line(line, fmt::format("offset 0x{:06x} given where 0x{:06x} is reached", offset, words * 4),
                    "leave offsets out when lines are added or removed");
  rest = rest.substr(colon + 1);
  return {};
}

}  // namespace

void append_command(std::string& out, const Command& command) {
  if (command.kind == nullptr || command.truncated) return append_unknown(out, command);
  out += command.kind->name;
  for (const CommandField& field : command.kind->fields) append_field(out, command, field);
  const Masks known = known_bits(*command.kind);
  if (const std::uint32_t rest = command.word0 & ~known.word0; rest != 0) {
    out += " reserved0=";
    append_hex(out, rest);
  }
  if (const std::uint32_t rest = command.word1 & ~known.word1; rest != 0) {
    out += " reserved1=";
    append_hex(out, rest);
  }
}

std::vector<std::string> raw_listing(std::span<const std::uint32_t> words) {
  std::vector<std::string> lines;
  lines.reserve(words.size() / 4 * 3);
  std::string line;
  for (std::size_t at = 0; at < words.size();) {
    const Command command = decode_command(words, at);
    line.clear();
    append_padded_hex(line, at * 4, 6);
    line += ": ";
    append_command(line, command);
    lines.push_back(line);
    at += command.words;
  }
  return lines;
}

Result<std::vector<std::uint32_t>> assemble(std::string_view listing) {
  // Tabs and line ends apart, a text has no control characters.
  const auto odd = std::find_if(listing.begin(), listing.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
  });
  if (odd != listing.end())
    return malformed(Location::at(static_cast<std::uint64_t>(odd - listing.begin())),
                     "this is no listing: the file is binary", "`npubin disasm --raw FILE` writes a listing",
                     "ETU-0010");
  std::vector<std::uint32_t> out;
  Line line;
  while (!listing.empty()) {
    const std::size_t end = listing.find('\n');
    ++line.number;
    line.text = listing.substr(0, end);
    listing = end == std::string_view::npos ? std::string_view() : listing.substr(end + 1);
    std::string_view rest = trimmed(line.text.substr(0, line.text.find_first_of(";#")));
    if (rest.empty()) continue;
    NPUBIN_CHECK(check_offset(line, rest, out.size()));
    NPUBIN_TRY(const Words words, assemble_command(line, rest));
    out.push_back(words.word0);
    if (words.two) out.push_back(words.word1);
  }
  return out;
}

}  // namespace npubin::ethosu
