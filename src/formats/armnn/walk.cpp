#include "formats/armnn/walk.h"

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

class Walker {
 public:
  Walker(const FlatBuffer& file, const Reading& reading, WalkVisitor& visitor)
      : file_(file), reading_(reading), visitor_(visitor), budget_(4 * file.size() + 4096) {}

  Result<void> run() {
    NPUBIN_TRY(const FlatTable root, file_.root());
    return table(TableId::SerializedGraph, root);
  }

 private:
  // Recursion is bounded by the schema, which does not refer back to itself: eight tables deep at most.
  Result<void> table(TableId id, const FlatTable& table);
  Result<void> slot(const Slot& row, const FlatTable& table);
  Result<void> tables(const Slot& row, const FlatVector& vector);
  Result<void> member(const Slot& row, const FlatTable& parent, std::uint32_t position);
  Result<void> child(TableId id, std::uint64_t position);
  Result<void> spend(std::uint64_t bytes, std::uint64_t at);
  Error located(Error error) const {
    if (error.where.path.empty()) error.where.path = to_string(path_);
    return error;
  }

  const FlatBuffer& file_;
  const Reading& reading_;
  WalkVisitor& visitor_;
  std::vector<WalkStep> path_;
  std::uint64_t budget_;
};

// Parts of a FlatBuffer may be shared; a hostile file shares them until following them all takes for ever.
Result<void> Walker::spend(std::uint64_t bytes, std::uint64_t at) {
  if (bytes > budget_)
    return malformed(Location::at(at, to_string(path_)),
                     "the parts of the file refer to each other so often that they add up to more than four "
                     "times its size",
                     "no writer of Arm NN graphs does so; the file is damaged or hostile", "ARM-0102");
  budget_ -= bytes;
  return {};
}

Result<void> Walker::child(TableId id, std::uint64_t position) {
  auto found = file_.table(position);
  if (!found) return Unexpected(located(std::move(found).error()));
  return table(id, *found);
}

Result<void> Walker::table(TableId id, const FlatTable& table) {
  NPUBIN_CHECK(spend(table.size + 4u, table.position));
  visitor_.table(id, table, path_);
  const Age age = reading_.slot_age(id);
  unsigned known = 0;
  for (const Slot& row : slots_of(id)) {
    if (!row.stands_at(age)) continue;
    known = row.slot + 1u;
    path_.push_back({&row, -1});
    NPUBIN_CHECK(slot(row, table));
    path_.pop_back();
  }
  for (unsigned i = known; i < table.slot_count(); ++i)
    if (file_.entry(table, i) != 0) visitor_.unknown_slot(id, table, i, path_);
  return {};
}

Result<void> Walker::slot(const Slot& row, const FlatTable& table) {
  if (!is_offset(row.kind)) {
    const std::size_t bytes = inline_size(row.kind);
    auto field = file_.field(table, row.slot, bytes, bytes == 1 ? 1 : 4);
    if (!field) return Unexpected(located(std::move(field).error()));
    return {};
  }
  auto target = file_.target(table, row.slot);
  if (!target) return Unexpected(located(std::move(target).error()));
  if (!*target) return {};
  const std::uint32_t position = **target;
  switch (row.kind) {
    case SlotKind::Table:
      return child(row.target, position);
    case SlotKind::Union:
      return member(row, table, position);
    case SlotKind::String: {
      auto text = file_.string(position);
      if (!text) return Unexpected(located(std::move(text).error()));
      NPUBIN_CHECK(spend(text->size() + 5, position));
      visitor_.string(row, position, *text, path_);
      return {};
    }
    default: {
      const std::size_t size = element_size(row.kind);
      auto vector = file_.vector(position, size);
      if (!vector) return Unexpected(located(std::move(vector).error()));
      NPUBIN_CHECK(spend(4 + std::uint64_t{vector->count} * size, position));
      visitor_.vector(row, *vector, size, path_);
      return row.kind == SlotKind::VectorTable ? tables(row, *vector) : Result<void>();
    }
  }
}

Result<void> Walker::tables(const Slot& row, const FlatVector& vector) {
  for (std::uint32_t i = 0; i < vector.count; ++i) {
    path_.back().element = i;
    auto position = file_.follow(vector.data() + std::uint64_t{4} * i);
    if (!position) return Unexpected(located(std::move(position).error()));
    NPUBIN_CHECK(child(row.target, *position));
  }
  path_.back().element = -1;
  return {};
}

Result<void> Walker::member(const Slot& row, const FlatTable& parent, std::uint32_t position) {
  // The number stands in the slot before the member.
  const auto value = file_.scalar<std::uint8_t>(parent, row.slot - 1u, 0);
  TableId id = TableId::None;
  if (row.table == TableId::ConstTensor) {
    id = payload_table(value);
  } else if (const UnionMember* found = layer_member(value, reading_.union_age)) {
    id = found->table;
  }
  if (id == TableId::None)
    return malformed(
        Location::at(parent.position, to_string(path_)),
        fmt::format("{} {} is in no known schema",
                    row.table == TableId::ConstTensor ? "payload type" : "layer type (union)", value),
        "a newer release than 24.x, or a damaged file", "ARM-0103");
  return child(id, position);
}

}  // namespace

std::string to_string(const std::vector<WalkStep>& path) {
  std::string out;
  for (const WalkStep& step : path) {
    if (!out.empty()) out += '.';
    out += step.slot->name;
    if (step.element >= 0) out += fmt::format("[{}]", step.element);
  }
  return out;
}

TableId payload_table(std::uint8_t union_value) {
  switch (union_value) {
    case 0:
    case 1:
      return TableId::ByteData;
    case 2:
      return TableId::ShortData;
    case 3:
      return TableId::IntData;
    case 4:
      return TableId::LongData;
    default:
      return TableId::None;
  }
}

Result<void> walk(const FlatBuffer& file, const Reading& reading, WalkVisitor& visitor) {
  return Walker(file, reading, visitor).run();
}

}  // namespace npubin::armnn
