// The reference kernels of Arm NN's rules: one row per operator. Layer types that are not here (Reduce other
// than Mean, Cast, LogicalBinary, ...) have no conformance case and no peer to check against: they are
// refused.
#include "exec/reference/armnn/kernels.h"

namespace npubin::exec {

using graph::Op;

std::span<const KernelRow> armnn_reference_kernels() {
  using namespace armnn;
  static constexpr KernelRow kRows[] = {
      {Op::Conv2d, conv2d, conv2d_limits},
      {Op::DepthwiseConv2d, depthwise_conv2d, depthwise_conv2d_limits},
      {Op::TransposeConv2d, transpose_conv2d, transpose_conv2d_limits},
      {Op::FullyConnected, fully_connected, fully_connected_limits},
      {Op::Pool2d, pool2d, pool2d_limits},
      {Op::LocalResponseNormalization, local_response_normalization, local_response_normalization_limits},
      {Op::L2Normalization, l2_normalization, l2_normalization_limits},
      {Op::BatchNormalization, batch_normalization, batch_normalization_limits},
      {Op::InstanceNormalization, instance_normalization, instance_normalization_limits},
      {Op::Add, binary, binary_limits},
      {Op::Sub, binary, binary_limits},
      {Op::Mul, binary, binary_limits},
      {Op::Div, binary, binary_limits},
      {Op::Minimum, binary, binary_limits},
      {Op::Maximum, binary, binary_limits},
      {Op::Equal, comparison, comparison_limits},
      {Op::NotEqual, comparison, comparison_limits},
      {Op::Greater, comparison, comparison_limits},
      {Op::GreaterEqual, comparison, comparison_limits},
      {Op::Less, comparison, comparison_limits},
      {Op::LessEqual, comparison, comparison_limits},
      {Op::Abs, unary, unary_limits},
      {Op::Neg, unary, unary_limits},
      {Op::Exp, unary, unary_limits},
      {Op::Sqrt, unary, unary_limits},
      {Op::Rsqrt, unary, unary_limits},
      {Op::Floor, unary, unary_limits},
      {Op::Activation, activation, activation_limits},
      {Op::Prelu, prelu, prelu_limits},
      {Op::Softmax, softmax, softmax_limits},
      {Op::LogSoftmax, softmax, softmax_limits},
      {Op::Reduce, reduce, reduce_limits},
      {Op::ArgMinMax, arg_min_max, arg_min_max_limits},
      {Op::Quantize, quantize, quantize_limits},
      {Op::Dequantize, dequantize, dequantize_limits},
      {Op::Reshape, reshape, reshape_limits},
      {Op::Transpose, transpose, transpose_limits},
      {Op::Concat, concat, concat_limits},
      {Op::Split, split, split_limits},
      {Op::Slice, slice, slice_limits},
      {Op::StridedSlice, strided_slice, strided_slice_limits},
      {Op::Pad, pad, pad_limits},
      {Op::Gather, gather, gather_limits},
      {Op::Stack, stack, stack_limits},
      {Op::Fill, fill_layer, fill_layer_limits},
      {Op::Rank, rank, rank_limits},
      {Op::Resize, resize, resize_limits},
      {Op::SpaceToBatchNd, space_to_batch, space_to_batch_limits},
      {Op::BatchToSpaceNd, batch_to_space, batch_to_space_limits},
      {Op::SpaceToDepth, space_to_depth, space_to_depth_limits},
      {Op::DepthToSpace, depth_to_space, depth_to_space_limits},
  };
  return kRows;
}

}  // namespace npubin::exec
