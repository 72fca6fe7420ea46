// Constant folding, unused nodes, pads in front of convolutions.
#include <algorithm>

#include "exec/fast/draft.h"
#include "exec/fast/uses.h"

namespace npubin::exec::fast {
namespace {

constexpr std::int64_t kLargestFold = std::int64_t{64} << 20;  // elements of one folded tensor

bool foldable(const Draft& draft, const graph::Node& node) {
  if (node.op == graph::Op::EthosU || node.inputs.empty()) return false;
  for (graph::ValueId id : node.inputs)
    if (id != graph::kNoValue && (!draft.is_constant(id) || draft.value(id).variable)) return false;
  for (graph::ValueId id : node.outputs)
    if (id == graph::kNoValue || draft.value(id).variable || count_of(draft.value(id).shape) > kLargestFold)
      return false;
  return true;
}

Result<void> evaluate(Draft& draft, const DraftNode& entry) {
  std::vector<const Tensor*> inputs;
  for (graph::ValueId id : entry.node.inputs)
    inputs.push_back(id == graph::kNoValue ? nullptr : &*draft.graph.value(id).constant);
  std::vector<Tensor> results;
  for (graph::ValueId id : entry.node.outputs) {
    const graph::Value& value = draft.value(id);
    NPUBIN_TRY(Tensor tensor, Tensor::allocate(value.type, value.shape, value.quantization));
    results.push_back(std::move(tensor));
  }
  std::vector<Tensor*> outputs;
  for (Tensor& tensor : results) outputs.push_back(&tensor);
  const std::vector<Tensor*> states(inputs.size(), nullptr);
  NPUBIN_CHECK(entry.reference->run(KernelCall{draft.graph, entry.node, inputs, states, outputs}));
  for (std::size_t k = 0; k < results.size(); ++k)
    draft.graph.value(entry.node.outputs[k]).constant = std::move(results[k]);
  return {};
}

// Bytes of `value` in a constant fill by the rules: is the padding the number 0?
bool pads_with_zero(const Draft& draft, const graph::Node& pad) {
  const auto& a = pad.attr<graph::PadAttributes>();
  if (a.mode != graph::PadMode::Constant) return false;
  const graph::Value& out = draft.value(pad.outputs[0]);
  if (pad.rules == graph::Rules::ArmNn) {
    // Arm NN fills codes with the integer itself (armnn spec 3, Pad).
    return is_float(out.type) ? a.value == 0 : a.value == static_cast<float>(out.quantization.zero_point());
  }
  return pad.inputs.size() < 3;  // PAD fills with the zero point; PADV2's third operand may be anything
}

bool spatial_only(const graph::PadAttributes& a, graph::DataLayout layout) {
  if (a.pads.size() != 4) return false;
  const std::size_t channels = layout == graph::DataLayout::Nhwc ? 3 : 1;
  const auto none = std::pair<std::uint32_t, std::uint32_t>{0, 0};
  return a.pads[0] == none && a.pads[channels] == none;
}

}  // namespace

Draft make_draft(graph::Graph graph, const std::vector<const KernelRow*>& kernels) {
  Draft draft;
  draft.nodes.reserve(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    draft.nodes.push_back({std::move(graph.nodes[i]), kernels[i], {}, {}});
  graph.nodes.clear();
  draft.graph = std::move(graph);
  for (graph::Value& value : draft.graph.values)
    if (value.constant) value.constant->set_quantization(value.quantization);
  return draft;
}

Result<void> fold_constants(Draft& draft) {
  std::vector<DraftNode> kept;
  kept.reserve(draft.nodes.size());
  for (DraftNode& entry : draft.nodes) {
    if (foldable(draft, entry.node)) {
      NPUBIN_CHECK(evaluate(draft, entry));
    } else {
      kept.push_back(std::move(entry));
    }
  }
  draft.nodes = std::move(kept);
  return {};
}

void drop_unused(Draft& draft) {
  std::vector<bool> wanted(draft.graph.values.size(), false);
  for (const graph::Port& port : draft.graph.outputs) wanted[static_cast<std::size_t>(port.value)] = true;
  std::vector<DraftNode> kept;
  for (std::size_t i = draft.nodes.size(); i-- > 0;) {
    DraftNode& entry = draft.nodes[i];
    bool needed = false;
    for (graph::ValueId id : entry.node.outputs)
      needed = needed || (id != graph::kNoValue && wanted[static_cast<std::size_t>(id)]);
    for (graph::ValueId id : entry.node.inputs)
      needed = needed || (id != graph::kNoValue && draft.value(id).variable);  // it keeps state
    if (!needed) continue;
    for (graph::ValueId id : entry.node.inputs)
      if (id != graph::kNoValue) wanted[static_cast<std::size_t>(id)] = true;
    kept.push_back(std::move(entry));
  }
  std::reverse(kept.begin(), kept.end());
  draft.nodes = std::move(kept);
}

void fold_pads(Draft& draft) {
  const Uses uses(draft);
  std::vector<bool> gone(draft.nodes.size(), false);
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const graph::Node& pad = draft.nodes[i].node;
    if (pad.op != graph::Op::Pad || !uses.single(pad.outputs[0]) || !pads_with_zero(draft, pad)) continue;
    DraftNode& reader = draft.nodes[uses.reader(pad.outputs[0])];
    if (reader.node.op != graph::Op::Conv2d && reader.node.op != graph::Op::DepthwiseConv2d) continue;
    if (reader.node.inputs[0] != pad.outputs[0] || reader.node.rules != pad.rules) continue;
    auto& conv = std::get<graph::ConvAttributes>(reader.node.attributes);
    const auto& a = pad.attr<graph::PadAttributes>();
    // Convolution pads with its input's zero point: both sides of the Pad must agree on it.
    if (!spatial_only(a, conv.layout) ||
        draft.value(pad.inputs[0]).quantization != draft.value(pad.outputs[0]).quantization)
      continue;
    const std::size_t y = conv.layout == graph::DataLayout::Nhwc ? 1 : 2;
    conv.padding.top += a.pads[y].first;
    conv.padding.bottom += a.pads[y].second;
    conv.padding.left += a.pads[y + 1].first;
    conv.padding.right += a.pads[y + 1].second;
    reader.node.inputs[0] = pad.inputs[0];
    reader.absorbed.push_back(pad.source_type);
    gone[i] = true;
  }
  std::vector<DraftNode> kept;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(draft.nodes[i]));
  draft.nodes = std::move(kept);
}

}  // namespace npubin::exec::fast
