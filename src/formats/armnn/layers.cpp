#include "formats/armnn/layers.h"

#include <array>

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

struct TypeRow {
  DType element;
  bool quantized;
};
// Indexed by DataType.
constexpr std::array<TypeRow, 11> kTypes{{{DType::F16, false},
                                          {DType::F32, false},
                                          {DType::U8, true},
                                          {DType::I32, false},
                                          {DType::Bool, false},
                                          {DType::I16, true},
                                          {DType::U8, true},
                                          {DType::I16, true},
                                          {DType::I8, true},
                                          {DType::I8, true},
                                          {DType::I64, false}}};

bool known(std::int32_t data_type) {
  return data_type >= 0 && static_cast<std::size_t>(data_type) < kTypes.size();
}

InputSlot input_slot(const TableView& table) {
  InputSlot out;
  out.offset = table.offset();
  out.index = table.u32("index");
  const Slot* row = table.row("connection");
  if (auto at = table.file().field(table.flat(), row->slot, 8, 4); at && *at) {
    out.connected = true;
    out.source_index = table.file().at<std::uint32_t>(**at);
    out.source_slot = table.file().at<std::uint32_t>(**at + 4u);
  }
  return out;
}

OutputSlot output_slot(const TableView& table) {
  OutputSlot out;
  out.offset = table.offset();
  out.index = table.u32("index");
  if (auto info = table.child("tensorInfo")) out.info = tensor_info(*info);
  return out;
}

void read_base(const TableView& base, Layer& layer) {
  layer.has_base = true;
  layer.base_offset = base.offset();
  layer.index = base.u32("index");
  layer.named = base.has("layerName");
  layer.name = base.text("layerName");
  layer.layer_type = base.enumeration("layerType");
  const FlatVector inputs = base.vector("inputSlots"), outputs = base.vector("outputSlots");
  layer.inputs.reserve(inputs.count);
  layer.outputs.reserve(outputs.count);
  for (std::uint32_t i = 0; i < inputs.count; ++i)
    if (auto slot = base.element(*base.row("inputSlots"), inputs, i))
      layer.inputs.push_back(input_slot(*slot));
  for (std::uint32_t i = 0; i < outputs.count; ++i)
    if (auto slot = base.element(*base.row("outputSlots"), outputs, i))
      layer.outputs.push_back(output_slot(*slot));
}

Layer read_layer(const TableView& any, std::size_t position) {
  Layer out;
  out.position = position;
  out.union_value = any.union_type("layer_type");
  const UnionMember* member = layer_member(out.union_value, any.reading().union_age);
  if (member == nullptr) return out;
  out.kind = layer_kind(member->table);
  auto table = any.member("layer", member->table);
  if (!table) return out;
  out.table = *table;
  auto base = table->child("base");
  if (base && (out.is(LayerType::Input) || out.is(LayerType::Output))) {
    out.binding_id = base->i32("layerBindingId");
    base = base->child("base");
  }
  if (base) read_base(*base, out);
  return out;
}

std::vector<std::int64_t> ids_of(const TableView& graph, std::string_view name, bool binding_ids) {
  std::vector<std::int64_t> out;
  // Layer indices are unsigned, binding ids are signed (since 20.02).
  for (std::uint32_t id : graph.u32s(name))
    out.push_back(binding_ids ? std::int64_t{static_cast<std::int32_t>(id)} : std::int64_t{id});
  return out;
}

}  // namespace

std::optional<DType> element_type(std::int32_t data_type) {
  if (!known(data_type)) return std::nullopt;
  return kTypes[static_cast<std::size_t>(data_type)].element;
}
bool is_quantized(std::int32_t data_type) {
  return known(data_type) && kTypes[static_cast<std::size_t>(data_type)].quantized;
}
std::int32_t modern(std::int32_t data_type) {
  if (data_type == static_cast<std::int32_t>(DataType::QuantisedAsymm8))
    return static_cast<std::int32_t>(DataType::QAsymmU8);
  if (data_type == static_cast<std::int32_t>(DataType::QuantisedSymm16))
    return static_cast<std::int32_t>(DataType::QSymmS16);
  return data_type;
}

TensorInfo tensor_info(const TableView& table) {
  TensorInfo out;
  out.offset = table.offset();
  out.has_dimensions = table.has("dimensions");
  const FlatVector dimensions = table.vector("dimensions");
  out.declared_rank = dimensions.count;
  for (std::uint32_t i = 0; i < std::min(dimensions.count, kMaxStoredRank); ++i)
    out.shape.push_back(table.file().at<std::uint32_t>(dimensions.data() + 4 * i));
  out.data_type = table.enumeration("dataType");
  out.scale = table.f32("quantizationScale");
  out.zero_point = table.i32("quantizationOffset");
  out.scales = table.vector("quantizationScales");
  out.quantization_dim = table.u32("quantizationDim");
  out.dimensionality = table.u32("dimensionality");
  return out;
}

ConstTensor const_tensor(const TableView& table) {
  ConstTensor out;
  out.offset = table.offset();
  if (auto info = table.child("info")) out.info = tensor_info(*info);
  out.payload_type = table.union_type("data_type");
  auto payload = table.member("data", payload_table(out.payload_type));
  if (!payload || !payload->has("data")) return out;
  const FlatVector data = payload->vector("data");
  out.has_payload = true;
  out.payload_offset = data.data();
  out.payload_bytes = std::uint64_t{data.count} * element_size(payload->row("data")->kind);
  return out;
}

std::optional<ConstTensor> Layer::constant(std::string_view member) const {
  auto found = table.child(member);
  if (!found) return std::nullopt;
  return const_tensor(*found);
}

std::string label(const Layer& layer) {
  return fmt::format("layer {} ({} '{}')", layer.index, layer.kind == nullptr ? "?" : layer.kind->name,
                     layer.name);
}

LayerList list_layers(const FlatBuffer& file, const Reading& reading) {
  LayerList out;
  auto root = file.root();
  if (!root) return out;
  const TableView graph(file, reading, TableId::SerializedGraph, *root);
  if (auto versions = graph.child("featureVersions"))
    out.schemes = {versions->u32("bindingIdsScheme"), versions->u32("weightsLayoutScheme"),
                   versions->u32("constantTensorsAsInputs")};
  out.input_ids = ids_of(graph, "inputIds", out.schemes.binding_ids > 0);
  out.output_ids = ids_of(graph, "outputIds", out.schemes.binding_ids > 0);
  out.input_ids_offset = graph.offset_of("inputIds");
  out.output_ids_offset = graph.offset_of("outputIds");
  const Slot* row = graph.row("layers");
  const FlatVector layers = graph.vector("layers");
  out.layers.reserve(layers.count);
  out.position_of_index.reserve(layers.count);
  for (std::uint32_t i = 0; i < layers.count; ++i) {
    auto any = graph.element(*row, layers, i);
    if (!any) continue;
    out.layers.push_back(read_layer(*any, i));
    if (out.layers.back().has_base)
      out.position_of_index.emplace(out.layers.back().index, out.layers.size() - 1);
  }
  return out;
}

}  // namespace npubin::armnn
