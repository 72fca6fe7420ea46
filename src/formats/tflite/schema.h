// What the TensorFlow Lite schema (version 3) says about tables, unions and enumerations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace npubin::tflite::schema {

enum class Kind : std::uint8_t {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F32,
  String,      // offset to a string
  Table,       // offset to a table; `ref` indexes tables()
  UnionTag,    // one byte; `ref` indexes unions()
  UnionValue,  // offset to the table that the tag in the slot before names
};

struct FieldSchema {
  std::string_view name;
  std::uint16_t slot;  // vtable entry, from 0
  Kind kind;           // of the element where `vector` is set
  bool vector;
  bool deprecated;
  std::int16_t ref;            // table, union or (for integers) enumeration; -1: none
  std::int32_t default_value;  // of scalars; every default of the schema is a small integer
};
struct TableSchema {
  std::string_view name;
  std::span<const FieldSchema> fields;  // by ascending slot
  const FieldSchema* find(std::string_view field_name) const;
};
struct UnionMember {
  std::uint8_t tag;
  std::string_view name;
  std::int16_t table;  // -1: NONE
};
struct Union {
  std::string_view name;
  std::span<const UnionMember> members;  // by ascending tag, without gaps
};
struct EnumEntry {
  std::int32_t value;
  std::string_view name;
};
struct Enumeration {
  std::string_view name;
  std::span<const EnumEntry> entries;
};

std::span<const TableSchema> tables();
std::span<const Union> unions();
std::span<const Enumeration> enumerations();

// nullptr where the schema has no such table.
const TableSchema* find_table(std::string_view name);
// The entry's name; empty where the enumeration (or the value in it) is unknown.
std::string_view name_in(std::string_view enumeration, std::int64_t value);
std::string_view name_in(const Enumeration& enumeration, std::int64_t value);
// nullptr for NONE and for tags that the schema does not know.
const TableSchema* union_table(const Union& in, std::uint8_t tag);
// Bytes that a field takes inside its table: 1, 2, 4 or 8.
std::uint32_t inline_size(const FieldSchema& field);
// Bytes of one element of a vector (4 for offsets).
std::uint32_t element_size(Kind kind);

}  // namespace npubin::tflite::schema
