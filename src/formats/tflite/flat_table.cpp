#include "formats/tflite/flat_table.h"

namespace npubin::tflite {
namespace {

using schema::FieldSchema;
using schema::Kind;

template <class T>
T load_or_zero(ByteSpan file, std::uint64_t at) {
  if (at > file.size() || file.size() - at < sizeof(T)) return T{};
  return load<T>(file.data() + at);
}

std::int64_t load_integer(ByteSpan file, std::uint64_t at, Kind kind) {
  switch (kind) {
    case Kind::Bool:
    case Kind::U8:
    case Kind::UnionTag:
      return load_or_zero<std::uint8_t>(file, at);
    case Kind::I8:
      return load_or_zero<std::int8_t>(file, at);
    case Kind::I16:
      return load_or_zero<std::int16_t>(file, at);
    case Kind::U16:
      return load_or_zero<std::uint16_t>(file, at);
    case Kind::I32:
      return load_or_zero<std::int32_t>(file, at);
    case Kind::U32:
      return load_or_zero<std::uint32_t>(file, at);
    case Kind::I64:
    case Kind::U64:
      return load_or_zero<std::int64_t>(file, at);
    default:
      return 0;
  }
}

}  // namespace

std::uint64_t FlatTable::inline_offset(const FieldSchema& field) const {
  const std::int64_t vtable =
      static_cast<std::int64_t>(position_) - load_or_zero<std::int32_t>(file_, position_);
  if (vtable < 0) return 0;
  const auto at = static_cast<std::uint64_t>(vtable);
  const std::uint64_t entry = 4 + 2 * std::uint64_t{field.slot};
  if (entry + 2 > load_or_zero<std::uint16_t>(file_, at)) return 0;
  const std::uint16_t inside = load_or_zero<std::uint16_t>(file_, at + entry);
  return inside == 0 ? 0 : position_ + inside;
}

std::uint64_t FlatTable::field_offset(std::string_view name) const {
  if (schema_ == nullptr) return 0;
  const FieldSchema* field = schema_->find(name);
  return field == nullptr ? 0 : inline_offset(*field);
}

bool FlatTable::has(std::string_view field) const {
  return field_offset(field) != 0;
}

std::int64_t FlatTable::integer(std::string_view name) const {
  if (schema_ == nullptr) return 0;
  const FieldSchema* field = schema_->find(name);
  if (field == nullptr || field->vector) return 0;
  const std::uint64_t at = inline_offset(*field);
  return at == 0 ? field->default_value : load_integer(file_, at, field->kind);
}

std::uint64_t FlatTable::unsigned_integer(std::string_view field) const {
  return static_cast<std::uint64_t>(integer(field));
}

float FlatTable::real(std::string_view name) const {
  if (schema_ == nullptr) return 0;
  const FieldSchema* field = schema_->find(name);
  if (field == nullptr || field->vector || field->kind != Kind::F32) return 0;
  const std::uint64_t at = inline_offset(*field);
  return at == 0 ? static_cast<float>(field->default_value) : load_or_zero<float>(file_, at);
}

std::uint64_t FlatTable::target(std::uint64_t at) const {
  return at == 0 ? 0 : at + load_or_zero<std::uint32_t>(file_, at);
}

bool FlatTable::vector_bytes(std::string_view name, std::size_t element, ByteSpan& out,
                             std::uint64_t& at) const {
  const std::uint64_t length_at = target(field_offset(name));
  if (length_at == 0 || length_at > file_.size() || file_.size() - length_at < 4) return false;
  const std::uint64_t bytes = std::uint64_t{load<std::uint32_t>(file_.data() + length_at)} * element;
  at = length_at + 4;
  if (bytes > file_.size() - at) return false;
  out = file_.subspan(at, bytes);
  return true;
}

std::string_view FlatTable::text(std::string_view field) const {
  ByteSpan bytes;
  std::uint64_t at = 0;
  if (!vector_bytes(field, 1, bytes, at)) return {};
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

FlatTable FlatTable::table(std::string_view name) const {
  const std::uint64_t at = target(field_offset(name));
  if (at == 0) return {};
  const FieldSchema* field = schema_->find(name);
  return {file_, at, &schema::tables()[static_cast<std::size_t>(field->ref)]};
}

FlatTable FlatTable::union_value(std::string_view name) const {
  const std::uint64_t at = target(field_offset(name));
  if (at == 0) return {};
  const FieldSchema* field = schema_->find(name);
  std::uint8_t tag = 0;
  for (const FieldSchema& candidate : schema_->fields)
    if (candidate.kind == Kind::UnionTag && candidate.slot + 1 == field->slot)
      tag = static_cast<std::uint8_t>(integer(candidate.name));
  return {file_, at, schema::union_table(schema::unions()[static_cast<std::size_t>(field->ref)], tag)};
}

std::size_t FlatTable::table_count(std::string_view field) const {
  ByteSpan bytes;
  std::uint64_t at = 0;
  return vector_bytes(field, 4, bytes, at) ? bytes.size() / 4 : 0;
}

FlatTable FlatTable::table_at(std::string_view name, std::size_t i) const {
  ByteSpan bytes;
  std::uint64_t at = 0;
  if (!vector_bytes(name, 4, bytes, at) || i >= bytes.size() / 4) return {};
  const FieldSchema* field = schema_->find(name);
  return {file_, target(at + 4 * i), &schema::tables()[static_cast<std::size_t>(field->ref)]};
}

}  // namespace npubin::tflite
