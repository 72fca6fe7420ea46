#include "formats/armnn/shapes.h"

#include <fmt/format.h>

#include "formats/armnn/shape_rules.h"

namespace npubin::armnn {
namespace {

using namespace npubin::graph;

struct ShapeRow {
  Op op;
  ShapeRule rule;
  std::size_t operands;  // that must be there
};

constexpr ShapeRow kShapeRules[] = {
    {Op::Add, shape_rules::broadcast, 2},
    {Op::Sub, shape_rules::broadcast, 2},
    {Op::Mul, shape_rules::broadcast, 2},
    {Op::Div, shape_rules::broadcast, 2},
    {Op::Minimum, shape_rules::broadcast, 2},
    {Op::Maximum, shape_rules::broadcast, 2},
    {Op::Pow, shape_rules::broadcast, 2},
    {Op::SquaredDifference, shape_rules::broadcast, 2},
    {Op::FloorDiv, shape_rules::broadcast, 2},
    {Op::Equal, shape_rules::broadcast, 2},
    {Op::NotEqual, shape_rules::broadcast, 2},
    {Op::Greater, shape_rules::broadcast, 2},
    {Op::GreaterEqual, shape_rules::broadcast, 2},
    {Op::Less, shape_rules::broadcast, 2},
    {Op::LessEqual, shape_rules::broadcast, 2},
    {Op::LogicalAnd, shape_rules::broadcast, 2},
    {Op::LogicalOr, shape_rules::broadcast, 2},
    {Op::Prelu, shape_rules::broadcast, 2},
    {Op::Abs, shape_rules::same, 1},
    {Op::Neg, shape_rules::same, 1},
    {Op::Exp, shape_rules::same, 1},
    {Op::Log, shape_rules::same, 1},
    {Op::Sqrt, shape_rules::same, 1},
    {Op::Rsqrt, shape_rules::same, 1},
    {Op::Sin, shape_rules::same, 1},
    {Op::Ceil, shape_rules::same, 1},
    {Op::LogicalNot, shape_rules::same, 1},
    {Op::Floor, shape_rules::same, 1},
    {Op::Activation, shape_rules::same, 1},
    {Op::Softmax, shape_rules::softmax, 1},
    {Op::LogSoftmax, shape_rules::softmax, 1},
    {Op::Quantize, shape_rules::same, 1},
    {Op::Dequantize, shape_rules::same, 1},
    {Op::Cast, shape_rules::same, 1},
    {Op::LocalResponseNormalization, shape_rules::same_rank4, 1},
    {Op::L2Normalization, shape_rules::same, 1},
    {Op::InstanceNormalization, shape_rules::same_rank4, 1},
    {Op::BatchNormalization, shape_rules::batch_normalization, 5},
    {Op::Conv2d, shape_rules::convolution, 2},
    {Op::DepthwiseConv2d, shape_rules::depthwise_convolution, 2},
    {Op::TransposeConv2d, shape_rules::transpose_convolution, 2},
    {Op::FullyConnected, shape_rules::fully_connected, 2},
    {Op::Pool2d, shape_rules::pooling, 1},
    {Op::Reshape, shape_rules::reshape, 1},
    {Op::Transpose, shape_rules::transpose, 1},
    {Op::Concat, shape_rules::concat, 1},
    {Op::Split, shape_rules::split, 1},
    {Op::Slice, shape_rules::slice, 1},
    {Op::StridedSlice, shape_rules::strided_slice, 1},
    {Op::Pad, shape_rules::pad, 1},
    {Op::Gather, shape_rules::gather, 2},
    {Op::Stack, shape_rules::stack, 1},
    {Op::Tile, shape_rules::tile, 1},
    {Op::Reduce, shape_rules::reduce, 1},
    {Op::ArgMinMax, shape_rules::arg_min_max, 1},
    {Op::Resize, shape_rules::resize, 1},
    {Op::SpaceToBatchNd, shape_rules::space_to_batch, 1},
    {Op::BatchToSpaceNd, shape_rules::batch_to_space, 1},
    {Op::SpaceToDepth, shape_rules::space_to_depth, 1},
    {Op::DepthToSpace, shape_rules::depth_to_space, 1},
};

}  // namespace

Result<std::vector<Shape>> infer_shapes(const Graph& graph, const graph::Node& node) {
  for (const ShapeRow& row : kShapeRules) {
    if (row.op != node.op) continue;
    if (node.inputs.size() < row.operands)
      return malformed({}, fmt::format("it needs {} operands", row.operands));
    return row.rule(ShapeQuestion{graph, node});
  }
  return std::vector<Shape>();
}

}  // namespace npubin::armnn
