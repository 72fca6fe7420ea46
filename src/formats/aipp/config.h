// An AIPP config as values with positions: what text and binary form have in common.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/aipp/fields.h"
#include "npubin/aipp.h"
#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::aipp {

// One spelling of a field in the text.
struct Occurrence {
  std::uint32_t line = 0;    // 1-based; 0: no text
  std::uint32_t column = 0;  // 1-based, in bytes
  std::uint64_t offset = 0;  // of the field's name
  std::uint64_t end = 0;     // one past its value (and a separator behind it)
};

struct FieldValues {
  std::vector<double> numbers;  // bools 0 and 1, enumerations by number; exact for every kind
  std::string text;             // String
  std::vector<Occurrence> where;

  bool present() const { return !numbers.empty() || !text.empty() || !where.empty(); }
};

struct Block {
  std::array<FieldValues, kFieldCount> values;
  Occurrence where;

  const FieldValues& of(FieldId id) const { return values[static_cast<std::size_t>(id)]; }
  FieldValues& of(FieldId id) { return values[static_cast<std::size_t>(id)]; }
  bool present(FieldId id) const { return of(id).present(); }
  // The value, the first one of a repeated field; `otherwise` where absent.
  double number(FieldId id, double otherwise = 0) const {
    return of(id).numbers.empty() ? otherwise : of(id).numbers.front();
  }
  std::int64_t integer(FieldId id, std::int64_t otherwise = 0) const {
    return of(id).numbers.empty() ? otherwise : static_cast<std::int64_t>(of(id).numbers.front());
  }
  bool on(FieldId id) const { return number(id) != 0; }
  bool is_static() const { return integer(FieldId::aipp_mode) == 1; }
  bool is_dynamic() const { return integer(FieldId::aipp_mode) == 2; }
  InputFormat format() const { return static_cast<InputFormat>(integer(FieldId::input_format)); }
  // Where the field stands (its last value), or the block's first line where it is absent.
  Location location(FieldId id) const;
};

struct MultiShape {
  std::int32_t mode = 0;
  std::uint32_t rank = 0;
  std::vector<std::uint32_t> batch_list;
  Occurrence where;
  Occurrence batch_where;  // the first value
};

struct Config {
  std::vector<Block> blocks;
  std::vector<MultiShape> shapes;
  bool binary = false;
};

// Why a text cannot be read, in words for a user.
struct ParseFault {
  Location where;
  std::string code;   // AIP-01xx
  std::string field;  // may be empty
  std::string message;
  std::string hint;
};
struct Parsed {
  Config config;
  std::optional<ParseFault> fault;
};

// Reads as ATC does, through protobuf's TextFormat (aipp spec 1). A fault leaves the config empty.
Parsed parse_text(std::string_view text);
// The serialized message, with fields in any order. Error: Malformed with the offset of the fault.
Result<Config> parse_binary(ByteSpan data);
// True where the bytes are an InsertNewOps message in which every field is known and every byte used.
bool looks_binary(ByteSpan data);
// The same values as serialized protobuf. Error (Malformed): cannot be represented.
Result<std::vector<std::byte>> to_binary(const Config& config);
// The same values as text, one field a line.
std::string to_text(const Config& config);

Location location_of(const Occurrence& occurrence);

// Where lines begin, and protobuf's columns (a tab goes to the next multiple of 8) as byte offsets.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  std::size_t line_count() const { return starts_.size(); }
  // Both 0-based, as protobuf counts. Clamped to the text.
  std::uint64_t offset(int line, int column) const;
  // 1-based line and byte column of an offset.
  Occurrence position(std::uint64_t offset) const;
  // Without its line end. `line` is 1-based.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string_view text_;
  std::vector<std::uint64_t> starts_;
};

// Turns protobuf's complaint at an offset into a ParseFault.
ParseFault explain_fault(std::string_view text, const LineIndex& lines, int line, int column,
                         const std::string& complaint);

// ---- A light lexer over the text, for faults and edits ---------------------------------------------------

struct Token {
  enum class Kind : std::uint8_t { Word, Number, String, Symbol, End };
  Kind kind = Kind::End;
  std::uint64_t offset = 0;
  std::string_view text;
};
// The token at or after `offset`, blanks and comments skipped.
Token next_token(std::string_view text, std::uint64_t offset);

}  // namespace npubin::aipp
