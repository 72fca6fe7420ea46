// Convolutions, products, pools and what works on whole channels.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "convert/tflite/lowering.h"
#include "graph/nearest.h"

namespace npubin::convert {
namespace {

using graph::DataLayout;
using graph::Node;

constexpr double kSame = 0, kValid = 1;  // enum Padding of the schema

Result<void> need_nhwc(DataLayout layout) {
  if (layout == DataLayout::Nchw) return refused("the NCHW layout");
  return {};
}

Result<void> need_constant(const TfliteLowering& out, graph::ValueId id) {
  if (!out.value(id).constant) return refused("weights that are computed at run time");
  return {};
}

// One axis of a window: does TensorFlow Lite's padding rule put it where the graph does? tflite spec 2.
struct Axis {
  std::int64_t in, out, kernel, stride, before;
  bool same() const {
    const std::int64_t total = std::max<std::int64_t>((out - 1) * stride + kernel - in, 0);
    return out == (in + stride - 1) / stride && before == total / 2;
  }
  bool valid() const { return before == 0 && in >= kernel && out == (in - kernel + stride) / stride; }
};

// Elements of a constant, permuted: output dimension d is input dimension order[d].
Tensor permuted(const Tensor& from, const std::vector<std::size_t>& order, const Shape& shape) {
  std::vector<std::int64_t> strides(from.rank(), 1), index(from.rank(), 0);
  for (std::size_t d = from.rank(); d-- > 1;) strides[d - 1] = strides[d] * from.dim(d);
  Tensor to(from.type(), shape, from.quantization());
  const std::size_t element = size_of(from.type());
  for (std::int64_t i = 0; i < from.count(); ++i) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < order.size(); ++d) at += index[d] * strides[order[d]];
    std::memcpy(to.mutable_data() + static_cast<std::size_t>(i) * element,
                from.data() + static_cast<std::size_t>(at) * element, element);
    for (std::size_t d = order.size(); d-- > 0;) {
      if (++index[d] < from.dim(order[d])) break;
      index[d] = 0;
    }
  }
  return to;
}

// Padding that is neither SAME nor VALID becomes a PAD before the window (zero in real terms: PAD fills with
// the zero point).
std::int32_t padded_input(TfliteLowering& out, graph::ValueId id, const graph::Padding& p) {
  const Shape& in = out.value(id).shape;
  const Shape shape{in[0], in[1] + p.top + p.bottom, in[2] + p.left + p.right, in[3]};
  const std::int32_t to = out.temporary(id, shape);
  Tensor pads(DType::I32, {4, 2});
  const std::int32_t values[] = {0,
                                 0,
                                 static_cast<std::int32_t>(p.top),
                                 static_cast<std::int32_t>(p.bottom),
                                 static_cast<std::int32_t>(p.left),
                                 static_cast<std::int32_t>(p.right),
                                 0,
                                 0};
  std::copy(std::begin(values), std::end(values), pads.as_mutable<std::int32_t>().begin());
  out.op("PAD", "PadOptions", {id, out.constant("pads", pads)}, {to}, {});
  return to;
}

struct Window {
  std::int32_t input = 0;
  double padding = kValid;
};

Window window(TfliteLowering& out, const Node& node, std::int64_t kernel_y, std::int64_t kernel_x,
              const graph::ConvAttributes& a) {
  const Shape& in = out.value(node.inputs[0]).shape;
  const Shape& to = out.value(node.outputs[0]).shape;
  const Axis y{in[1], to[1], (kernel_y - 1) * a.dilation_y + 1, a.stride_y, a.padding.top};
  const Axis x{in[2], to[2], (kernel_x - 1) * a.dilation_x + 1, a.stride_x, a.padding.left};
  if (y.valid() && x.valid()) return {node.inputs[0], kValid};
  if (y.same() && x.same()) return {node.inputs[0], kSame};
  return {padded_input(out, node.inputs[0], a.padding), kValid};
}

std::vector<std::int32_t> with_bias(const Node& node, std::int32_t input, std::int32_t weights) {
  std::vector<std::int32_t> operands{input, weights};
  operands.push_back(node.inputs.size() > 2 ? node.inputs[2] : -1);
  return operands;
}

// A bias of zeros where the operator insists on one.
std::int32_t bias_or_zeros(TfliteLowering& out, const Node& node, std::int64_t channels) {
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) return node.inputs[2];
  const graph::Value& input = out.value(node.inputs[0]);
  const graph::Value& weights = out.value(node.inputs[1]);
  Tensor zeros(is_float(input.type) ? DType::F32 : DType::I32, {channels});
  if (input.quantization.present()) {
    Quantization q{weights.quantization.scales, {0}, 0};
    for (float& scale : q.scales) scale *= input.quantization.scale();
    zeros.set_quantization(std::move(q));
  }
  return out.constant("bias", zeros);
}

}  // namespace

Result<void> lower_conv(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::ConvAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  const Shape& w = out.value(node.inputs[1]).shape;
  const Window at = window(out, node, w[1], w[2], a);
  std::vector<std::int32_t> operands{at.input, node.inputs[1], bias_or_zeros(out, node, w[0])};
  out.op("CONV_2D", "Conv2DOptions", operands, {node.outputs[0]},
         {{"padding", at.padding},
          {"stride_w", a.stride_x},
          {"stride_h", a.stride_y},
          {"fused_activation_function", activation},
          {"dilation_w_factor", a.dilation_x},
          {"dilation_h_factor", a.dilation_y}})
      .version = 3;
  return {};
}

Result<void> lower_depthwise(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::ConvAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  std::int32_t weights = node.inputs[1];
  Shape w = out.value(node.inputs[1]).shape;
  if (a.depthwise_weights == graph::DepthwiseWeights::Mihw) {
    // [M,I,H,W] to [1,H,W,I*M]; scales are in output-channel order already (armnn spec 5).
    NPUBIN_CHECK(need_constant(out, node.inputs[1]));
    w = {1, w[2], w[3], w[0] * w[1]};
    Tensor turned = permuted(*out.value(node.inputs[1]).constant, {2, 3, 1, 0}, w);
    Quantization q = out.value(node.inputs[1]).quantization;
    q.axis = 3;
    turned.set_quantization(std::move(q));
    weights = out.constant(out.value(node.inputs[1]).name, turned);
  }
  const std::int64_t channels = out.value(node.inputs[0]).shape[3];
  const std::int64_t multiplier = channels == 0 ? 1 : w[3] / channels;
  const Window at = window(out, node, w[1], w[2], a);
  out.op("DEPTHWISE_CONV_2D", "DepthwiseConv2DOptions", {at.input, weights, bias_or_zeros(out, node, w[3])},
         {node.outputs[0]},
         {{"padding", at.padding},
          {"stride_w", a.stride_x},
          {"stride_h", a.stride_y},
          {"depth_multiplier", static_cast<double>(multiplier)},
          {"fused_activation_function", activation},
          {"dilation_w_factor", a.dilation_x},
          {"dilation_h_factor", a.dilation_y}})
      .version = 3;
  return {};
}

Result<void> lower_transpose_conv(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::ConvAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  // TensorFlow Lite's own nodes have the output's shape in front.
  const bool own = node.rules == graph::Rules::Tflite;
  const graph::ValueId input = node.inputs[own ? 2 : 0];
  const std::size_t bias = own ? 3 : 2;
  const Shape& w = out.value(node.inputs[1]).shape;
  const Shape& in = out.value(input).shape;
  const Shape& to = out.value(node.outputs[0]).shape;
  // The padding is that of the forward convolution over the output's size.
  const Axis y{to[1], in[1], w[1], a.stride_y, a.padding.top},
      x{to[2], in[2], w[2], a.stride_x, a.padding.left};
  const bool valid = y.valid() && x.valid();
  if (!valid && !(y.same() && x.same())) return refused("padding that is neither SAME nor VALID");
  const std::int32_t shape = out.ints("output_shape", {to.begin(), to.end()});
  std::vector<std::int32_t> operands{shape, node.inputs[1], input};
  if (node.inputs.size() > bias && node.inputs[bias] != graph::kNoValue)
    operands.push_back(node.inputs[bias]);
  out.op("TRANSPOSE_CONV", "TransposeConvOptions", operands, {node.outputs[0]},
         {{"padding", valid ? kValid : kSame},
          {"stride_w", a.stride_x},
          {"stride_h", a.stride_y},
          {"fused_activation_function", activation}})
      .version = 3;
  return {};
}

Result<void> lower_fully_connected(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::FullyConnectedAttributes>();
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  std::int32_t weights = node.inputs[1];
  if (!a.weights_transposed) {
    NPUBIN_CHECK(need_constant(out, node.inputs[1]));
    const Tensor& w = *out.value(node.inputs[1]).constant;
    Tensor turned = permuted(w, {1, 0}, {w.dim(1), w.dim(0)});
    turned.set_quantization(out.value(node.inputs[1]).quantization);
    weights = out.constant(out.value(node.inputs[1]).name, turned);
  }
  out.op("FULLY_CONNECTED", "FullyConnectedOptions", with_bias(node, node.inputs[0], weights),
         {node.outputs[0]},
         {{"fused_activation_function", activation}, {"keep_num_dims", a.keep_num_dims ? 1.0 : 0.0}})
      .version = 4;
  return {};
}

Result<void> lower_pool(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::PoolAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  const Shape& in = out.value(node.inputs[0]).shape;
  const Shape& to = out.value(node.outputs[0]).shape;
  const bool global = a.stride_y == 0 && a.stride_x == 0;
  const std::int64_t size_y = a.size_y, size_x = a.size_x;
  if (size_y == 0 || size_x == 0) return refused("a pool without a window, in which Arm NN finds nothing");
  const std::int64_t stride_y = global ? 1 : a.stride_y, stride_x = global ? 1 : a.stride_x;
  const Axis y{in[1], to[1], size_y, stride_y, a.padding.top},
      x{in[2], to[2], size_x, stride_x, a.padding.left};
  const bool valid = y.valid() && x.valid(), same = y.same() && x.same();
  if (!valid && !same) return refused("pooling padding that is neither SAME nor VALID");
  if (!valid && a.padding_counts && a.algorithm != graph::PoolAlgorithm::Max)
    return refused("pooling in which padding counts");
  constexpr const char* kNames[] = {"MAX_POOL_2D", "AVERAGE_POOL_2D", "L2_POOL_2D"};
  out.op(kNames[static_cast<std::size_t>(a.algorithm)], "Pool2DOptions", {node.inputs[0]}, {node.outputs[0]},
         {{"padding", valid ? kValid : kSame},
          {"stride_w", static_cast<double>(stride_x)},
          {"stride_h", static_cast<double>(stride_y)},
          {"filter_width", static_cast<double>(size_x)},
          {"filter_height", static_cast<double>(size_y)},
          {"fused_activation_function", activation}})
      .version = 2;
  return {};
}

Result<void> lower_resize(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::ResizeAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  const Shape& to = out.value(node.outputs[0]).shape;
  const bool nearest = a.method == graph::ResizeMethod::NearestNeighbor;
  const Shape& in = out.value(node.inputs[0]).shape;
  const bool foreign = nearest && node.rules == graph::Rules::ArmNn;
  for (std::size_t axis = 1; foreign && axis < 3; ++axis)
    if (graph::nearest_indices(in[axis], to[axis], a, graph::Rules::ArmNn) !=
        graph::nearest_indices(in[axis], to[axis], a, graph::Rules::Tflite))
      return refused(fmt::format(
          "a nearest-neighbour resize from {} to {}, where TensorFlow Lite takes other neighbours", in[axis],
          to[axis]));
  const std::int32_t size =
      out.ints("size", {static_cast<std::int32_t>(to[1]), static_cast<std::int32_t>(to[2])});
  out.op(nearest ? "RESIZE_NEAREST_NEIGHBOR" : "RESIZE_BILINEAR",
         nearest ? "ResizeNearestNeighborOptions" : "ResizeBilinearOptions", {node.inputs[0], size},
         {node.outputs[0]},
         {{"align_corners", a.align_corners ? 1.0 : 0.0},
          {"half_pixel_centers", a.half_pixel_centers ? 1.0 : 0.0}})
      .version = 3;
  return {};
}

// mult = gamma / sqrt(variance + epsilon), add = beta - mult * mean: a MUL and an ADD.
Result<void> lower_batch_normalization(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::NormalizationAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  if (out.value(node.outputs[0]).type != DType::F32)
    return refused("batch normalisation of other types than float32");
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  for (std::size_t i = 1; i < 5; ++i) NPUBIN_CHECK(need_constant(out, node.inputs[i]));
  const auto part = [&](std::size_t i) { return out.value(node.inputs[i]).constant->as<float>(); };
  const std::int64_t channels = out.value(node.inputs[1]).constant->count();
  Tensor multiplier(DType::F32, {channels}), addend(DType::F32, {channels});
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
    const float mult = part(4)[c] / std::sqrt(part(2)[c] + a.epsilon);
    multiplier.as_mutable<float>()[c] = mult;
    addend.as_mutable<float>()[c] = part(3)[c] - mult * part(1)[c];
  }
  const std::int32_t scaled = out.temporary(node.outputs[0], out.value(node.outputs[0]).shape);
  out.op("MUL", "MulOptions", {node.inputs[0], out.constant("multiplier", multiplier)}, {scaled}, {});
  out.op("ADD", "AddOptions", {scaled, out.constant("addend", addend)}, {node.outputs[0]},
         {{"fused_activation_function", activation}});
  return {};
}

Result<void> lower_local_response(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::LocalResponseAttributes>();
  NPUBIN_CHECK(need_nhwc(a.layout));
  if (!a.across_channels || a.local_contrast) return refused("normalisation within a channel or of contrast");
  out.op("LOCAL_RESPONSE_NORMALIZATION", "LocalResponseNormalizationOptions", {node.inputs[0]},
         {node.outputs[0]}, {{"radius", a.radius}, {"bias", a.k}, {"alpha", a.alpha}, {"beta", a.beta}});
  return {};
}

}  // namespace npubin::convert
