#include "formats/armnn/describe_layers.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/armnn/document.h"
#include "formats/armnn/import.h"

namespace npubin::armnn {
namespace {

// Vectors longer than this are shown by their length only.
constexpr std::uint32_t kLongestShown = 16;

Datum vector_datum(const TableView& table, const Slot& row) {
  const FlatVector vector = table.vector(row.name);
  if (vector.count > kLongestShown) return fmt::format("{} elements", vector.count);
  switch (row.kind) {
    case SlotKind::VectorU32:
      return Datum::array_of(table.u32s(row.name));
    case SlotKind::VectorI32:
      return Datum::array_of(table.i32s(row.name));
    case SlotKind::VectorF32:
      return Datum::array_of(table.f32s(row.name));
    default:
      return fmt::format("{} elements", vector.count);
  }
}

Datum table_datum(const TableView& table, Age oldest);

Datum field_datum(const TableView& table, const Slot& row, Age oldest) {
  switch (row.kind) {
    case SlotKind::Bool:
      return table.flag(row.name);
    case SlotKind::Enum8:
    case SlotKind::Enum32:
      return enum_name(row.enumeration, table.enumeration(row.name));
    case SlotKind::U32:
      return table.u32(row.name);
    case SlotKind::I32:
      return table.i32(row.name);
    case SlotKind::F32:
      return table.f32(row.name);
    case SlotKind::String:
      return table.text(row.name);
    case SlotKind::Table: {
      const auto child = table.child(row.name);
      return child ? table_datum(*child, oldest) : Datum();
    }
    case SlotKind::VectorTable: {
      const FlatVector vector = table.vector(row.name);
      if (vector.count > kLongestShown) return fmt::format("{} elements", vector.count);
      Datum out = Datum(Datum::Array{});
      for (std::uint32_t i = 0; i < vector.count; ++i)
        if (const auto element = table.element(row, vector, i))
          out.push(row.target == TableId::UintVector ? Datum::array_of(element->u32s("data"))
                                                     : table_datum(*element, oldest));
      return out;
    }
    default:
      return vector_datum(table, row);
  }
}

// The release that brought a field, under whatever name: ActivationDescriptor's `function` of 19.02 is the
// `activationFunction` of 19.11.
Age since(const Slot& row) {
  Age first = row.first;
  for (const Slot& other : slots_of(row.table))
    if (other.slot == row.slot && other.kind == row.kind && other.enumeration == row.enumeration)
      first = std::min(first, other.first);
  return first;
}

// Every field that the schema has at this age, defaults included.
Datum table_datum(const TableView& table, Age oldest) {
  Datum out = Datum(Datum::Object{});
  for (const Slot& row : slots_of(table.id())) {
    if (table.row(row.name) != &row) continue;
    // Fields of releases that the file may not reach are shown only where they are set.
    if (since(row) > oldest && !table.has(row.name)) continue;
    out.set(std::string(row.name), field_datum(table, row, oldest));
  }
  return out;
}

Datum quantization_datum(const graph::Value& value) {
  if (!value.quantization.present()) return {};
  if (value.quantization.per_axis())
    return fmt::format("{} scales on dimension {}", value.quantization.scales.size(),
                       value.quantization.axis);
  return fmt::format("{}, {}", value.quantization.scale(), value.quantization.zero_point());
}

Datum sources_datum(const Layer& layer) {
  Datum out = Datum(Datum::Array{});
  for (const InputSlot& slot : layer.inputs) {
    if (!slot.connected)
      out.push("-");
    else
      out.push(slot.source_slot == 0 ? fmt::format("{}", slot.source_index)
                                     : fmt::format("{}:{}", slot.source_index, slot.source_slot));
  }
  return out;
}

void add_constants(const Layer& layer, Node& node) {
  for (const Slot& row : slots_of(layer.table.id())) {
    if (row.target != TableId::ConstTensor) continue;
    const auto tensor = layer.constant(row.name);
    if (!tensor) continue;
    std::string text = tensor->info ? fmt::format("{} {}", to_string(tensor->info->shape),
                                                  enum_name(EnumId::DataType, tensor->info->data_type))
                                    : std::string("no info");
    if (tensor->info && tensor->info->scales.count > 0)
      text += fmt::format(", {} scales on dimension {}", tensor->info->scales.count,
                          tensor->info->quantization_dim);
    else if (tensor->info && is_quantized(tensor->info->data_type))
      text += fmt::format(", scale {}, zero point {}", tensor->info->scale, tensor->info->zero_point);
    text += fmt::format(", {} bytes at 0x{:x}", tensor->payload_bytes, tensor->payload_offset);
    node.field(std::string(row.name), std::move(text));
  }
}

Node describe_layer(const ArmnnDocument& document, const Import& import, const Layer& layer) {
  Node out("layer", fmt::format("layer {}: {} '{}'", layer.index,
                                layer.kind == nullptr ? "?" : layer.kind->name, layer.name));
  out.field("index", layer.index, {}, Detail::JsonOnly);
  out.field("type", layer.kind == nullptr ? Datum() : Datum(layer.kind->name), {}, Detail::JsonOnly);
  out.field("name", layer.name, {}, Detail::JsonOnly);
  out.field("position", layer.position, {}, Detail::VeryVerbose);
  out.field_text("offset", layer.base_offset, fmt::format("0x{:x}", layer.base_offset), Detail::VeryVerbose);
  out.field("union_value", unsigned{layer.union_value}, {}, Detail::VeryVerbose);
  if (layer.is(LayerType::Input) || layer.is(LayerType::Output)) out.field("binding_id", layer.binding_id);
  if (layer.kind != nullptr && !layer.kind->replaced_by.empty())
    out.field("deprecated", fmt::format("in favour of {}", layer.kind->replaced_by));
  if (!layer.inputs.empty()) out.field("reads_layers", sources_datum(layer));
  const auto& values = import.values_of_layer[layer.position];
  for (graph::ValueId id : values) {
    if (id == graph::kNoValue) continue;
    const graph::Value& value = import.graph.value(id);
    const Datum quantization = quantization_datum(value);
    std::string text = fmt::format("{} {}", to_string(value.shape), to_string(value.type));
    if (const auto* q = std::get_if<std::string>(&quantization.storage())) text += fmt::format(" ({})", *q);
    out.field("output", std::move(text));
  }
  if (const auto descriptor = layer.descriptor())
    out.field("descriptor", table_datum(*descriptor, std::max(Age::Seed, document.age().range.first)));
  if (const auto parameters = layer.table.child("inputParams")) {
    std::uint64_t count = 0;
    for (const Slot& row : slots_of(parameters->id())) count += parameters->has(row.name) ? 1 : 0;
    out.field("input_params", fmt::format("{} of {} tensors", count, slots_of(parameters->id()).size()));
  }
  add_constants(layer, out);
  return out;
}

}  // namespace

Node describe_layers(const ArmnnDocument& document, const Import& import) {
  Node out("layer_list", "layers");
  out.list = true;
  out.detail = Detail::Verbose;
  for (const Layer& layer : document.list().layers)
    out.children.push_back(describe_layer(document, import, layer));
  return out;
}

}  // namespace npubin::armnn
