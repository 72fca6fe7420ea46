// Convolutions, products, pools, normalisations over channels, resizing, detections.
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/expansions.h"
#include "graph/nearest.h"

namespace npubin::convert {
namespace {

using namespace graph;

// Conventional place of an absent bias.
ValueId operand(const graph::Node& node, std::size_t i) {
  return i < node.inputs.size() ? node.inputs[i] : kNoValue;
}

// 64-bit biases (of int16 activations) as Arm NN's 32-bit ones, where they fit.
std::string narrow_bias(ArmnnRewrite& out, ValueId& bias) {
  if (bias == kNoValue || out.value(bias).type != DType::I64) return {};
  const Value wide = out.value(bias);
  if (!wide.constant) return "a 64-bit bias that is computed while running";
  Tensor narrow(DType::I32, wide.shape, wide.quantization);
  for (std::size_t i = 0; i < static_cast<std::size_t>(narrow.count()); ++i) {
    const std::int64_t value = wide.constant->as<std::int64_t>()[i];
    if (value < INT32_MIN || value > INT32_MAX)
      return fmt::format("a bias of {}, which 32 bits do not hold", value);
    narrow.as_mutable<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  }
  bias = out.constant(wide.name, std::move(narrow));
  return {};
}

// Rows [first, first + count) of the first dimension, with their scales.
Tensor rows_of(const Value& value, std::int64_t first, std::int64_t count) {
  const Tensor& whole = *value.constant;
  Shape shape = value.shape;
  const std::size_t row = shape[0] == 0 ? 0 : whole.byte_size() / static_cast<std::size_t>(shape[0]);
  shape[0] = count;
  Quantization q = value.quantization;
  if (q.per_axis() && q.axis == 0) {
    const auto part = [&](auto& list) {
      if (list.size() > 1) list = {list.begin() + first, list.begin() + first + count};
    };
    part(q.scales);
    part(q.zero_points);
  }
  Tensor out(value.type, shape, q);
  std::memcpy(out.mutable_data(), whole.data() + static_cast<std::size_t>(first) * row,
              static_cast<std::size_t>(count) * row);
  return out;
}

// Arm NN has no groups: each gets its part of the channels, and the results are laid side by side.
std::string grouped(ArmnnRewrite& out, const graph::Node& node, const ConvAttributes& a, ValueId bias,
                    ValueId to) {
  const ValueId x = node.inputs[0];
  const Shape in = out.value(x).shape, result = out.value(to).shape;
  const Value weights = out.value(node.inputs[1]);
  const std::int64_t each = weights.shape[3], groups = each == 0 ? 0 : in[3] / each;
  constexpr std::int64_t kMostGroups = 4096;
  if (!weights.constant || (bias != kNoValue && !out.value(bias).constant))
    return "groups with weights that are computed while running";
  if (groups <= 0 || groups > kMostGroups || in[3] % each != 0 || weights.shape[0] % groups != 0)
    return fmt::format("{} groups", groups);
  const std::int64_t channels = weights.shape[0] / groups;
  SplitAttributes split;
  split.axis = 3;
  ConcatAttributes concat;
  concat.axis = 3;
  std::vector<ValueId> parts, results;
  Shape part = in, piece = result;
  part[3] = each;
  piece[3] = channels;
  for (std::int64_t g = 0; g < groups; ++g) {
    split.sizes.push_back(each);
    split.view_origins.push_back({0, 0, 0, static_cast<std::uint32_t>(g * each)});
    concat.view_origins.push_back({0, 0, 0, static_cast<std::uint32_t>(g * channels)});
    parts.push_back(out.temporary(x, part));
    results.push_back(out.temporary(to, piece));
  }
  out.add(Op::Split, split, {x}, parts);
  for (std::int64_t g = 0; g < groups; ++g) {
    const ValueId kernel = out.constant(weights.name, rows_of(weights, g * channels, channels));
    const ValueId own = bias == kNoValue ? kNoValue
                                         : out.constant(out.value(bias).name,
                                                        rows_of(out.value(bias), g * channels, channels));
    const auto at = static_cast<std::size_t>(g);
    out.add(Op::Conv2d, a, {parts[at], kernel, own}, {results[at]});
  }
  out.add(Op::Concat, concat, results, {to});
  return {};
}

// [1,H,W,I*M] with output channel i*M+m becomes [M,I,H,W].
Tensor to_mihw(const Tensor& weights, std::int64_t multiplier) {
  const std::int64_t height = weights.dim(1), width = weights.dim(2), channels = weights.dim(3) / multiplier;
  Quantization q = weights.quantization();
  if (q.per_axis()) q.axis = 0;
  Tensor out(weights.type(), {multiplier, channels, height, width}, q);
  const std::size_t size = size_of(weights.type());
  std::size_t to = 0;
  for (std::int64_t m = 0; m < multiplier; ++m)
    for (std::int64_t i = 0; i < channels; ++i)
      for (std::int64_t p = 0; p < height * width; ++p, ++to)
        std::memcpy(
            out.mutable_data() + to * size,
            weights.data() + static_cast<std::size_t>(p * channels * multiplier + i * multiplier + m) * size,
            size);
  return out;
}

}  // namespace

std::string rewrite_conv(ArmnnRewrite& out, const graph::Node& node) {
  ConvAttributes a = node.attr<ConvAttributes>();
  ValueId bias = operand(node, 2);
  if (std::string why = narrow_bias(out, bias); !why.empty()) return why;
  const ActivationAttributes fused = std::exchange(a.activation, {});
  const ValueId to = out.before_activation(node.outputs[0], fused);
  if (out.value(node.inputs[0]).shape[3] == out.value(node.inputs[1]).shape[3])
    out.add(Op::Conv2d, a, {node.inputs[0], node.inputs[1], bias}, {to});
  else if (std::string why = grouped(out, node, a, bias, to); !why.empty())
    return why;
  out.activation(to, node.outputs[0], fused);
  return {};
}

std::string rewrite_depthwise(ArmnnRewrite& out, const graph::Node& node) {
  ConvAttributes a = node.attr<ConvAttributes>();
  const Value weights = out.value(node.inputs[1]);
  if (!weights.constant) return "weights that are computed while running";
  ValueId bias = operand(node, 2);
  if (std::string why = narrow_bias(out, bias); !why.empty()) return why;
  Tensor stored = *weights.constant;
  stored.set_quantization(weights.quantization);
  const std::string name = weights.name;
  const ValueId mihw = out.constant(name, to_mihw(stored, a.depth_multiplier));
  const ActivationAttributes fused = std::exchange(a.activation, {});
  a.depthwise_weights = DepthwiseWeights::Mihw;
  const ValueId to = out.before_activation(node.outputs[0], fused);
  out.add(Op::DepthwiseConv2d, a, {node.inputs[0], mihw, bias}, {to});
  out.activation(to, node.outputs[0], fused);
  return {};
}

// Arm NN's output is (in - 1) stride + kernel - padding; TensorFlow Lite's may be larger by what a stride
// leaves over.
std::string rewrite_transpose_conv(ArmnnRewrite& out, const graph::Node& node) {
  ConvAttributes a = node.attr<ConvAttributes>();
  const Shape in = out.value(node.inputs[2]).shape, weights = out.value(node.inputs[1]).shape,
              result = out.value(node.outputs[0]).shape;
  ValueId bias = operand(node, 3);
  if (std::string why = narrow_bias(out, bias); !why.empty()) return why;
  const std::int64_t tall = (in[1] - 1) * a.stride_y + weights[1] - a.padding.top - result[1];
  const std::int64_t wide = (in[2] - 1) * a.stride_x + weights[2] - a.padding.left - result[2];
  if (tall < 0 || wide < 0)
    return fmt::format("an output {} with rows or columns that no input reaches", npubin::to_string(result));
  a.padding.bottom = static_cast<std::uint32_t>(tall);
  a.padding.right = static_cast<std::uint32_t>(wide);
  const ActivationAttributes fused = std::exchange(a.activation, {});
  const ValueId to = out.before_activation(node.outputs[0], fused);
  out.add(Op::TransposeConv2d, a, {node.inputs[2], node.inputs[1], bias}, {to});
  out.activation(to, node.outputs[0], fused);
  return {};
}

std::string rewrite_fully_connected(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<FullyConnectedAttributes>();
  const Shape weights = out.value(node.inputs[1]).shape, result = out.value(node.outputs[0]).shape;
  if (!out.value(node.inputs[1]).constant) return "weights that are computed while running";
  ValueId bias = operand(node, 2);
  if (std::string why = narrow_bias(out, bias); !why.empty()) return why;
  const std::int64_t rows = count_of(out.value(node.inputs[0]).shape) / weights[1];
  const ValueId in = out.reshaped(node.inputs[0], {rows, weights[1]});
  const Shape flat{rows, weights[0]};
  const bool direct = result == flat;
  const ValueId shaped = out.before_activation(node.outputs[0], a.activation);
  const ValueId to = direct ? shaped : out.temporary(node.outputs[0], flat);
  FullyConnectedAttributes plain;
  plain.weights_transposed = true;
  out.add(Op::FullyConnected, plain, {in, node.inputs[1], bias}, {to});
  if (!direct) out.add(Op::Reshape, ReshapeAttributes{result}, {to}, {shaped});
  out.activation(shaped, node.outputs[0], a.activation);
  return {};
}

std::string rewrite_pool(ArmnnRewrite& out, const graph::Node& node) {
  PoolAttributes a = node.attr<PoolAttributes>();
  const ActivationAttributes fused = std::exchange(a.activation, {});
  a.padding_counts = false;
  const ValueId to = out.before_activation(node.outputs[0], fused);
  out.add(Op::Pool2d, a, {node.inputs[0]}, {to});
  out.activation(to, node.outputs[0], fused);
  return {};
}

namespace {

// Both want four dimensions with the channels last.
template <class A>
void over_channels(ArmnnRewrite& out, const graph::Node& node, Op op, const A& attributes) {
  const Shape result = out.value(node.outputs[0]).shape;
  const Shape four{1, 1, count_of(result) / result.back(), result.back()};
  if (result.size() == 4) {
    out.add(op, attributes, {node.inputs[0]}, node.outputs);
    return;
  }
  const ValueId in = out.reshaped(node.inputs[0], four), to = out.temporary(node.outputs[0], four);
  out.add(op, attributes, {in}, {to});
  out.add(Op::Reshape, ReshapeAttributes{result}, {to}, node.outputs);
}

}  // namespace

std::string rewrite_local_response(ArmnnRewrite& out, const graph::Node& node) {
  over_channels(out, node, node.op, node.attr<LocalResponseAttributes>());
  return {};
}

std::string rewrite_l2_normalization(ArmnnRewrite& out, const graph::Node& node) {
  NormalizationAttributes a = node.attr<NormalizationAttributes>();
  a.epsilon = 1e-12f;  // under the root here, beside it there
  over_channels(out, node, node.op, a);
  return {};
}

// Arm NN takes other neighbours where positions are shifted or rounded: those are gathered.
std::string rewrite_resize(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ResizeAttributes>();
  const Shape& in = out.value(node.inputs[0]).shape;
  const auto same = [&](std::size_t axis, std::int64_t to) {
    return nearest_indices(in[axis], to, a, Rules::ArmNn) == nearest_indices(in[axis], to, a, Rules::Tflite);
  };
  if (a.method == ResizeMethod::NearestNeighbor && !(same(1, a.height) && same(2, a.width)))
    return expand_nearest_resize(out, node, Rules::Tflite);
  out.add(Op::Resize, a, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_detection(ArmnnRewrite& out, const graph::Node& node) {
  if (!out.value(node.inputs[2]).constant) return "anchors that are computed while running";
  out.add(node.op, node.attributes, node.inputs, node.outputs);
  return {};
}

}  // namespace npubin::convert
