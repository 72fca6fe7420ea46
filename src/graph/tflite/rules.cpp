#include "graph/tflite/rules.h"

#include "graph/tflite/node_view.h"

namespace npubin::graph {

bool same_codes(const Quantization& a, const Quantization& b) {
  return a.scale() == b.scale() && a.zero_point() == b.zero_point();
}

RuleBreach same_type(const Value& a, const Value& b) {
  if (a.type == b.type) return {};
  return fault("TFL-0205",
               fmt::format("'{}' is {} and '{}' is {}", a.name, to_string(a.type), b.name, to_string(b.type)),
               "their types must agree");
}

RuleBreach type_among(const Value& value, std::initializer_list<DType> types) {
  if (one_of(value.type, types)) return {};
  return not_computed(fmt::format("'{}' is {}", value.name, to_string(value.type)));
}

RuleBreach quantized(const Value& value, bool zero_16) {
  if (!is_code(value.type)) return {};
  if (!value.quantization.present())
    return fault("TFL-0207",
                 fmt::format("'{}' is {} and has no quantisation", value.name, to_string(value.type)),
                 "codes mean nothing without scale and zero point");
  if (zero_16 && value.type == DType::I16 && value.quantization.zero_point() != 0)
    return fault("TFL-0207",
                 fmt::format("'{}' is int16 with zero point {}", value.name, value.quantization.zero_point()),
                 "int16 codes have zero point 0");
  return {};
}

RuleBreach same_quantization(const Value& a, const Value& b) {
  if (!is_code(a.type) || same_codes(a.quantization, b.quantization)) return {};
  return fault(
      "TFL-0207",
      fmt::format("'{}' has scale {} and zero point {}, '{}' has {} and {}", a.name, a.quantization.scale(),
                  a.quantization.zero_point(), b.name, b.quantization.scale(), b.quantization.zero_point()),
      "the operator does not rescale; both must be the same");
}

RuleBreach shape_is(const Value& output, const Shape& expected) {
  if (output.shape == expected) return {};
  return fault("TFL-0208",
               fmt::format("its output '{}' is declared as {}, but comes out as {}", output.name,
                           to_string(output.shape), to_string(expected)),
               "models with dynamic shapes must be made static first");
}

RuleBreach rank_is(const Value& value, std::size_t rank) {
  if (value.shape.size() == rank) return {};
  return fault("TFL-0206", fmt::format("'{}' has the shape {}; {} dimensions are needed", value.name,
                                       to_string(value.shape), rank));
}

RuleBreach broadcast(const Shape& a, const Shape& b, Shape& out) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  out = longer;
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const std::int64_t x = longer[i + shift], y = shorter[i];
    if (x != y && x != 1 && y != 1)
      return fault("TFL-0206", fmt::format("{} and {} do not broadcast", to_string(a), to_string(b)));
    out[i + shift] = x == 1 ? y : x;
  }
  return {};
}

RuleBreach tflite_breach(const Graph& graph, const Node& node) {
  const NodeView view(graph, node);
  switch (node.op) {
    case Op::Conv2d:
    case Op::DepthwiseConv2d:
      return check_conv(view);
    case Op::TransposeConv2d:
      return check_transpose_conv(view);
    case Op::FullyConnected:
      return check_fully_connected(view);
    case Op::BatchMatMul:
      return check_batch_matmul(view);
    case Op::Pool2d:
      return check_pool(view);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Minimum:
    case Op::Maximum:
    case Op::Pow:
    case Op::SquaredDifference:
    case Op::FloorDiv:
    case Op::FloorMod:
      return check_binary(view);
    case Op::Equal:
    case Op::NotEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::LogicalAnd:
    case Op::LogicalOr:
      return check_comparison(view);
    case Op::Abs:
    case Op::Neg:
    case Op::Exp:
    case Op::Log:
    case Op::Sqrt:
    case Op::Rsqrt:
    case Op::Square:
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Sin:
    case Op::Cos:
    case Op::LogicalNot:
      return check_unary(view);
    case Op::Activation:
      return check_activation(view);
    case Op::Prelu:
      return check_prelu(view);
    case Op::Select:
      return check_select(view);
    case Op::Softmax:
    case Op::LogSoftmax:
    case Op::L2Normalization:
    case Op::LocalResponseNormalization:
      return check_along_axis(view);
    case Op::Reduce:
      return check_reduce(view);
    case Op::ArgMinMax:
      return check_arg(view);
    case Op::Quantize:
    case Op::Dequantize:
    case Op::Cast:
      return check_conversion(view);
    case Op::Reshape:
      return check_reshape(view);
    case Op::Transpose:
      return check_transpose(view);
    case Op::Concat:
      return check_concat(view);
    case Op::Split:
      return check_split(view);
    case Op::Slice:
      return check_slice(view);
    case Op::StridedSlice:
      return check_strided_slice(view);
    case Op::Pad:
      return check_pad(view);
    case Op::Tile:
      return check_tile(view);
    case Op::Gather:
      return check_gather(view);
    case Op::GatherNd:
      return check_gather_nd(view);
    case Op::Stack:
    case Op::Unstack:
      return check_stack(view);
    case Op::Fill:
    case Op::Shape:
    case Op::Rank:
    case Op::Range:
      return check_generator(view);
    case Op::Resize:
      return check_resize(view);
    case Op::SpaceToBatchNd:
    case Op::BatchToSpaceNd:
      return check_space_batch(view);
    case Op::SpaceToDepth:
    case Op::DepthToSpace:
      return check_space_depth(view);
    case Op::Svdf:
      return check_svdf(view);
    case Op::DetectionPostProcess:
      return check_detection(view);
    default:
      return {};
  }
}

}  // namespace npubin::graph
