// Operators of Arm NN's rules written as several others of those rules: for targets that lack them.
//
// Each gives what the operator gives: values are equal, float ones up to the rounding of reordered sums;
// exceptions are named beside the function. The string says why it cannot be done; empty: it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {

// One element per dimension that stands for real 0 in the type and scale of `like`.
graph::ValueId zero_like(ArmnnRewrite& out, graph::ValueId like);
// A float32 constant with one element per dimension.
graph::ValueId float_like(ArmnnRewrite& out, std::size_t rank, float value);

// max(x, 0) + alpha * min(x, 0). One of the two addends is 0, so that codes come out to the byte as well.
std::string expand_prelu(ArmnnRewrite& out, const graph::Node& node);
// Reshapes and a Concat.
std::string expand_stack(ArmnnRewrite& out, const graph::Node& node);
// A StridedSlice.
std::string expand_slice(ArmnnRewrite& out, const graph::Node& node);
// A StridedSlice per result.
std::string expand_split(ArmnnRewrite& out, const graph::Node& node);
// NHWC: through batches, which BatchToSpaceNd and SpaceToBatchNd turn into places and back.
std::string expand_depth_to_space(ArmnnRewrite& out, const graph::Node& node);
std::string expand_space_to_depth(ArmnnRewrite& out, const graph::Node& node);
// Nearest neighbours under either format's rules (`rules`): a Gather along each axis.
std::string expand_nearest_resize(ArmnnRewrite& out, const graph::Node& node, graph::Rules rules);
// Mean, variance, reciprocal root: float only.
std::string expand_instance_normalization(ArmnnRewrite& out, const graph::Node& node);
// Abs, Sqrt and Neg are activations; exp(x) = sigmoid(x) / sigmoid(-x), float only.
std::string expand_unary(ArmnnRewrite& out, const graph::Node& node);
// HardSwish and Elu from older functions, float only; any other stays.
std::string expand_activation(ArmnnRewrite& out, const graph::Node& node);
// Less, GreaterOrEqual, LessOrEqual and NotEqual by Equal and Greater. NotEqual of a NaN gives false.
std::string expand_comparison(ArmnnRewrite& out, const graph::Node& node);
// From codes to codes: a linear activation of slope 1.
std::string expand_requantization(ArmnnRewrite& out, const graph::Node& node);

// A dilated convolution as one with zeros between its weights.
std::string expand_dilation(ArmnnRewrite& out, const graph::Node& node);
// Padding with any value: constants are concatenated.
std::string expand_pad(ArmnnRewrite& out, const graph::Node& node);
// x / sqrt(max(sum of squares, epsilon)): float only.
std::string expand_l2_normalization(ArmnnRewrite& out, const graph::Node& node);

// output[..., i, ...] = input[..., indices[i], ...] along `axis`: Arm NN's Gather takes the first dimension
// only, others are brought there by transpositions.
void gather_along(ArmnnRewrite& out, graph::ValueId input, std::size_t axis,
                  const std::vector<std::int32_t>& indices, graph::ValueId output);

}  // namespace npubin::convert
