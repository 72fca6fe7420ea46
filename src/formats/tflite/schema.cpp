#include "formats/tflite/schema.h"

namespace npubin::tflite::schema {

const FieldSchema* TableSchema::find(std::string_view field_name) const {
  for (const FieldSchema& field : fields)
    if (field.name == field_name) return &field;
  return nullptr;
}

const TableSchema* find_table(std::string_view name) {
  for (const TableSchema& table : tables())
    if (table.name == name) return &table;
  return nullptr;
}

std::string_view name_in(const Enumeration& enumeration, std::int64_t value) {
  for (const EnumEntry& entry : enumeration.entries)
    if (entry.value == value) return entry.name;
  return {};
}

std::string_view name_in(std::string_view enumeration, std::int64_t value) {
  for (const Enumeration& candidate : enumerations())
    if (candidate.name == enumeration) return name_in(candidate, value);
  return {};
}

const TableSchema* union_table(const Union& in, std::uint8_t tag) {
  if (tag >= in.members.size() || in.members[tag].table < 0) return nullptr;
  return &tables()[static_cast<std::size_t>(in.members[tag].table)];
}

std::uint32_t element_size(Kind kind) {
  switch (kind) {
    case Kind::Bool:
    case Kind::I8:
    case Kind::U8:
    case Kind::UnionTag:
      return 1;
    case Kind::I16:
    case Kind::U16:
      return 2;
    case Kind::I64:
    case Kind::U64:
      return 8;
    default:
      return 4;
  }
}

std::uint32_t inline_size(const FieldSchema& field) {
  return field.vector ? 4 : element_size(field.kind);
}

}  // namespace npubin::tflite::schema
