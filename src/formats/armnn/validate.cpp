#include "formats/armnn/validate.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "formats/armnn/shapes.h"
#include "formats/armnn/type_rules.h"

namespace npubin::armnn {
namespace {

using graph::kNoValue;
using graph::Op;

class GraphCheck {
 public:
  GraphCheck(const LayerList& list, const Import& import, Diagnostics& findings)
      : list_(list), import_(import), graph_(import.graph), findings_(findings) {}

  void run() {
    if (list_.layers.empty()) findings_.error("ARM-0216", {}, "the graph has no layers");
    if (!list_.layers.empty() && graph_.outputs.empty())
      findings_.error("ARM-0216", {}, "the graph has no Output layer");
    for (const graph::Node& node : graph_.nodes) check_node(node);
    for (const graph::Port& port : graph_.outputs)
      if (port.value == kNoValue)
        findings_.error("ARM-0215", {}, fmt::format("output '{}' has no tensor", port.name));
    check_use();
  }

 private:
  const Layer& layer_of(const graph::Node& node) const {
    return list_.layers[static_cast<std::size_t>(node.source_index)];
  }
  void check_node(const graph::Node& node);
  void check_shapes(const graph::Node& node);
  void check_bias_scale(const graph::Node& node);
  void check_use();

  const LayerList& list_;
  const Import& import_;
  const graph::Graph& graph_;
  Diagnostics& findings_;
};

// Operands whose absence has been reported, or is nothing to report, keep the rules from being applied.
bool complete(const graph::Node& node) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const bool optional_bias = i == 2 && (node.op == Op::Conv2d || node.op == Op::DepthwiseConv2d ||
                                          node.op == Op::TransposeConv2d || node.op == Op::FullyConnected);
    if (node.inputs[i] == kNoValue && !optional_bias) return false;
  }
  return std::find(node.outputs.begin(), node.outputs.end(), kNoValue) == node.outputs.end();
}

void GraphCheck::check_node(const graph::Node& node) {
  if (!complete(node)) return;
  check_shapes(node);
  for (const TypeFinding& finding : check_types(graph_, node)) {
    const Layer& layer = layer_of(node);
    if (finding.error)
      findings_.error("ARM-0406", where(layer), fmt::format("{}: {}", label(layer), finding.message));
    else
      findings_.warn("ARM-0407", where(layer), fmt::format("{}: {}", label(layer), finding.message));
  }
  check_bias_scale(node);
}

void GraphCheck::check_shapes(const graph::Node& node) {
  const Layer& layer = layer_of(node);
  const auto shapes = infer_shapes(graph_, node);
  if (!shapes) {
    findings_.error("ARM-0404", where(layer), fmt::format("{}: {}", label(layer), shapes.error().message));
    return;
  }
  for (std::size_t i = 0; i < std::min(shapes->size(), node.outputs.size()); ++i) {
    const Shape& stored = graph_.value(node.outputs[i]).shape;
    if ((*shapes)[i] == stored) continue;
    findings_.error("ARM-0405", where(layer, fmt::format("outputSlots[{}].tensorInfo", i)),
                    fmt::format("{}: the output is stored as {}, the layer makes {}", label(layer),
                                to_string(stored), to_string((*shapes)[i])),
                    "Arm NN refuses the graph when it optimises it");
  }
}

// An accumulator has the scale of a product; a bias of another scale is decoded with its own by the
// reference, but added as it is by integer kernels.
void GraphCheck::check_bias_scale(const graph::Node& node) {
  if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::TransposeConv2d &&
      node.op != Op::FullyConnected)
    return;
  if (node.inputs.size() < 3 || node.inputs[2] == kNoValue) return;
  const graph::Value &input = graph_.value(node.inputs[0]), &weights = graph_.value(node.inputs[1]),
                     &bias = graph_.value(node.inputs[2]);
  if (bias.type != DType::I32 || !input.quantization.present() || !weights.quantization.present()) return;
  const std::size_t scales = std::max(weights.quantization.scales.size(), bias.quantization.scales.size());
  for (std::size_t i = 0; i < scales; ++i) {
    if ((weights.quantization.per_axis() && i >= weights.quantization.scales.size()) ||
        (bias.quantization.per_axis() && i >= bias.quantization.scales.size()))
      return;
    const double want = double{input.quantization.scale()} * weights.quantization.scale(i);
    const double have = bias.quantization.scale(i);
    if (std::abs(have - want) <= 1e-3 * std::abs(want)) continue;
    const Layer& layer = layer_of(node);
    findings_.warn("ARM-0330", where(layer, "biases"),
                   fmt::format("{}: the bias has scale {}; input x weights is {}", label(layer), have, want),
                   "integer kernels add it as if it had that scale");
    return;
  }
}

void GraphCheck::check_use() {
  std::vector<bool> used(graph_.values.size()), fed(graph_.values.size());
  for (const graph::Port& port : graph_.outputs)
    if (port.value != kNoValue) used[static_cast<std::size_t>(port.value)] = true;
  for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
    const bool needed = std::any_of(node->outputs.begin(), node->outputs.end(), [&](graph::ValueId id) {
      return id != kNoValue && used[static_cast<std::size_t>(id)];
    });
    if (!needed) {
      const Layer& layer = layer_of(*node);
      findings_.warn("ARM-0214", where(layer), fmt::format("{}: no output depends on it", label(layer)));
      continue;
    }
    for (graph::ValueId id : node->inputs)
      if (id != kNoValue) used[static_cast<std::size_t>(id)] = true;
  }
  for (std::size_t i = 0; i < list_.layers.size(); ++i) {
    const Layer& layer = list_.layers[i];
    if (!layer.is(LayerType::Constant) && !layer.is(LayerType::Input)) continue;
    const auto& values = import_.values_of_layer[i];
    if (!values.empty() && values[0] != kNoValue && !used[static_cast<std::size_t>(values[0])])
      findings_.warn("ARM-0214", where(layer), fmt::format("{}: no output depends on it", label(layer)));
  }
  for (const graph::Port& port : graph_.inputs)
    if (port.value != kNoValue) fed[static_cast<std::size_t>(port.value)] = true;
  for (const graph::Node& node : graph_.nodes) {
    const bool any = std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::ValueId id) {
      return id != kNoValue && fed[static_cast<std::size_t>(id)];
    });
    if (!any) continue;
    for (graph::ValueId id : node.outputs)
      if (id != kNoValue) fed[static_cast<std::size_t>(id)] = true;
  }
  for (const graph::Port& port : graph_.outputs)
    if (port.value != kNoValue && !fed[static_cast<std::size_t>(port.value)])
      findings_.info("ARM-0217", {},
                     fmt::format("output '{}' depends on no input: it is constant", port.name));
}

}  // namespace

void check_graph(const LayerList& list, const Import& import, Diagnostics& findings) {
  GraphCheck(list, import, findings).run();
}

}  // namespace npubin::armnn
