// protobuf's complaints in the words of someone who writes configs (aipp spec 1).
#include <array>

#include <fmt/format.h>

#include "formats/aipp/config.h"

namespace npubin::aipp {
namespace {

constexpr std::size_t kLongestQuote = 60;

std::string shortened(std::string_view text) {
  std::string out(text.substr(0, kLongestQuote));
  if (text.size() > kLongestQuote) out += "...";
  return out;
}

// The last field that was named before `offset`: a known name, or a word with a colon behind it.
std::string field_before(std::string_view text, std::uint64_t offset) {
  std::string last;
  for (Token token = next_token(text, 0); token.kind != Token::Kind::End && token.offset < offset;) {
    const Token behind = next_token(text, token.offset + token.text.size());
    if (token.kind == Token::Kind::Word && (behind.text == ":" || find_field(token.text) != nullptr))
      last = shortened(token.text);
    token = behind;
  }
  return last;
}

// The text in the n-th pair of double quotes of a complaint.
std::string quoted(const std::string& complaint, int n) {
  std::size_t begin = 0;
  for (int i = 0;; ++i) {
    begin = complaint.find('"', begin);
    if (begin == std::string::npos) return {};
    const std::size_t end = complaint.find('"', begin + 1);
    if (end == std::string::npos) return {};
    if (i == n) return complaint.substr(begin + 1, end - begin - 1);
    begin = end + 1;
  }
}

std::string after(const std::string& complaint, std::string_view marker) {
  const std::size_t at = complaint.find(marker);
  return at == std::string::npos ? std::string() : complaint.substr(at + marker.size());
}

struct Complaint {
  std::string_view text;  // the whole file
  const LineIndex& lines;
  std::uint64_t offset;
  const std::string& words;  // protobuf's
};

std::uint32_t code_point(std::string_view text, std::uint64_t at) {
  if (at >= text.size()) return 0;
  const auto byte = [&](std::uint64_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const std::uint32_t first = byte(at);
  if (first >= 0xE0 && first < 0xF0)
    return (first & 15u) << 12 | (byte(at + 1) & 63u) << 6 | (byte(at + 2) & 63u);
  if (first >= 0xC0 && first < 0xE0) return (first & 31u) << 6 | (byte(at + 1) & 63u);
  return first;
}

struct Lookalike {
  std::uint32_t code;
  std::string_view name;
  std::string_view instead;
};
constexpr std::array<Lookalike, 13> kLookalikes{{
    {0xFEFF, "a byte order mark (BOM)", "save the file as UTF-8 without BOM"},
    {0xFF1A, "a full-width colon", "write an ASCII colon `:`"},
    {0x3000, "an ideographic (full-width) space", "write an ASCII blank"},
    {0x00A0, "a no-break space", "write an ASCII blank"},
    {0xFF0C, "a full-width comma", "write an ASCII comma, or nothing"},
    {0x3001, "an ideographic comma", "write an ASCII comma, or nothing"},
    {0xFF1B, "a full-width semicolon", "write an ASCII semicolon, or nothing"},
    {0xFF5B, "a full-width brace", "write an ASCII brace `{`"},
    {0xFF5D, "a full-width brace", "write an ASCII brace `}`"},
    {0x201C, "a typographic quote", "write an ASCII quote `\"`"},
    {0x201D, "a typographic quote", "write an ASCII quote `\"`"},
    {0xFF03, "a full-width number sign", "write an ASCII `#`"},
    {0xFF0D, "a full-width minus", "write an ASCII minus `-`"},
}};

ParseFault non_ascii(const Complaint& c) {
  const std::uint32_t code = code_point(c.text, c.offset);
  for (const Lookalike& known : kLookalikes)
    if (known.code == code)
      return {{},
              "AIP-0104",
              {},
              fmt::format("{} (U+{:04X}) stands here", known.name, code),
              std::string(known.instead)};
  return {{},
          "AIP-0104",
          {},
          fmt::format("a character outside ASCII (U+{:04X}) stands here", code),
          "only comments (after #) and quoted strings may hold other characters"};
}

ParseFault control_character(const Complaint& c) {
  const unsigned byte = c.offset < c.text.size() ? static_cast<unsigned char>(c.text[c.offset]) : 0;
  return {{},
          "AIP-0104",
          {},
          fmt::format("a control character (0x{:02x}) stands here: this is not plain text", byte),
          "remove it; a config is ASCII text"};
}

ParseFault identifier(const Complaint& c) {
  const std::string got = after(c.words, "got: ");
  ParseFault out{
      {}, "AIP-0101", {}, fmt::format("a field name is wanted here, not `{}`", shortened(got)), {}};
  if (got == "/")
    out.hint = c.text.substr(c.offset, 2) == "//" || c.text.substr(c.offset, 2) == "/*"
                   ? "comments begin with `#`, not with // or /*"
                   : "write the value itself, 0.00392157 for 1/255: expressions are not computed";
  else if (got == "}" || got == ">")
    out.hint = "one closing brace too many";
  else if (got == "," || got == ";")
    out.hint = "at most one separator between two fields";
  else if (got == "{" || got == "<")
    out.hint = "one opening brace too many";
  else if (got == "\"\"" || got.empty())
    out.hint = "the text ends inside a block: a closing brace `}` is missing";
  else if (!got.empty() && got[0] >= '0' && got[0] <= '9')
    out.hint = "fields go by name, not by number; a value needs `name: ` before it";
  else
    out.hint = "write `name: value`, a line each";
  return out;
}

struct KnownUnsupported {
  std::string_view name;
  std::string_view hint;
};
constexpr std::array<KnownUnsupported, 4> kKnownUnsupported{{
    {"rotation_angle",
     "it stands in the vendor's template, but the schema does not have it: rotation is not supported; "
     "delete the line"},
    {"aipp_ops", "the blocks are called `aipp_op`"},
    {"src_image_size", "write src_image_size_w and src_image_size_h"},
    {"crop_size", "write crop_size_w and crop_size_h"},
}};

ParseFault unknown_field(const Complaint& c) {
  const std::string name = quoted(c.words, 1);
  ParseFault out{{},
                 "AIP-0103",
                 name.size() <= kLongestQuote ? name : std::string(),
                 fmt::format("the schema has no field named `{}`", shortened(name)),
                 {}};
  for (const KnownUnsupported& known : kKnownUnsupported)
    if (known.name == name) out.hint = known.hint;
  if (!out.hint.empty()) return out;
  if (const FieldInfo* near = nearest_field(name))
    out.hint = fmt::format("did you mean `{}`?", near->name);
  else if (find_field(name) != nullptr)
    out.hint = "it belongs inside an aipp_op { } block";
  else
    out.hint = "delete it, or put `#` before it";
  if (find_field(name) != nullptr) out.hint = "it belongs inside an aipp_op { } block";
  return out;
}

ParseFault not_an_integer(const Complaint& c) {
  const std::string got = after(c.words, "got: ");
  const std::string field = field_before(c.text, c.offset);
  ParseFault out{{}, "AIP-0105", field, {}, {}};
  if (got == "}" || got == ">") {
    out.message = fmt::format("{} has no value", field);
    out.hint = "write a number after the colon, or delete the line";
    return out;
  }
  out.message = fmt::format("{} takes an integer, not `{}`", field, shortened(got));
  const FieldInfo* known = find_field(field);
  if (known != nullptr && known->id >= FieldId::mean_chn_0 && known->id <= FieldId::mean_chn_3 && got != "[")
    out.hint = fmt::format("write a whole number, or use min_chn_{} for a fraction: it is subtracted as well",
                           field.back());
  else if (got == "[")
    out.hint = "write one value without brackets: the field is not repeated";
  else if (got == "-")
    out.hint = "it cannot be negative";
  else
    out.hint = "write a whole number: 224, 0xE0";
  return out;
}

ParseFault bad_enumeration(const Complaint& c) {
  const std::string value = quoted(c.words, 0);
  const std::string field = quoted(c.words, 1);
  ParseFault out{{}, "AIP-0106", field, fmt::format("`{}` is no value of {}", shortened(value), field), {}};
  if (field == "aipp_mode") {
    out.hint = "write static or dynamic, in lower case";
    return out;
  }
  for (const FormatFacts& facts : all_formats())
    if (facts.name.substr(0, value.size()) == value && !value.empty()) {
      out.hint = fmt::format("write {}", facts.name);
      return out;
    }
  out.hint = "formats: YUV420SP_U8, RGB888_U8, XRGB8888_U8, YUV400_U8, ... with the _U8";
  return out;
}

ParseFault bad_value(const Complaint& c, std::string_view code, std::string_view what,
                     std::string_view hint) {
  const std::string field = field_before(c.text, c.offset);
  return {{},
          std::string(code),
          field,
          fmt::format("{}{}{}", field, field.empty() ? "" : ": ", what),
          std::string(hint)};
}

ParseFault explained(const Complaint& c) {
  const std::string& w = c.words;
  const auto says = [&](std::string_view part) { return w.find(part) != std::string::npos; };
  if (says("Interpreting non ascii")) return non_ascii(c);
  if (says("Invalid control characters")) return control_character(c);
  if (says("Expected identifier")) return identifier(c);
  if (says("has no field named")) return unknown_field(c);
  if (says("Need space between number"))
    return {{},
            "AIP-0105",
            {},
            "a number runs into the name behind it",
            "put a blank or a line end between them"};
  if (says("Unknown enumeration value")) return bad_enumeration(c);
  if (says("Expected integer or identifier"))
    return bad_value(c, "AIP-0106",
                     fmt::format("a bare name or number is wanted, not {}", shortened(after(w, "got: "))),
                     "enumeration values are written without quotes");
  if (says("Expected integer, got")) return not_an_integer(c);
  if (says("Integer out of range"))
    return bad_value(c, "AIP-0105",
                     fmt::format("{} is out of the range of its type", shortened(after(w, "range "))),
                     "booleans take true, false, 1, 0, t, f; integers 32 bits");
  if (says("Invalid value for boolean"))
    return {{},
            "AIP-0106",
            quoted(w, 0),
            fmt::format("{} is a switch: `{}` is no value of it", quoted(w, 0), shortened(quoted(w, 1))),
            "write true or false"};
  if (says("specified multiple times"))
    return {{},
            "AIP-0107",
            quoted(w, 0),
            fmt::format("{} is given a second time, and takes one value only", quoted(w, 0)),
            "delete one of the two lines"};
  if (says("Expected double"))
    return bad_value(c, "AIP-0105", fmt::format("a number is wanted, not `{}`", shortened(after(w, "got: "))),
                     "write 0.5 or -0.5, without a plus and without brackets around brackets");
  if (says("must be in octal"))
    return bad_value(c, "AIP-0105", "a number with a leading 0 is octal, and this one is not",
                     "drop the leading zero");
  if (says("String literals cannot") || says("Unexpected end of string"))
    return bad_value(c, "AIP-0105", "the quoted string is not closed on its line",
                     "close it with the same quote");
  if (says("Expected \":\""))
    return bad_value(c, "AIP-0101", fmt::format("a colon is missing before `{}`", shortened(quoted(w, 1))),
                     "write `name: value`");
  return bad_value(c, "AIP-0101", shortened(w), "write `name: value`, a line each, inside aipp_op { }");
}

// For values that turn out wrong once the token behind them was read, protobuf points at that token.
bool points_behind(const std::string& complaint) {
  return complaint.find("Unknown enumeration value") != std::string::npos ||
         complaint.find("Invalid value for boolean") != std::string::npos;
}

std::uint64_t offset_of_last(std::string_view text, std::uint64_t before, std::string_view word) {
  std::uint64_t last = before;
  for (Token token = next_token(text, 0); token.kind != Token::Kind::End && token.offset < before;
       token = next_token(text, token.offset + token.text.size()))
    if (token.text == word) last = token.offset;
  return last;
}

}  // namespace

ParseFault explain_fault(std::string_view text, const LineIndex& lines, int line, int column,
                         const std::string& complaint) {
  // The position stays the one that ATC's parser gives; the line that is shown is the one to change.
  const Occurrence given = lines.position(lines.offset(line, column));
  std::uint64_t offset = given.offset;
  if (points_behind(complaint))
    offset = offset_of_last(text, offset,
                            quoted(complaint, complaint.find("boolean") != std::string::npos ? 1 : 0));
  ParseFault out = explained({text, lines, offset, complaint});
  out.where = location_of(given);
  const Occurrence at = lines.position(offset);
  if (const std::string_view shown = lines.line(at.line); !shown.empty())
    out.message += at.line == given.line ? fmt::format("; the line reads `{}`", shortened(shown))
                                         : fmt::format("; line {} reads `{}`", at.line, shortened(shown));
  return out;
}

}  // namespace npubin::aipp
