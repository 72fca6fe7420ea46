#include <algorithm>

#include "convert/armnn/to_armnn_rules.h"
#include "exec/kernel.h"

namespace npubin::convert {
namespace {

using namespace graph;

// Larger results are left to be computed: folding must not blow a file up.
constexpr std::int64_t kLargestResult = 1 << 24;

bool foldable(const Graph& graph, const graph::Node& node) {
  if (node.op == Op::EthosU || node.op == Op::Unsupported || node.outputs.empty()) return false;
  for (ValueId id : node.outputs)
    if (id == kNoValue || count_of(graph.value(id).shape) > kLargestResult) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id == kNoValue || (graph.value(id).constant && !graph.value(id).variable);
  });
}

bool fold(Graph& graph, const graph::Node& node) {
  const exec::KernelRow* row = exec::find_reference_kernel(node.op, node.rules);
  if (row == nullptr || (row->limits != nullptr && !row->limits(graph, node).empty())) return false;
  std::vector<Tensor> operands, results;
  std::vector<const Tensor*> inputs;
  operands.reserve(node.inputs.size());
  for (ValueId id : node.inputs) {
    if (id == kNoValue) {
      inputs.push_back(nullptr);
      continue;
    }
    const Value& value = graph.value(id);
    operands.push_back(*value.constant);
    operands.back().set_quantization(value.quantization);
    inputs.push_back(&operands.back());
  }
  results.reserve(node.outputs.size());
  std::vector<Tensor*> outputs;
  for (ValueId id : node.outputs) {
    const Value& value = graph.value(id);
    results.emplace_back(value.type, value.shape, value.quantization);
    outputs.push_back(&results.back());
  }
  const std::vector<Tensor*> states(node.inputs.size(), nullptr);
  if (!row->run(exec::KernelCall{graph, node, inputs, states, outputs})) return false;
  for (std::size_t k = 0; k < node.outputs.size(); ++k) graph.value(node.outputs[k]).constant = results[k];
  return true;
}

// SHAPE and RANK only look at what is declared.
bool fold_shape(Graph& graph, const graph::Node& node) {
  if ((node.op != Op::Shape && node.op != Op::Rank) || node.outputs.size() != 1) return false;
  Value& out = graph.value(node.outputs[0]);
  const Shape& shape = graph.value(node.inputs[0]).shape;
  Shape numbers = shape;
  if (node.op == Op::Rank) numbers.assign(1, static_cast<std::int64_t>(shape.size()));
  if (count_of(out.shape) != static_cast<std::int64_t>(numbers.size())) return false;
  Tensor result(out.type, out.shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (out.type == DType::I32)
      result.as_mutable<std::int32_t>()[i] = static_cast<std::int32_t>(numbers[i]);
    else if (out.type == DType::I64)
      result.as_mutable<std::int64_t>()[i] = numbers[i];
    else
      return false;
  }
  out.constant = std::move(result);
  return true;
}

}  // namespace

graph::Graph fold_constants(const graph::Graph& source) {
  Graph out = source;
  out.nodes.clear();
  for (const graph::Node& node : source.nodes) {
    if (fold_shape(out, node) || (foldable(out, node) && fold(out, node))) continue;
    out.nodes.push_back(node);
  }
  return out;
}

}  // namespace npubin::convert
