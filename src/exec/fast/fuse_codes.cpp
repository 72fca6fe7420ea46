// Activations of codes into the layers before them.
#include <algorithm>

#include "exec/fast/draft.h"
#include "exec/fast/integer_layer.h"
#include "exec/fast/pair_kernels.h"
#include "exec/fast/uses.h"

namespace npubin::exec::fast {
namespace {

// Codes of 8 bits as numbers.
std::int32_t number(std::uint8_t bits, DType type) {
  return type == DType::I8 ? static_cast<std::int8_t>(bits) : bits;
}

// What the activation's reference makes of every code, by its bits.
std::optional<Tensor> table_of(const Draft& draft, const DraftNode& activation) {
  const graph::Value& value = draft.value(activation.node.inputs[0]);
  Tensor codes(value.type, {256}, value.quantization), result(value.type, {256}, value.quantization);
  for (std::size_t i = 0; i < 256; ++i) codes.mutable_data()[i] = static_cast<std::byte>(i);
  const Tensor* const inputs[] = {&codes};
  Tensor* const states[] = {nullptr};
  Tensor* const outputs[] = {&result};
  if (!activation.reference->run(KernelCall{draft.graph, activation.node, inputs, states, outputs}))
    return std::nullopt;
  return result;
}

// Where the table only cuts codes to a range, the range.
std::optional<std::pair<std::int32_t, std::int32_t>> range_of(const Tensor& table) {
  const auto at = [&](std::size_t bits) {
    return number(static_cast<std::uint8_t>(table.data()[bits]), table.type());
  };
  std::int32_t low = at(0), high = at(0);
  for (std::size_t i = 0; i < 256; ++i) {
    low = std::min(low, at(i));
    high = std::max(high, at(i));
  }
  for (std::size_t i = 0; i < 256; ++i)
    if (at(i) != std::clamp(number(static_cast<std::uint8_t>(i), table.type()), low, high))
      return std::nullopt;
  return std::pair<std::int32_t, std::int32_t>{low, high};
}

bool may_cut(const Draft& draft, const graph::Node& node) {
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  return node.op == graph::Op::Activation && size_of(in.type) == 1 && out.type == in.type &&
         in.quantization == out.quantization && in.shape == out.shape && !out.variable;
}

// By what makes its step. Operands of two shapes might find no kernel of pairs.
bool takes_range(const Draft& draft, const DraftNode& layer) {
  if (takes_integers(draft, layer) || takes_uint8(draft, layer)) return true;
  const graph::Node& node = layer.node;
  return decoded_pair_kernel(draft, layer) != nullptr && count_of(draft.value(node.outputs[0]).shape) > 0 &&
         draft.value(node.inputs[0]).shape == draft.value(node.inputs[1]).shape &&
         draft.value(node.inputs[0]).type == draft.value(node.inputs[1]).type;
}

}  // namespace

void fuse_code_ranges(Draft& draft) {
  const Uses uses(draft);
  std::vector<bool> gone(draft.nodes.size(), false);
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    DraftNode& layer = draft.nodes[i];
    const graph::ValueId result = layer.node.outputs[0];
    if (gone[i] || result == graph::kNoValue || !uses.single(result) || draft.value(result).variable)
      continue;
    DraftNode& reader = draft.nodes[uses.reader(result)];
    if (!may_cut(draft, reader.node) || reader.node.rules != layer.node.rules) continue;
    if (!takes_range(draft, layer)) continue;
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
