#include "formats/armnn/link.h"

#include <algorithm>
#include <functional>
#include <queue>

#include <fmt/format.h>

#include "formats/armnn/recognise.h"

namespace npubin::armnn {
namespace {

void check_layer(const LayerList& list, const Layer& layer, Diagnostics& findings) {
  if (layer.kind == nullptr || !layer.has_base) {
    findings.error("ARM-0201", where(layer),
                   fmt::format("layer at position {} has no {}", layer.position,
                               layer.kind == nullptr ? "known type" : "base (index, name, slots)"));
    return;
  }
  if (!type_agrees(layer.kind->table, layer.layer_type))
    findings.error(
        "ARM-0202", where(layer, "base.layerType"),
        fmt::format("{}: the union says {} ({}), base.layerType says {}", label(layer), layer.kind->name,
                    layer.union_value, enum_name(EnumId::LayerType, layer.layer_type)));
  if (auto found = list.position_of_index.find(layer.index);
      found != list.position_of_index.end() && list.layers[found->second].position != layer.position)
    findings.error("ARM-0203", where(layer, "base.index"),
                   fmt::format("{} has the same index as the layer at position {}", label(layer),
                               list.layers[found->second].position),
                   "connections name layers by index, so each index may stand once");
}

void check_slot_count(const Layer& layer, const char* what, std::size_t have, int least, int most,
                      Diagnostics& findings) {
  const auto count = static_cast<std::int64_t>(have);
  if ((least == kAnyNumber || count >= least) && (most == kAnyNumber || count <= most)) return;
  findings.error(
      "ARM-0208", where(layer, "base"),
      fmt::format("{} has {} {} slots; {} {}", label(layer), have, what,
                  least == most ? "it takes" : "it takes from",
                  least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
}

// Slot indices must be 0, 1, 2, ...: the position of each index in `slots`, or nothing where that fails.
template <class Slot>
std::vector<std::optional<std::size_t>> by_index(const Layer& layer, const std::vector<Slot>& slots,
                                                 const char* what, Diagnostics& findings) {
  std::vector<std::optional<std::size_t>> out(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t index = slots[i].index;
    if (index >= slots.size() || out[index]) {
      findings.error("ARM-0207", Location::at(slots[i].offset, fmt::format("layers[{}]", layer.position)),
                     fmt::format("{}: {} slot {} of {} has index {}{}", label(layer), what, i, slots.size(),
                                 index, index < slots.size() ? ", which another slot has already" : ""));
      continue;
    }
    out[index] = i;
  }
  return out;
}

std::optional<Source> resolve(const LayerList& list, const Layer& layer, const InputSlot& slot,
                              Diagnostics& findings) {
  const Location at = Location::at(slot.offset, fmt::format("layers[{}].inputSlots", layer.position));
  if (!slot.connected) {
    findings.error("ARM-0206", at,
                   fmt::format("{}: input slot {} is not connected", label(layer), slot.index));
    return std::nullopt;
  }
  const auto found = list.position_of_index.find(slot.source_index);
  if (found == list.position_of_index.end()) {
    findings.error("ARM-0204", at,
                   fmt::format("{}: input slot {} is connected to layer {}, which does not exist",
                               label(layer), slot.index, slot.source_index));
    return std::nullopt;
  }
  const Layer& source = list.layers[found->second];
  for (std::size_t i = 0; i < source.outputs.size(); ++i)
    if (source.outputs[i].index == slot.source_slot) return Source{found->second, i};
  findings.error(
      "ARM-0210", at,
      fmt::format("{}: input slot {} is connected to output slot {} of {}, which has {}", label(layer),
                  slot.index, slot.source_slot, label(source), source.outputs.size()));
  return std::nullopt;
}

// Kahn's algorithm; of the layers that are ready the first in the file goes first.
std::vector<std::size_t> order_of(const LayerList& list, const Links& links) {
  const std::size_t count = list.layers.size();
  std::vector<std::size_t> waiting(count), fan_out(count + 1);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto& source : links.inputs[i])
      if (source) ++waiting[i], ++fan_out[source->layer + 1];
  for (std::size_t i = 0; i < count; ++i) fan_out[i + 1] += fan_out[i];
  std::vector<std::size_t> consumers(fan_out[count]), next(fan_out.begin(), fan_out.end() - 1);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto& source : links.inputs[i])
      if (source) consumers[next[source->layer]++] = i;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < count; ++i)
    if (waiting[i] == 0) ready.push(i);
  std::vector<std::size_t> order;
  order.reserve(count);
  while (!ready.empty()) {
    const std::size_t layer = ready.top();
    ready.pop();
    order.push_back(layer);
    for (std::size_t i = fan_out[layer]; i < fan_out[layer + 1]; ++i)
      if (--waiting[consumers[i]] == 0) ready.push(consumers[i]);
  }
  return order;
}

}  // namespace

Location where(const Layer& layer, std::string_view field) {
  const std::uint32_t offset = layer.has_base ? layer.base_offset : layer.table.offset();
  return Location::at(offset, fmt::format("layers[{}]{}{}", layer.position, field.empty() ? "" : ".", field));
}

Links link(const LayerList& list, Diagnostics& findings) {
  Links out;
  out.inputs.resize(list.layers.size());
  for (std::size_t i = 0; i < list.layers.size(); ++i) {
    const Layer& layer = list.layers[i];
    check_layer(list, layer, findings);
    if (layer.kind == nullptr || !layer.has_base) continue;
    check_slot_count(layer, "input", layer.inputs.size(), layer.kind->min_inputs, layer.kind->max_inputs,
                     findings);
    check_slot_count(layer, "output", layer.outputs.size(), layer.kind->outputs, layer.kind->outputs,
                     findings);
    (void)by_index(layer, layer.outputs, "output", findings);
    out.inputs[i].resize(layer.inputs.size());
    const auto slots = by_index(layer, layer.inputs, "input", findings);
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      if (slots[slot]) out.inputs[i][slot] = resolve(list, layer, layer.inputs[*slots[slot]], findings);
  }
  out.order = order_of(list, out);
  if (out.order.size() < list.layers.size()) {
    std::vector<bool> ordered(list.layers.size());
    for (std::size_t position : out.order) ordered[position] = true;
    const std::size_t first =
        static_cast<std::size_t>(std::find(ordered.begin(), ordered.end(), false) - ordered.begin());
    findings.error("ARM-0205", where(list.layers[first]),
                   fmt::format("{} waits for itself: {} layers are in or behind a cycle",
                               label(list.layers[first]), list.layers.size() - out.order.size()));
  }
  return out;
}

}  // namespace npubin::armnn
