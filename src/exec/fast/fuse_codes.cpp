// Activations of codes into the integer layers before them.
#include <algorithm>

#include "exec/fast/draft.h"
#include "exec/fast/integer_layer.h"
#include "exec/fast/uses.h"

namespace npubin::exec::fast {
namespace {

// What the activation's reference makes of every code, in order.
std::optional<Tensor> table_of(const Draft& draft, const DraftNode& activation) {
  const graph::Value& value = draft.value(activation.node.inputs[0]);
  Tensor codes(DType::I8, {256}, value.quantization), result(DType::I8, {256}, value.quantization);
  for (int i = 0; i < 256; ++i)
    codes.as_mutable<std::int8_t>()[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
  const Tensor* const inputs[] = {&codes};
  Tensor* const states[] = {nullptr};
  Tensor* const outputs[] = {&result};
  if (!activation.reference->run(KernelCall{draft.graph, activation.node, inputs, states, outputs}))
    return std::nullopt;
  return result;
}

// Where the table only cuts codes to a range, the range.
std::optional<std::pair<std::int32_t, std::int32_t>> range_of(const Tensor& table) {
  const auto codes = table.as<std::int8_t>();
  const auto [low, high] = std::minmax_element(codes.begin(), codes.end());
  for (int i = 0; i < 256; ++i)
    if (codes[static_cast<std::size_t>(i)] != std::clamp<int>(i - 128, *low, *high)) return std::nullopt;
  return std::pair<std::int32_t, std::int32_t>{*low, *high};
}

bool may_cut(const Draft& draft, const graph::Node& node) {
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  return node.op == graph::Op::Activation && per_tensor(in, DType::I8) && out.type == DType::I8 &&
         in.quantization == out.quantization && in.shape == out.shape && !out.variable;
}

}  // namespace

void fuse_code_ranges(Draft& draft) {
  const Uses uses(draft);
  std::vector<bool> gone(draft.nodes.size(), false);
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    DraftNode& layer = draft.nodes[i];
    if (gone[i] || !takes_integers(draft, layer)) continue;
    const graph::ValueId result = layer.node.outputs[0];
    if (!uses.single(result) || draft.value(result).variable) continue;
    DraftNode& reader = draft.nodes[uses.reader(result)];
    if (!may_cut(draft, reader.node) || reader.node.rules != layer.node.rules) continue;
    const auto table = table_of(draft, reader);
    if (!table) continue;
    const auto range = range_of(*table);
    if (!range) continue;
    layer.code_range = range;
    layer.node.outputs[0] = reader.node.outputs[0];
    layer.absorbed.push_back(reader.node.source_type);
    gone[uses.reader(result)] = true;
  }
  std::vector<DraftNode> kept;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(draft.nodes[i]));
  draft.nodes = std::move(kept);
}

}  // namespace npubin::exec::fast
