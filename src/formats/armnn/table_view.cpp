#include "formats/armnn/table_view.h"

namespace npubin::armnn {

const Slot* TableView::row(std::string_view name) const {
  return reading_ == nullptr ? nullptr : slot_named(id_, name, reading_->slot_age(id_));
}

bool TableView::has(std::string_view name) const {
  const Slot* slot = row(name);
  return slot != nullptr && file_->entry(table_, slot->slot) != 0;
}

std::uint32_t TableView::offset_of(std::string_view name) const {
  const Slot* slot = row(name);
  return table_.position + (slot == nullptr ? 0u : file_->entry(table_, slot->slot));
}

bool TableView::flag(std::string_view name) const {
  const Slot* slot = row(name);
  return slot != nullptr &&
         file_->scalar<std::uint8_t>(table_, slot->slot, static_cast<std::uint8_t>(slot->default_value)) != 0;
}

std::uint32_t TableView::u32(std::string_view name) const {
  const Slot* slot = row(name);
  return slot == nullptr ? 0
                         : file_->scalar<std::uint32_t>(table_, slot->slot,
                                                        static_cast<std::uint32_t>(slot->default_value));
}

std::int32_t TableView::i32(std::string_view name) const {
  const Slot* slot = row(name);
  return slot == nullptr ? 0
                         : file_->scalar<std::int32_t>(table_, slot->slot,
                                                       static_cast<std::int32_t>(slot->default_value));
}

float TableView::f32(std::string_view name) const {
  const Slot* slot = row(name);
  return slot == nullptr ? 0.0f
                         : file_->scalar<float>(table_, slot->slot, static_cast<float>(slot->default_value));
}

std::int32_t TableView::enumeration(std::string_view name) const {
  const Slot* slot = row(name);
  if (slot == nullptr) return 0;
  if (slot->kind == SlotKind::Enum32) return i32(name);
  return file_->scalar<std::int8_t>(table_, slot->slot, static_cast<std::int8_t>(slot->default_value));
}

std::uint8_t TableView::union_type(std::string_view name) const {
  const Slot* slot = row(name);
  return slot == nullptr ? std::uint8_t{0} : file_->scalar<std::uint8_t>(table_, slot->slot, 0);
}

std::optional<std::uint32_t> TableView::target(std::string_view name) const {
  const Slot* slot = row(name);
  if (slot == nullptr) return std::nullopt;
  auto to = file_->target(table_, slot->slot);
  return to ? *to : std::nullopt;
}

std::string_view TableView::text(std::string_view name) const {
  const auto to = target(name);
  if (!to) return {};
  auto found = file_->string(*to);
  return found ? *found : std::string_view();
}

FlatVector TableView::vector(std::string_view name) const {
  const Slot* slot = row(name);
  const auto to = target(name);
  if (!to) return {};
  auto found = file_->vector(*to, element_size(slot->kind));
  return found ? *found : FlatVector();
}

namespace {

template <class T>
std::vector<T> elements(const FlatBuffer& file, const FlatVector& vector) {
  std::vector<T> out(vector.count);
  for (std::uint32_t i = 0; i < vector.count; ++i) out[i] = file.at<T>(vector.data() + i * sizeof(T));
  return out;
}

}  // namespace

std::vector<std::uint32_t> TableView::u32s(std::string_view name) const {
  const FlatVector found = vector(name);
  return found.count == 0 ? std::vector<std::uint32_t>() : elements<std::uint32_t>(*file_, found);
}
std::vector<std::int32_t> TableView::i32s(std::string_view name) const {
  const FlatVector found = vector(name);
  return found.count == 0 ? std::vector<std::int32_t>() : elements<std::int32_t>(*file_, found);
}
std::vector<float> TableView::f32s(std::string_view name) const {
  const FlatVector found = vector(name);
  return found.count == 0 ? std::vector<float>() : elements<float>(*file_, found);
}

std::optional<TableView> TableView::view_at(TableId id, std::uint64_t position) const {
  auto found = file_->table(position);
  if (!found) return std::nullopt;
  return TableView(*file_, *reading_, id, *found);
}

std::optional<TableView> TableView::child(std::string_view name) const {
  const Slot* slot = row(name);
  const auto to = target(name);
  return to ? view_at(slot->target, *to) : std::nullopt;
}

std::optional<TableView> TableView::element(const Slot& slot, const FlatVector& vector,
                                            std::uint32_t i) const {
  if (i >= vector.count) return std::nullopt;
  auto to = file_->follow(vector.data() + std::uint64_t{4} * i);
  return to ? view_at(slot.target, *to) : std::nullopt;
}

std::optional<TableView> TableView::member(std::string_view name, TableId id) const {
  const auto to = target(name);
  return to && id != TableId::None ? view_at(id, *to) : std::nullopt;
}

}  // namespace npubin::armnn
