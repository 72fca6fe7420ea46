// The values of an .armnn, without the offsets that tie them together: what `diff` compares.
#include <algorithm>

#include <fmt/format.h>

#include "formats/armnn/document.h"
#include "formats/armnn/layers.h"

namespace npubin::armnn {
namespace {

std::optional<DType> type_of(SlotKind kind) {
  switch (kind) {
    case SlotKind::Bool:
    case SlotKind::VectorBool:
      return DType::Bool;
    case SlotKind::U32:
    case SlotKind::VectorU32:
      return DType::U32;
    case SlotKind::I32:
    case SlotKind::Enum32:
    case SlotKind::VectorI32:
      return DType::I32;
    case SlotKind::F32:
    case SlotKind::VectorF32:
      return DType::F32;
    case SlotKind::Enum8:
    case SlotKind::VectorI8:
      return DType::I8;
    case SlotKind::VectorI16:
      return DType::I16;
    case SlotKind::VectorI64:
      return DType::I64;
    default:
      return std::nullopt;
  }
}

bool is_payload(TableId table) {
  return table == TableId::ByteData || table == TableId::ShortData || table == TableId::IntData ||
         table == TableId::LongData;
}

class Collector : public WalkVisitor {
 public:
  Collector(const Bytes& bytes, const FlatBuffer& file, const Reading& reading)
      : bytes_(bytes), file_(file), reading_(reading) {}

  void table(TableId id, const FlatTable& table, const std::vector<WalkStep>& path) override {
    // A constant's description precedes its payload.
    if (id == TableId::TensorInfo) constant_type_ = data_type_of(table);
    for (const Slot& row : slots_of(id)) {
      if (!row.stands_at(reading_.slot_age(id)) || is_offset(row.kind) || numbering(row)) continue;
      const std::uint16_t entry = file_.entry(table, row.slot);
      const std::size_t size = inline_size(row.kind);
      if (entry == 0 || entry + size > table.size) continue;
      const std::uint32_t at = table.position + entry;
      if (is_default(row, at, size)) continue;
      std::vector<WalkStep> whole = path;
      whole.push_back({&row, -1});
      out.push_back({to_string(whole), at, bytes_.slice(at, size), type_of(row.kind), false});
    }
  }
  void vector(const Slot& row, const FlatVector& vector, std::size_t size,
              const std::vector<WalkStep>& path) override {
    if (row.kind == SlotKind::VectorTable) return;
    const std::uint64_t bytes = std::uint64_t{vector.count} * size;
    const bool payload = is_payload(row.table);
    std::optional<DType> type = payload ? constant_type_ : type_of(row.kind);
    if (type && bytes % size_of(*type) != 0) type.reset();
    out.push_back({to_string(path), vector.data(), bytes_.slice(vector.data(), bytes), type, payload});
  }
  void string(const Slot&, std::uint32_t position, std::string_view text,
              const std::vector<WalkStep>& path) override {
    out.push_back({to_string(path), position + 4u, bytes_.slice(position + 4u, text.size()), {}, false});
  }

  // Neither type nor size are known: its first bytes stand for it.
  void unknown_slot(TableId, const FlatTable& table, unsigned slot,
                    const std::vector<WalkStep>& path) override {
    const std::uint16_t entry = file_.entry(table, slot);
    if (entry == 0 || entry >= table.size) return;
    const std::uint32_t at = table.position + entry;
    const std::size_t size = std::min<std::size_t>(4, table.size - entry);
    out.push_back({fmt::format("{}.unknown_slot[{}]", to_string(path), slot), at, bytes_.slice(at, size),
                   std::nullopt, false});
  }

  std::vector<ContentPart> out;

 private:
  // The union's numbers, and what says how a file of another age is to be read, are not values of the graph.
  static bool numbering(const Slot& row) {
    return row.kind == SlotKind::UnionType || row.enumeration == EnumId::LayerType ||
           row.table == TableId::FeatureCompatibilityVersions;
  }
  bool is_default(const Slot& row, std::uint32_t at, std::size_t size) const {
    if (row.kind == SlotKind::F32) return file_.at<float>(at) == static_cast<float>(row.default_value);
    if (row.kind == SlotKind::Connection) return false;
    const std::int64_t value = size == 1                   ? file_.at<std::uint8_t>(at)
                               : row.kind == SlotKind::U32 ? std::int64_t{file_.at<std::uint32_t>(at)}
                                                           : std::int64_t{file_.at<std::int32_t>(at)};
    return value == static_cast<std::int64_t>(row.default_value);
  }
  std::optional<DType> data_type_of(const FlatTable& table) const {
    const Slot* row = slot_named(TableId::TensorInfo, "dataType", reading_.slot_age(TableId::TensorInfo));
    if (row == nullptr) return std::nullopt;
    return armnn::element_type(file_.scalar<std::uint8_t>(table, row->slot, 0));
  }

  const Bytes& bytes_;
  const FlatBuffer& file_;
  const Reading& reading_;
  std::optional<DType> constant_type_;
};

}  // namespace

Result<std::vector<ContentPart>> ArmnnDocument::contents() const {
  Collector collector(bytes_, file_, vote_.reading);
  NPUBIN_CHECK(walk(file_, vote_.reading, collector));
  return std::move(collector.out);
}

}  // namespace npubin::armnn
