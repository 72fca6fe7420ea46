// The schema of the HEF document as a table: messages, fields, enumerations, taken from schema/hef.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npubin::hef {

enum class FieldType : std::uint8_t {
  UInt32,
  UInt64,
  Int32,
  Bool,
  Enum,
  Float,
  Double,
  String,
  Bytes,
  Message
};

struct MessageSchema;

struct EnumSchema {
  std::string name;
  std::vector<std::pair<std::int32_t, std::string>> values;
  // Name of a value; empty where the schema does not know it.
  std::string_view name_of(std::int64_t value) const;
};

struct FieldSchema {
  std::uint32_t number = 0;
  std::string name;
  FieldType type = FieldType::UInt32;
  bool repeated = false;
  std::string oneof;                        // name of the oneof it belongs to; empty: none
  const MessageSchema* message = nullptr;   // FieldType::Message
  const EnumSchema* enumeration = nullptr;  // FieldType::Enum

  // The wire type in which a single value is written: 0 varint, 1 fixed64, 2 length-delimited, 5 fixed32.
  std::uint8_t wire_type() const;
  // Repeated numbers may be packed into one length-delimited field.
  bool packable() const { return repeated && wire_type() != 2; }
};

struct MessageSchema {
  std::string name;
  std::vector<FieldSchema> fields;  // in order of number

  const FieldSchema* by_number(std::uint32_t number) const;
  const FieldSchema* by_name(std::string_view name) const;

  std::vector<std::int16_t> index;  // number -> position in `fields`, -1 where unknown
};

// ProtoHEFHef, from which every other message is reached.
const MessageSchema& document_schema();

}  // namespace npubin::hef
