// Records as a FlatBuffer in the schema of one age.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "formats/armnn/record.h"

namespace npubin::armnn {
namespace {

namespace fb = flatbuffers;

class Writer {
 public:
  explicit Writer(Age age) : age_(age) {}

  Result<std::vector<std::byte>> run(const Record& graph) {
    NPUBIN_TRY(const fb::uoffset_t root, table(graph, ""));
    if (!lacking_.empty()) return refuse();
    // Without an identifier, as Arm NN itself writes (armnn spec 2, rule 1).
    builder_.Finish(fb::Offset<fb::Table>(root));
    const auto* data = reinterpret_cast<const std::byte*>(builder_.GetBufferPointer());
    return std::vector<std::byte>(data, data + builder_.GetSize());
  }

 private:
  struct Prepared {
    const Slot* row;
    const FieldValue* value;
    fb::uoffset_t offset = 0;  // of a part that stands outside of the table
    std::uint8_t union_value = 0;
  };

  // Recursion is bounded by the schema's depth.
  Result<fb::uoffset_t> table(const Record& record, const std::string& path);
  Result<std::optional<Prepared>> prepare(const Record& record, std::string_view name,
                                          const FieldValue& value, const std::string& path);
  Result<fb::uoffset_t> part(const Slot& row, const FieldValue& value, const std::string& path);
  // Nothing where the age lacks the member.
  std::optional<std::uint8_t> union_value(const Record& owner, const Record& member) const;
  void add(const Prepared& field);
  fb::uoffset_t scalars(const ScalarVector& vector);
  // What the age cannot express is collected, so that all of it is named at once.
  void lacks(const std::string& what, const std::string& path) {
    for (auto& [known, paths] : lacking_)
      if (known == what) return paths.push_back(path);
    lacking_.emplace_back(what, std::vector<std::string>{path});
  }
  Unexpected refuse() const;

  Age age_;
  fb::FlatBufferBuilder builder_{1024};
  std::vector<std::pair<std::string, std::vector<std::string>>> lacking_;  // and where it stands
};

Unexpected Writer::refuse() const {
  constexpr std::size_t kMostPlaces = 8;  // of one kind
  const bool single = lacking_.size() == 1 && lacking_.front().second.size() == 1;
  std::string list;
  for (const auto& [what, paths] : lacking_) {
    list += (list.empty() ? "" : ", ") + what;
    if (single) continue;
    const std::size_t shown = std::min(paths.size(), kMostPlaces);
    for (std::size_t i = 0; i < shown; ++i) list += (i == 0 ? " (" : ", ") + paths[i];
    list += paths.size() > shown ? fmt::format(" and {} more)", paths.size() - shown) : ")";
  }
  return refused(fmt::format("the schema of {} has no {}", to_string(age_), list),
                 "choose a newer schema, or express the graph without it",
                 single ? Location::at_path(lacking_.front().second.front()) : Location{}, "ARM-0501");
}

fb::voffset_t voffset(const Slot& row) {
  return static_cast<fb::voffset_t>(4 + 2 * row.slot);
}

std::optional<std::uint8_t> Writer::union_value(const Record& owner, const Record& member) const {
  if (owner.id() == TableId::ConstTensor) {
    for (std::uint8_t value = 1; value <= 4; ++value)
      if (payload_table(value) == member.id()) return value;
  } else if (const UnionMember* found = layer_member(member.id(), age_)) {
    return found->value;
  }
  return std::nullopt;
}

Result<std::optional<Writer::Prepared>> Writer::prepare(const Record& record, std::string_view name,
                                                        const FieldValue& value, const std::string& path) {
  const Slot* row = slot_named(record.id(), name, age_);
  if (row == nullptr) {
    // The field may bear an older name at this age.
    const Slot* newest = slot_named(record.id(), name, kNewestAge);
    if (newest != nullptr && record.id() == TableId::ActivationDescriptor)
      row = slot_at(record.id(), newest->slot, age_);
    if (row == nullptr && newest != nullptr && means_nothing(*newest, value))
      return std::optional<Prepared>();
    if (row == nullptr) {
      lacks(fmt::format("{}.{}", to_string(record.id()), name), path);
      return std::optional<Prepared>();
    }
  }
  if (row->kind == SlotKind::Enum8 || row->kind == SlotKind::Enum32) {
    const std::int64_t number = std::get<std::int64_t>(value);
    const EnumValue* known = enum_value(row->enumeration, number);
    if (known == nullptr || age_ < known->first || age_ > known->last) {
      lacks(fmt::format("{} {}", to_string(row->enumeration), enum_name(row->enumeration, number)), path);
      return std::optional<Prepared>();
    }
  }
  Prepared out{row, &value, 0, 0};
  if (row->kind == SlotKind::Union) {
    const Record& member = *std::get<std::unique_ptr<Record>>(value);
    const auto number = union_value(record, member);
    if (!number) {
      lacks(std::string(to_string(member.id())), path);
      return std::optional<Prepared>();
    }
    out.union_value = *number;
  }
  if (is_offset(row->kind)) {
    NPUBIN_TRY(out.offset, part(*row, value, path));
  }
  return std::optional<Prepared>(out);
}

fb::uoffset_t Writer::scalars(const ScalarVector& vector) {
  const std::size_t size = element_size(vector.kind);
  builder_.StartVector(vector.count(), size);
  builder_.PushBytes(reinterpret_cast<const std::uint8_t*>(vector.data.data()), vector.data.size());
  return builder_.EndVector(vector.count());
}

Result<fb::uoffset_t> Writer::part(const Slot& row, const FieldValue& value, const std::string& path) {
  if (const auto* child = std::get_if<std::unique_ptr<Record>>(&value)) return table(**child, path);
  if (const auto* text = std::get_if<std::string>(&value)) return builder_.CreateString(*text).o;
  if (const auto* list = std::get_if<std::vector<Record>>(&value)) {
    std::vector<fb::Offset<fb::Table>> offsets;
    offsets.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
      NPUBIN_TRY(const fb::uoffset_t element, table((*list)[i], fmt::format("{}[{}]", path, i)));
      offsets.emplace_back(element);
    }
    return builder_.CreateVector(offsets).o;
  }
  if (const auto* vector = std::get_if<ScalarVector>(&value)) {
    if (builder_.GetSize() + vector->data.size() > 0x7F000000u)
      return refused("the graph would not fit into a FlatBuffer, which ends before 2 GiB", {},
                     Location::at_path(path));
    return scalars(*vector);
  }
  return malformed(Location::at_path(path),
                   fmt::format("{}.{} holds no table or vector", to_string(row.table), row.name));
}

void Writer::add(const Prepared& field) {
  const Slot& row = *field.row;
  const fb::voffset_t at = voffset(row);
  switch (row.kind) {
    case SlotKind::Bool:
      builder_.AddElement<std::uint8_t>(at, std::get<std::int64_t>(*field.value) != 0 ? 1 : 0,
                                        row.default_value != 0 ? 1 : 0);
      return;
    case SlotKind::Enum8:
      builder_.AddElement<std::int8_t>(at, static_cast<std::int8_t>(std::get<std::int64_t>(*field.value)),
                                       static_cast<std::int8_t>(row.default_value));
      return;
    case SlotKind::Enum32:
    case SlotKind::U32:
      builder_.AddElement<std::uint32_t>(at, static_cast<std::uint32_t>(std::get<std::int64_t>(*field.value)),
                                         static_cast<std::uint32_t>(row.default_value));
      return;
    case SlotKind::I32:
      builder_.AddElement<std::int32_t>(at, static_cast<std::int32_t>(std::get<std::int64_t>(*field.value)),
                                        static_cast<std::int32_t>(row.default_value));
      return;
    case SlotKind::F32:
      builder_.AddElement<float>(at, std::get<float>(*field.value), static_cast<float>(row.default_value));
      return;
    case SlotKind::Connection: {
      // A struct stands inside the table; its last member is written first.
      const auto& connection = std::get<ConnectionValue>(*field.value);
      builder_.Align(4);
      builder_.PushElement<std::uint32_t>(connection.output_slot);
      builder_.PushElement<std::uint32_t>(connection.layer_index);
      builder_.TrackField(at, builder_.GetSize());
      return;
    }
    default:
      builder_.AddOffset(at, fb::Offset<void>(field.offset));
      // The number of a union stands in the slot before.
      if (row.kind == SlotKind::Union)
        builder_.AddElement<std::uint8_t>(static_cast<fb::voffset_t>(at - 2), field.union_value, 0);
      return;
  }
}

Result<fb::uoffset_t> Writer::table(const Record& record, const std::string& path) {
  std::vector<Prepared> fields;
  for (const auto& [name, value] : record.fields()) {
    NPUBIN_TRY(auto prepared, prepare(record, name, value,
                                      path.empty() ? std::string(name) : fmt::format("{}.{}", path, name)));
    if (prepared) fields.push_back(*prepared);
  }
  // Wide fields first, as flatc's builders do, so that no padding is needed between them.
  std::stable_sort(fields.begin(), fields.end(), [](const Prepared& a, const Prepared& b) {
    return inline_size(a.row->kind) > inline_size(b.row->kind);
  });
  const fb::uoffset_t start = builder_.StartTable();
  for (const Prepared& field : fields) add(field);
  return builder_.EndTable(start);
}

}  // namespace

Result<std::vector<std::byte>> write_record(const Record& graph, Age age) {
  return Writer(age).run(graph);
}

}  // namespace npubin::armnn
