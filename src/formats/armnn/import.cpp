#include "formats/armnn/import.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "formats/armnn/layer_import.h"
#include "formats/armnn/tensors.h"

namespace npubin::armnn {
namespace {

constexpr std::uint32_t kLargestNumber = 1u << 24;

using graph::kNoValue;
using graph::ValueId;

class Importer {
 public:
  Importer(const Bytes& bytes, const FlatBuffer& file, const LayerList& list, Diagnostics& findings)
      : bytes_(bytes), file_(file), list_(list), findings_(findings) {}

  Import run() {
    const Links links = link(list_, findings_);
    out_.node_of_layer.assign(list_.layers.size(), -1);
    out_.values_of_layer.resize(list_.layers.size());
    out_.graph.nodes.reserve(list_.layers.size());
    out_.graph.values.reserve(list_.layers.size());
    for (std::size_t position : links.order) {
      const Layer& layer = list_.layers[position];
      if (layer.kind == nullptr || !layer.has_base) continue;
      if (layer.is(LayerType::Constant))
        constant(layer);
      else if (layer.is(LayerType::Input))
        add_outputs(layer);
      else if (layer.is(LayerType::Output))
        output(layer, links.inputs[position]);
      else
        node(layer, links.inputs[position]);
    }
    ports(LayerType::Input, list_.input_ids, list_.input_ids_offset, out_.graph.inputs);
    ports(LayerType::Output, list_.output_ids, list_.output_ids_offset, out_.graph.outputs);
    return std::move(out_);
  }

 private:
  void add_outputs(const Layer& layer);
  void constant(const Layer& layer);
  void output(const Layer& layer, const std::vector<std::optional<Source>>& inputs);
  void node(const Layer& layer, const std::vector<std::optional<Source>>& inputs);
  bool check_descriptor(const Layer& layer);
  void ports(LayerType type, const std::vector<std::int64_t>& ids, std::uint32_t offset,
             std::vector<graph::Port>& out);
  ValueId value_of_source(const Source& source) const {
    const Layer& layer = list_.layers[source.layer];
    const std::uint32_t slot = layer.outputs[source.output].index;
    const auto& values = out_.values_of_layer[source.layer];
    return slot < values.size() ? values[slot] : kNoValue;
  }

  const Bytes& bytes_;
  const FlatBuffer& file_;
  const LayerList& list_;
  Diagnostics& findings_;
  Import out_;
  std::unordered_map<std::size_t, ValueId> value_of_output_;  // by position of the Output layer
};

std::string value_name(const Layer& layer, std::size_t slot) {
  std::string name = layer.name.empty() ? fmt::format("layer {}", layer.index) : std::string(layer.name);
  return layer.outputs.size() > 1 ? fmt::format("{}:{}", name, slot) : name;
}

void Importer::add_outputs(const Layer& layer) {
  const auto position = static_cast<std::size_t>(&layer - list_.layers.data());
  auto& values = out_.values_of_layer[position];
  values.assign(layer.outputs.size(), kNoValue);
  for (const OutputSlot& slot : layer.outputs) {
    if (slot.index >= values.size() || values[slot.index] != kNoValue) continue;  // reported by link()
    const std::string path = fmt::format("layers[{}].outputSlots[{}].tensorInfo", layer.position, slot.index);
    const std::string what =
        layer.outputs.size() > 1 ? fmt::format("{}, output {}", label(layer), slot.index) : label(layer);
    if (!slot.info) {
      findings_.error("ARM-0301", Location::at(slot.offset, path),
                      fmt::format("{}: the output has no tensor info", what));
      continue;
    }
    auto value = value_of(file_, *slot.info, what, path, findings_);
    if (!value) continue;
    value->name = value_name(layer, slot.index);
    values[slot.index] = out_.graph.add_value(*std::move(value));
  }
}

void Importer::constant(const Layer& layer) {
  add_outputs(layer);
  const auto position = static_cast<std::size_t>(&layer - list_.layers.data());
  const auto tensor = layer.constant("input");
  if (!tensor) {
    findings_.error("ARM-0320", where(layer, "input"), fmt::format("{} has no tensor", label(layer)));
    return;
  }
  auto value = constant_of(bytes_, file_, *tensor, label(layer),
                           fmt::format("layers[{}].input", layer.position), findings_);
  auto& values = out_.values_of_layer[position];
  if (!value || values.empty() || values[0] == kNoValue) return;
  graph::Value& stored = out_.graph.value(values[0]);
  if (stored.shape != value->shape || stored.type != value->type)
    findings_.error("ARM-0405", where(layer, "outputSlots[0].tensorInfo"),
                    fmt::format("{}: the tensor is {} {}, its output is stored as {} {}", label(layer),
                                to_string(value->shape), to_string(value->type), to_string(stored.shape),
                                to_string(stored.type)));
  // The reader of Arm NN takes the tensor's own info.
  value->name = stored.name;
  stored = *std::move(value);
}

void Importer::output(const Layer& layer, const std::vector<std::optional<Source>>& inputs) {
  const auto position = static_cast<std::size_t>(&layer - list_.layers.data());
  if (inputs.empty() || !inputs[0]) return;
  value_of_output_[position] = value_of_source(*inputs[0]);
}

// Every enumeration and every number of a descriptor, whatever the layer. False: an error was found.
bool Importer::check_descriptor(const Layer& layer) {
  const Slot* row = slot_named(layer.kind->table, "descriptor", kNewestAge);
  if (row == nullptr) return true;
  const auto descriptor = layer.descriptor();
  if (!descriptor) {
    if (layer.is(LayerType::Gather)) return true;  // axis 0, armnn spec 5, D11
    findings_.error("ARM-0401", where(layer, "descriptor"),
                    fmt::format("{} has no descriptor", label(layer)));
    return false;
  }
  bool good = true;
  auto report = [&](const char* code, const Slot& field, const std::string& message) {
    good = false;
    findings_.error(code,
                    Location::at(descriptor->offset_of(field.name),
                                 fmt::format("layers[{}].descriptor.{}", layer.position, field.name)),
                    fmt::format("{}: {}", label(layer), message));
  };
  for (const Slot& field : slots_of(descriptor->id())) {
    if (descriptor->row(field.name) != &field || !descriptor->has(field.name)) continue;
    if (field.kind == SlotKind::Enum8 &&
        enum_value(field.enumeration, descriptor->enumeration(field.name)) == nullptr)
      report("ARM-0402", field,
             fmt::format("{} is {}; no known release has such a {}", field.name,
                         descriptor->enumeration(field.name), to_string(field.enumeration)));
    // No window, stride or axis is that long; below it, products of numbers and shapes stay within 63 bits.
    if (field.kind == SlotKind::U32 && descriptor->u32(field.name) > kLargestNumber)
      report("ARM-0403", field, fmt::format("{} is {}", field.name, descriptor->u32(field.name)));
    if (field.kind == SlotKind::F32 && std::isnan(descriptor->f32(field.name)))
      report("ARM-0403", field, fmt::format("{} is not a number", field.name));
  }
  return good;
}

void Importer::node(const Layer& layer, const std::vector<std::optional<Source>>& inputs) {
  const auto position = static_cast<std::size_t>(&layer - list_.layers.data());
  add_outputs(layer);
  graph::Node node;
  node.rules = graph::Rules::ArmNn;
  node.name = std::string(layer.name);
  node.source_type = std::string(layer.kind->name);
  node.source_index = static_cast<std::int64_t>(layer.position);
  node.source_offset = layer.base_offset;
  for (const auto& source : inputs) node.inputs.push_back(source ? value_of_source(*source) : kNoValue);
  node.outputs = out_.values_of_layer[position];
  const ImportLayer import = importer_of(layer.kind->type);
  if (check_descriptor(layer) && import != nullptr) {
    LayerImport context(bytes_, file_, list_, layer, out_.graph, node, findings_);
    import(context);
    if (context.failed()) {
      node.op = graph::Op::Unsupported;
      node.attributes = {};
    }
  }
  out_.node_of_layer[position] = static_cast<std::int64_t>(out_.graph.nodes.size());
  out_.graph.nodes.push_back(std::move(node));
}

void Importer::ports(LayerType type, const std::vector<std::int64_t>& ids, std::uint32_t offset,
                     std::vector<graph::Port>& out) {
  const bool inputs = type == LayerType::Input;
  const char* list_name = inputs ? "inputIds" : "outputIds";
  // By binding id since 20.02, by layer index before (armnn spec 2).
  const bool by_binding = list_.schemes.binding_ids > 0;
  std::unordered_map<std::int64_t, std::size_t> position_of_id;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < list_.layers.size(); ++i) {
    const Layer& layer = list_.layers[i];
    if (!layer.is(type) || !layer.has_base) continue;
    all.push_back(i);
    const std::int64_t id = by_binding ? std::int64_t{layer.binding_id} : std::int64_t{layer.index};
    if (!position_of_id.emplace(id, i).second && by_binding)
      findings_.error("ARM-0218", where(layer, "base.layerBindingId"),
                      fmt::format("{} has the same binding id {} as another {} layer", label(layer), id,
                                  inputs ? "Input" : "Output"));
  }
  std::unordered_set<std::size_t> listed;
  auto add = [&](std::size_t position) {
    const Layer& layer = list_.layers[position];
    ValueId value = kNoValue;
    if (inputs) {
      const auto& values = out_.values_of_layer[position];
      value = values.empty() ? kNoValue : values[0];
    } else if (auto found = value_of_output_.find(position); found != value_of_output_.end()) {
      value = found->second;
    }
    out.push_back({std::string(layer.name), value, layer.binding_id});
    if (!layer.named)
      findings_.warn("ARM-0213", where(layer, "base.layerName"), fmt::format("{} has no name", label(layer)),
                     "Arm NN crashes on it");
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = position_of_id.find(ids[i]);
    const Location at = Location::at(offset, fmt::format("{}[{}]", list_name, i));
    if (found == position_of_id.end())
      findings_.error(
          "ARM-0211", at,
          fmt::format("{} names {} {}, which no {} layer has", list_name,
                      by_binding ? "binding id" : "layer index", ids[i], inputs ? "Input" : "Output"));
    else if (!listed.insert(found->second).second)
      findings_.error("ARM-0218", at, fmt::format("{} names {} twice", list_name, ids[i]));
    else
      add(found->second);
  }
  for (std::size_t position : all) {
    if (listed.count(position) != 0) continue;
    findings_.warn("ARM-0212", where(list_.layers[position]),
                   fmt::format("{} is not listed in {}; taken as the last one", label(list_.layers[position]),
                               list_name));
    add(position);
  }
}

}  // namespace

Import import_graph(const Bytes& bytes, const FlatBuffer& file, const LayerList& list,
                    Diagnostics& findings) {
  return Importer(bytes, file, list, findings).run();
}

}  // namespace npubin::armnn
