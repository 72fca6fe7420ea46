#include "npubin/graph.h"

#include <array>

#include <fmt/format.h>

namespace npubin::graph {
namespace {

// Indexed by Op; the order is that of the enumeration.
constexpr std::array<std::string_view, static_cast<std::size_t>(Op::Unsupported) + 1> kOpNames{
    "Conv2d",
    "DepthwiseConv2d",
    "TransposeConv2d",
    "FullyConnected",
    "BatchMatMul",
    "Pool2d",
    "LocalResponseNormalization",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Minimum",
    "Maximum",
    "Pow",
    "SquaredDifference",
    "FloorDiv",
    "FloorMod",
    "Equal",
    "NotEqual",
    "Greater",
    "GreaterEqual",
    "Less",
    "LessEqual",
    "LogicalAnd",
    "LogicalOr",
    "Abs",
    "Neg",
    "Exp",
    "Log",
    "Sqrt",
    "Rsqrt",
    "Square",
    "Floor",
    "Ceil",
    "Round",
    "Sin",
    "Cos",
    "LogicalNot",
    "Activation",
    "Prelu",
    "Select",
    "Softmax",
    "LogSoftmax",
    "L2Normalization",
    "BatchNormalization",
    "InstanceNormalization",
    "Reduce",
    "ArgMinMax",
    "Quantize",
    "Dequantize",
    "Cast",
    "Reshape",
    "Transpose",
    "Concat",
    "Split",
    "Slice",
    "StridedSlice",
    "Pad",
    "Tile",
    "Gather",
    "GatherNd",
    "Stack",
    "Unstack",
    "Fill",
    "Shape",
    "Rank",
    "Range",
    "Resize",
    "SpaceToBatchNd",
    "BatchToSpaceNd",
    "SpaceToDepth",
    "DepthToSpace",
    "Svdf",
    "DetectionPostProcess",
    "EthosU",
    "Unsupported"};

constexpr std::array<std::string_view, 14> kActivationNames{
    "None",      "Sigmoid", "TanH", "Linear", "ReLu", "BoundedReLu", "SoftReLu",
    "LeakyReLu", "Abs",     "Sqrt", "Square", "Elu",  "HardSwish",   "Gelu"};

bool in_range(const Graph& graph, ValueId id) {
  return id >= 0 && static_cast<std::size_t>(id) < graph.values.size();
}

std::string label(const Node& node, std::size_t index) {
  return fmt::format("node {} ({} '{}')", index,
                     node.source_type.empty() ? to_string(node.op) : node.source_type, node.name);
}

Result<void> verify_node(const Graph& graph, const Node& node, std::size_t index,
                         std::vector<bool>& produced) {
  for (ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    if (!in_range(graph, id))
      return malformed({}, fmt::format("{} reads value {}, which does not exist", label(node, index), id));
    if (!produced[static_cast<std::size_t>(id)])
      return malformed({}, fmt::format("{} reads '{}' before anything has produced it", label(node, index),
                                       graph.value(id).name));
  }
  for (ValueId id : node.outputs) {
    if (id == kNoValue) continue;
    if (!in_range(graph, id))
      return malformed({}, fmt::format("{} writes value {}, which does not exist", label(node, index), id));
    if (produced[static_cast<std::size_t>(id)] && !graph.value(id).variable)
      return malformed({}, fmt::format("{} writes '{}', which has a value already", label(node, index),
                                       graph.value(id).name));
    produced[static_cast<std::size_t>(id)] = true;
  }
  return {};
}

}  // namespace

std::string_view to_string(Rules rules) {
  return rules == Rules::ArmNn ? "armnn" : "tflite";
}
std::string_view to_string(Op op) {
  return kOpNames[static_cast<std::size_t>(op)];
}
std::string_view to_string(Activation activation) {
  return kActivationNames[static_cast<std::size_t>(activation)];
}

Result<void> verify(const Graph& graph) {
  std::vector<bool> produced(graph.values.size());
  for (std::size_t i = 0; i < graph.values.size(); ++i)
    produced[i] = graph.values[i].constant.has_value() || graph.values[i].variable;
  for (const Port& port : graph.inputs) {
    if (!in_range(graph, port.value)) return malformed({}, fmt::format("input '{}' has no value", port.name));
    produced[static_cast<std::size_t>(port.value)] = true;
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    NPUBIN_CHECK(verify_node(graph, graph.nodes[i], i, produced));
  for (const Port& port : graph.outputs)
    if (!in_range(graph, port.value) || !produced[static_cast<std::size_t>(port.value)])
      return malformed({}, fmt::format("output '{}' is never produced", port.name));
  return {};
}

}  // namespace npubin::graph
