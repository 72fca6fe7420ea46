#include "formats/armnn/type_rules.h"

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

using namespace npubin::graph;

constexpr unsigned bit(DType type) {
  return 1u << static_cast<unsigned>(type);
}
// armnn spec 3, "Types accepted".
constexpr unsigned kFloats = bit(DType::F32) | bit(DType::F16) | bit(DType::BF16);
constexpr unsigned kNumbers = kFloats | bit(DType::U8) | bit(DType::I8) | bit(DType::I16);
constexpr unsigned kWithSigned32 = kNumbers | bit(DType::I32);
constexpr unsigned kLogical = bit(DType::Bool);
constexpr unsigned kAll = ~0u;

// How the types of a layer's tensors hang together.
enum class Agreement : std::uint8_t {
  All,        // all operands and results alike
  Operands,   // operands alike; the result is Boolean
  FirstOnly,  // the result is of the first operand's type; the second has a type of its own
  Weighted,   // weights and bias by the input's type
  Free,       // as the layer says
};

struct Row {
  Op op;
  unsigned accepted;  // types of the first operand
  Agreement agreement;
};

constexpr Row kRows[] = {
    {Op::Add, kWithSigned32, Agreement::All},
    {Op::Sub, kWithSigned32, Agreement::All},
    {Op::Mul, kWithSigned32, Agreement::All},
    {Op::Div, kWithSigned32, Agreement::All},
    {Op::Minimum, kWithSigned32, Agreement::All},
    {Op::Maximum, kWithSigned32, Agreement::All},
    {Op::Equal, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::NotEqual, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::Greater, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::GreaterEqual, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::Less, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::LessEqual, kWithSigned32 | kLogical, Agreement::Operands},
    {Op::LogicalAnd, kLogical, Agreement::All},
    {Op::LogicalOr, kLogical, Agreement::All},
    {Op::LogicalNot, kLogical, Agreement::All},
    {Op::Abs, kWithSigned32, Agreement::All},
    {Op::Neg, kWithSigned32, Agreement::All},
    {Op::Exp, kNumbers, Agreement::All},
    {Op::Sqrt, kNumbers, Agreement::All},
    {Op::Rsqrt, kNumbers, Agreement::All},
    {Op::Floor, kFloats, Agreement::All},
    {Op::Activation, kNumbers, Agreement::All},
    {Op::Prelu, kNumbers, Agreement::All},
    {Op::Softmax, kNumbers, Agreement::All},
    {Op::LogSoftmax, kFloats, Agreement::All},
    {Op::LocalResponseNormalization, kNumbers, Agreement::All},
    {Op::L2Normalization, kNumbers, Agreement::All},
    {Op::InstanceNormalization, kFloats, Agreement::All},
    {Op::BatchNormalization, kNumbers, Agreement::FirstOnly},
    {Op::Pool2d, kNumbers, Agreement::All},
    {Op::Conv2d, kNumbers, Agreement::Weighted},
    {Op::DepthwiseConv2d, kNumbers, Agreement::Weighted},
    {Op::TransposeConv2d, kNumbers, Agreement::Weighted},
    {Op::FullyConnected, kNumbers, Agreement::Weighted},
    {Op::Reduce, kNumbers, Agreement::All},
    {Op::Resize, kNumbers, Agreement::All},
    {Op::Pad, kNumbers, Agreement::All},
    {Op::Transpose, kNumbers, Agreement::All},
    {Op::Concat, kNumbers, Agreement::All},
    {Op::Split, kNumbers, Agreement::All},
    {Op::Stack, kNumbers, Agreement::All},
    {Op::Slice, kWithSigned32, Agreement::All},
    {Op::StridedSlice, kWithSigned32, Agreement::All},
    {Op::Reshape, kWithSigned32 | kLogical, Agreement::All},
    {Op::SpaceToBatchNd, kNumbers, Agreement::All},
    {Op::BatchToSpaceNd, kNumbers, Agreement::All},
    {Op::SpaceToDepth, kNumbers, Agreement::All},
    {Op::DepthToSpace, kNumbers, Agreement::All},
    {Op::Gather, kWithSigned32, Agreement::FirstOnly},
    {Op::Quantize, kNumbers, Agreement::Free},
    {Op::Dequantize, kNumbers, Agreement::Free},
    {Op::ArgMinMax, kWithSigned32, Agreement::Free},
    {Op::Cast, kAll, Agreement::Free},
};

void must_equal(const Value& a, const Value& b, const char* what, std::vector<TypeFinding>& out) {
  if (a.type != b.type)
    out.push_back({true, fmt::format("the {} is {}, the first operand {}", what, to_string(b.type),
                                     to_string(a.type))});
}

void check_weighted(const Graph& graph, const Node& node, std::vector<TypeFinding>& out) {
  if (node.inputs.size() < 2) return;  // reported by the rules of shapes
  const Value &input = graph.value(node.inputs[0]), &weights = graph.value(node.inputs[1]);
  if (is_float(input.type) || is_float(weights.type)) {
    must_equal(input, weights, "weight", out);
  } else if (weights.type != DType::I8 && weights.type != input.type) {
    out.push_back({true, fmt::format("weights of type {} for an input of type {}", to_string(weights.type),
                                     to_string(input.type))});
  }
  if (node.inputs.size() < 3 || node.inputs[2] == kNoValue) return;
  const Value& bias = graph.value(node.inputs[2]);
  if (bias.type != (is_float(input.type) ? input.type : DType::I32))
    out.push_back({true, fmt::format("a bias of type {} for an input of type {}", to_string(bias.type),
                                     to_string(input.type))});
}

void check_agreement(const Graph& graph, const Node& node, Agreement agreement,
                     std::vector<TypeFinding>& out) {
  const Value& first = graph.value(node.inputs[0]);
  if (agreement == Agreement::All || agreement == Agreement::Operands)
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
      must_equal(first, graph.value(node.inputs[i]), "other operand", out);
  if (agreement == Agreement::Weighted) check_weighted(graph, node, out);
  if (agreement == Agreement::Free) return;
  for (ValueId id : node.outputs) {
    const Value& result = graph.value(id);
    if (agreement != Agreement::Operands)
      must_equal(first, result, "result", out);
    else if (result.type != DType::Bool)
      out.push_back(
          {true, fmt::format("the result of a comparison is {}, not Boolean", to_string(result.type))});
  }
}

}  // namespace

std::vector<TypeFinding> check_types(const Graph& graph, const graph::Node& node) {
  std::vector<TypeFinding> out;
  if (node.inputs.empty()) return out;
  for (const Row& row : kRows) {
    if (row.op != node.op) continue;
    const Value& first = graph.value(node.inputs[0]);
    if ((row.accepted & bit(first.type)) == 0)
      out.push_back({false, fmt::format("Arm NN 20.08's reference backend has no {} for {}", node.source_type,
                                        to_string(first.type))});
    check_agreement(graph, node, row.agreement, out);
  }
  if (node.op == Op::Gather && node.inputs.size() > 1 && graph.value(node.inputs[1]).type != DType::I32)
    out.push_back(
        {true, fmt::format("the indices are {}, not Signed32", to_string(graph.value(node.inputs[1]).type))});
  return out;
}

}  // namespace npubin::armnn
