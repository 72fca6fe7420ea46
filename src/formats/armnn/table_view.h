// A table of the file with its schema beside it: fields by name, defaults applied.
//
// Meant for tables that walk() has passed; on others the getters give defaults and never leave the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/armnn/flatbuffer.h"
#include "formats/armnn/schema.h"
#include "formats/armnn/walk.h"

namespace npubin::armnn {

class TableView {
 public:
  TableView() = default;
  TableView(const FlatBuffer& file, const Reading& reading, TableId id, const FlatTable& table)
      : file_(&file), reading_(&reading), id_(id), table_(table) {}

  TableId id() const { return id_; }
  const FlatTable& flat() const { return table_; }
  const FlatBuffer& file() const { return *file_; }
  const Reading& reading() const { return *reading_; }
  std::uint32_t offset() const { return table_.position; }
  // The row of the schema for a field, as this file is read; null where it has none.
  const Slot* row(std::string_view name) const;
  // The slot is present in the file.
  bool has(std::string_view name) const;
  // File offset of the field's inline bytes, or of the table where the field is absent.
  std::uint32_t offset_of(std::string_view name) const;

  bool flag(std::string_view name) const;
  std::uint32_t u32(std::string_view name) const;
  std::int32_t i32(std::string_view name) const;
  float f32(std::string_view name) const;
  std::int32_t enumeration(std::string_view name) const;  // Enum8 and Enum32
  std::uint8_t union_type(std::string_view name) const;
  std::string_view text(std::string_view name) const;  // empty where absent

  // A vector of scalars or tables; count 0 where absent.
  FlatVector vector(std::string_view name) const;
  std::vector<std::uint32_t> u32s(std::string_view name) const;
  std::vector<std::int32_t> i32s(std::string_view name) const;
  std::vector<float> f32s(std::string_view name) const;

  // A member table. Empty where absent.
  std::optional<TableView> child(std::string_view name) const;
  // Element i of a vector of tables.
  std::optional<TableView> element(const Slot& row, const FlatVector& vector, std::uint32_t i) const;
  // The table a union slot holds, as `id`.
  std::optional<TableView> member(std::string_view name, TableId id) const;

 private:
  std::optional<std::uint32_t> target(std::string_view name) const;
  std::optional<TableView> view_at(TableId id, std::uint64_t position) const;

  const FlatBuffer* file_ = nullptr;
  const Reading* reading_ = nullptr;
  TableId id_ = TableId::None;
  FlatTable table_;
};

}  // namespace npubin::armnn
