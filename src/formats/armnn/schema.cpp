#include "formats/armnn/schema.h"

#include <array>

#include <fmt/format.h>

#include "formats/armnn/schema_tables.h"

namespace npubin::armnn {
namespace {

struct Run {
  std::size_t begin = 0, end = 0;
};

// Where each table's rows lie; the rows stand together, in the order of the enumeration.
std::array<Run, 256> slot_runs() {
  std::array<Run, 256> runs{};
  for (std::size_t i = 0; i < tables::kSlotCount; ++i) {
    Run& run = runs[static_cast<std::size_t>(tables::kSlots[i].table)];
    if (run.end == 0) run.begin = i;
    run.end = i + 1;
  }
  return runs;
}
std::array<Run, 256> enum_runs() {
  std::array<Run, 256> runs{};
  for (std::size_t i = 0; i < tables::kEnumValueCount; ++i) {
    Run& run = runs[static_cast<std::size_t>(tables::kEnumValues[i].enumeration)];
    if (run.end == 0) run.begin = i;
    run.end = i + 1;
  }
  return runs;
}

}  // namespace

std::string_view to_string(TableId table) {
  return tables::kTableNames[static_cast<std::size_t>(table)];
}
std::string_view to_string(EnumId enumeration) {
  return tables::kEnumNames[static_cast<std::size_t>(enumeration)];
}

std::span<const Slot> slots_of(TableId table) {
  static const std::array<Run, 256> kRuns = slot_runs();
  const Run run = kRuns[static_cast<std::size_t>(table)];
  return {tables::kSlots + run.begin, run.end - run.begin};
}

bool has_two_layouts(TableId table) {
  return table == TableId::Convolution2dDescriptor || table == TableId::DepthwiseConvolution2dDescriptor;
}

const Slot* slot_at(TableId table, unsigned slot, Age age) {
  for (const Slot& row : slots_of(table))
    if (row.slot == slot && row.stands_at(age)) return &row;
  return nullptr;
}

const Slot* slot_named(TableId table, std::string_view name, Age age) {
  for (const Slot& row : slots_of(table))
    if (row.stands_at(age) && row.name == name) return &row;
  return nullptr;
}

std::span<const EnumValue> values_of(EnumId enumeration) {
  static const std::array<Run, 256> kRuns = enum_runs();
  const Run run = kRuns[static_cast<std::size_t>(enumeration)];
  return {tables::kEnumValues + run.begin, run.end - run.begin};
}

const EnumValue* enum_value(EnumId enumeration, std::int64_t value) {
  for (const EnumValue& row : values_of(enumeration))
    if (row.value == value) return &row;
  return nullptr;
}
const EnumValue* enum_value(EnumId enumeration, std::string_view name) {
  for (const EnumValue& row : values_of(enumeration))
    if (row.name == name) return &row;
  return nullptr;
}
std::string enum_name(EnumId enumeration, std::int64_t value) {
  const EnumValue* row = enum_value(enumeration, value);
  return row != nullptr ? std::string(row->name) : fmt::format("{} (unknown)", value);
}

std::span<const UnionMember> layer_union() {
  return {tables::kLayerUnion, tables::kLayerUnionCount};
}
const UnionMember* layer_member(std::uint8_t value, Age age) {
  for (const UnionMember& member : layer_union())
    if (member.value == value && member.first <= age && age <= member.last) return &member;
  return nullptr;
}
const UnionMember* layer_member(TableId table, Age age) {
  for (const UnionMember& member : layer_union())
    if (member.table == table && member.first <= age && age <= member.last) return &member;
  return nullptr;
}

std::size_t inline_size(SlotKind kind) {
  switch (kind) {
    case SlotKind::Bool:
    case SlotKind::Enum8:
    case SlotKind::UnionType:
      return 1;
    case SlotKind::Connection:
      return 8;
    default:
      return 4;
  }
}

std::size_t element_size(SlotKind kind) {
  switch (kind) {
    case SlotKind::VectorBool:
    case SlotKind::VectorI8:
      return 1;
    case SlotKind::VectorI16:
      return 2;
    case SlotKind::VectorI64:
      return 8;
    default:
      return 4;
  }
}

bool is_vector(SlotKind kind) {
  return kind >= SlotKind::VectorU32;
}
bool is_offset(SlotKind kind) {
  return kind >= SlotKind::String;
}

}  // namespace npubin::armnn
