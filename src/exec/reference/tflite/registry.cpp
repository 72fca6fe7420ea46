// The reference kernels of TensorFlow Lite's rules: one row per operator.
#include "exec/kernel.h"
#include "exec/reference/tflite/kernels.h"
#include "graph/tflite/rules.h"

namespace npubin::exec {
namespace {

using graph::Op;
using namespace tflite;

// Faults were reported by whoever built the graph; here they keep the kernels from running on what they rely
// on.
std::string limits(const graph::Graph& graph, const graph::Node& node) {
  const graph::RuleBreach breach = graph::tflite_breach(graph, node);
  return breach.kind == graph::RuleBreach::Kind::Odd ? std::string() : breach.text;
}

constexpr KernelRow kRows[] = {
    {Op::Conv2d, run_conv, limits},
    {Op::DepthwiseConv2d, run_depthwise, limits},
    {Op::TransposeConv2d, run_transpose_conv, limits},
    {Op::FullyConnected, run_fully_connected, limits},
    {Op::BatchMatMul, run_batch_matmul, limits},
    {Op::Pool2d, run_pool, limits},
    {Op::LocalResponseNormalization, run_local_response, limits},
    {Op::Add, run_add_sub, limits},
    {Op::Sub, run_add_sub, limits},
    {Op::Mul, run_mul, limits},
    {Op::Div, run_div, limits},
    {Op::Minimum, run_min_max, limits},
    {Op::Maximum, run_min_max, limits},
    {Op::Pow, run_pow_floor, limits},
    {Op::SquaredDifference, run_squared_difference, limits},
    {Op::FloorDiv, run_pow_floor, limits},
    {Op::FloorMod, run_pow_floor, limits},
    {Op::Equal, run_comparison, limits},
    {Op::NotEqual, run_comparison, limits},
    {Op::Greater, run_comparison, limits},
    {Op::GreaterEqual, run_comparison, limits},
    {Op::Less, run_comparison, limits},
    {Op::LessEqual, run_comparison, limits},
    {Op::LogicalAnd, run_logical, limits},
    {Op::LogicalOr, run_logical, limits},
    {Op::Abs, run_unary, limits},
    {Op::Neg, run_unary, limits},
    {Op::Exp, run_unary, limits},
    {Op::Log, run_unary, limits},
    {Op::Sqrt, run_unary, limits},
    {Op::Rsqrt, run_unary, limits},
    {Op::Square, run_unary, limits},
    {Op::Floor, run_unary, limits},
    {Op::Ceil, run_unary, limits},
    {Op::Round, run_unary, limits},
    {Op::Sin, run_unary, limits},
    {Op::Cos, run_unary, limits},
    {Op::LogicalNot, run_unary, limits},
    {Op::Activation, run_activation, limits},
    {Op::Prelu, run_prelu, limits},
    {Op::Select, run_select, limits},
    {Op::Softmax, run_softmax, limits},
    {Op::LogSoftmax, run_log_softmax, limits},
    {Op::L2Normalization, run_l2_normalization, limits},
    {Op::Reduce, run_reduce, limits},
    {Op::ArgMinMax, run_arg_min_max, limits},
    {Op::Quantize, run_quantize, limits},
    {Op::Dequantize, run_dequantize, limits},
    {Op::Cast, run_cast, limits},
    {Op::Reshape, run_reshape, limits},
    {Op::Transpose, run_transpose, limits},
    {Op::Concat, run_concat, limits},
    {Op::Split, run_split, limits},
    {Op::Slice, run_slice, limits},
    {Op::StridedSlice, run_strided_slice, limits},
    {Op::Pad, run_pad, limits},
    {Op::Tile, run_tile, limits},
    {Op::Gather, run_gather, limits},
    {Op::GatherNd, run_gather_nd, limits},
    {Op::Stack, run_stack, limits},
    {Op::Unstack, run_unstack, limits},
    {Op::Fill, run_fill, limits},
    {Op::Shape, run_shape, limits},
    {Op::Rank, run_shape, limits},
    {Op::Range, run_range, limits},
    {Op::Resize, run_resize, limits},
    {Op::SpaceToBatchNd, run_space_batch, limits},
    {Op::BatchToSpaceNd, run_space_batch, limits},
    {Op::SpaceToDepth, run_space_depth, limits},
    {Op::DepthToSpace, run_space_depth, limits},
    {Op::Svdf, run_svdf, limits},
    {Op::DetectionPostProcess, run_detection, limits},
};

}  // namespace

std::span<const KernelRow> tflite_reference_kernels() {
  return kRows;
}

}  // namespace npubin::exec
