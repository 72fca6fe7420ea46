// Convolutions, pools, resizing: whatever ONNX computes in NCHW.
#include <fmt/format.h>

#include "convert/onnx/operators.h"
#include "graph/nearest.h"

namespace npubin::convert {
namespace {

using graph::DataLayout;
using graph::Node;

// The operand in NCHW: a graph in that layout already needs no transposition.
std::string nchw_input(OnnxBuilder& b, graph::ValueId id, DataLayout layout) {
  return b.name(id, layout == DataLayout::Nchw ? Layout::Original : Layout::Nchw);
}

std::string nchw_output(OnnxBuilder& b, graph::ValueId id, DataLayout layout) {
  return b.define(id, layout == DataLayout::Nchw ? Layout::Original : Layout::Nchw);
}

// Runs `produce(name)` with the name to give the result, an activation in between where there is one.
template <class Produce>
void with_activation(OnnxBuilder& b, const graph::ActivationAttributes& activation, const std::string& to,
                     Produce&& produce) {
  if (activation.function == graph::Activation::None) {
    produce(to);
    return;
  }
  const std::string before = b.temporary(to + "_linear");
  produce(before);
  emit_activation(b, activation, before, to);
}

Result<void> need_constant(const OnnxBuilder& b, graph::ValueId id, const char* what) {
  if (id != graph::kNoValue && !b.source().value(id).constant)
    return refused(fmt::format("{} that are computed at run time", what));
  return {};
}

void set_window(onnx::NodeProto& node, const graph::Padding& pad, std::uint32_t stride_y,
                std::uint32_t stride_x) {
  set_ints(node, "pads", {pad.top, pad.left, pad.bottom, pad.right});
  set_ints(node, "strides", {stride_y, stride_x});
}

struct ConvWeights {
  std::string name;
  std::int64_t groups = 1;
  std::int64_t kernel_y = 1, kernel_x = 1;
};

// ONNX wants [O, I/groups, KH, KW].
ConvWeights conv_weights(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::ConvAttributes>();
  const graph::ValueId id = node.inputs[1];
  const Shape& s = b.source().value(id).shape;
  const Shape& input = b.source().value(node.inputs[0]).shape;
  if (node.op == graph::Op::DepthwiseConv2d) {
    // Output channel i*M+m comes from input channel i in both weight orders.
    if (attr.depthwise_weights == graph::DepthwiseWeights::Mihw)
      return {b.weights(id, {1, 0, 2, 3}, {s[0] * s[1], 1, s[2], s[3]}), s[1], s[2], s[3]};
    const std::int64_t channels = attr.layout == DataLayout::Nhwc ? input[3] : input[1];
    return {b.weights(id, {3, 0, 1, 2}, {s[3], 1, s[1], s[2]}), channels, s[1], s[2]};
  }
  if (attr.layout == DataLayout::Nchw) return {b.weights(id, {}, s), 1, s[2], s[3]};
  const std::int64_t groups = s[3] == 0 ? 1 : input[3] / s[3];
  return {b.weights(id, {0, 3, 1, 2}, {s[0], s[3], s[1], s[2]}), groups, s[1], s[2]};
}

}  // namespace

Result<void> emit_conv(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::ConvAttributes>();
  NPUBIN_CHECK(need_constant(b, node.inputs[1], "convolution weights"));
  const ConvWeights weights = conv_weights(b, node);
  std::vector<std::string> inputs{nchw_input(b, node.inputs[0], attr.layout), weights.name};
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) inputs.push_back(b.name(node.inputs[2]));
  with_activation(b, attr.activation, nchw_output(b, node.outputs[0], attr.layout),
                  [&](const std::string& to) {
                    onnx::NodeProto& conv = b.node("Conv", inputs, {to});
                    set_window(conv, attr.padding, attr.stride_y, attr.stride_x);
                    set_ints(conv, "kernel_shape", {weights.kernel_y, weights.kernel_x});
                    set_ints(conv, "dilations", {attr.dilation_y, attr.dilation_x});
                    set_int(conv, "group", weights.groups);
                  });
  return {};
}

// Weights of the graph: Nhwc [O,KH,KW,I], Nchw [O,I,KH,KW]; of ONNX: [I,O,KH,KW].
Result<void> emit_transpose_conv(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::ConvAttributes>();
  // TensorFlow Lite's operands are output shape, weights, input, bias; Arm NN's input, weights, bias.
  const bool tflite = node.rules == graph::Rules::Tflite;
  const graph::ValueId input = node.inputs[tflite ? 2 : 0];
  const std::size_t bias = tflite ? 3 : 2;
  NPUBIN_CHECK(need_constant(b, node.inputs[1], "convolution weights"));
  const Shape& s = b.source().value(node.inputs[1]).shape;
  const bool nchw = attr.layout == DataLayout::Nchw;
  const Shape dims = nchw ? Shape{s[1], s[0], s[2], s[3]} : Shape{s[3], s[0], s[1], s[2]};
  const std::string weights =
      b.weights(node.inputs[1], nchw ? std::vector<int>{1, 0, 2, 3} : std::vector<int>{3, 0, 1, 2}, dims);
  const Shape& in = b.source().value(input).shape;
  const Shape& out = b.source().value(node.outputs[0]).shape;
  const std::size_t h = nchw ? 2 : 1;
  // What the forward formula leaves of the output's size becomes output padding, or cropping at the far side.
  auto end_pad = [](std::int64_t from, std::int64_t stride, std::int64_t kernel, std::int64_t before,
                    std::int64_t to) { return (from - 1) * stride + kernel - before - to; };
  const std::int64_t bottom = end_pad(in[h], attr.stride_y, dims[2], attr.padding.top, out[h]);
  const std::int64_t right = end_pad(in[h + 1], attr.stride_x, dims[3], attr.padding.left, out[h + 1]);
  std::vector<std::string> inputs{nchw_input(b, input, attr.layout), weights};
  if (node.inputs.size() > bias && node.inputs[bias] != graph::kNoValue)
    inputs.push_back(b.name(node.inputs[bias]));
  with_activation(b, attr.activation, nchw_output(b, node.outputs[0], attr.layout),
                  [&](const std::string& to) {
                    onnx::NodeProto& conv = b.node("ConvTranspose", inputs, {to});
                    set_ints(conv, "strides", {attr.stride_y, attr.stride_x});
                    set_ints(conv, "kernel_shape", {dims[2], dims[3]});
                    set_ints(conv, "pads",
                             {attr.padding.top, attr.padding.left, std::max<std::int64_t>(bottom, 0),
                              std::max<std::int64_t>(right, 0)});
                    set_ints(conv, "output_padding",
                             {std::max<std::int64_t>(-bottom, 0), std::max<std::int64_t>(-right, 0)});
                  });
  return {};
}

Result<void> emit_pool(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::PoolAttributes>();
  if (attr.algorithm == graph::PoolAlgorithm::L2) return refused("L2 pooling");
  const bool maximum = attr.algorithm == graph::PoolAlgorithm::Max;
  const std::string from = nchw_input(b, node.inputs[0], attr.layout);
  const bool global = attr.stride_y == 0 && attr.stride_x == 0;
  if (attr.ceiling && !global) {
    const Shape& in = b.source().value(node.inputs[0]).shape;
    const std::size_t h = attr.layout == DataLayout::Nchw ? 2 : 1;
    const std::int64_t spare_y =
        (in[h] + attr.padding.top + attr.padding.bottom - attr.size_y) % attr.stride_y;
    const std::int64_t spare_x =
        (in[h + 1] + attr.padding.left + attr.padding.right - attr.size_x) % attr.stride_x;
    if (!maximum && (spare_y != 0 || spare_x != 0))
      return refused("average pooling whose last window overhangs");
  }
  with_activation(b, attr.activation, nchw_output(b, node.outputs[0], attr.layout),
                  [&](const std::string& to) {
                    if (global) {
                      b.node(maximum ? "GlobalMaxPool" : "GlobalAveragePool", {from}, {to});
                      return;
                    }
                    onnx::NodeProto& pool = b.node(maximum ? "MaxPool" : "AveragePool", {from}, {to});
                    set_window(pool, attr.padding, attr.stride_y, attr.stride_x);
                    set_ints(pool, "kernel_shape", {attr.size_y, attr.size_x});
                    if (attr.ceiling) set_int(pool, "ceil_mode", 1);
                    if (!maximum) set_int(pool, "count_include_pad", attr.padding_counts ? 1 : 0);
                  });
  return {};
}

namespace {

// ONNX rounds positions its own way; the exact indices go in as constants.
void emit_nearest(OnnxBuilder& b, const Node& node, const graph::ResizeAttributes& attr) {
  const std::size_t h = attr.layout == DataLayout::Nchw ? 2 : 1;
  const Shape& in = b.source().value(node.inputs[0]).shape;
  const Shape& out = b.source().value(node.outputs[0]).shape;
  const std::string from = b.name(node.inputs[0]), to = b.define(node.outputs[0]);
  const std::string rows = b.temporary(to + "_rows");
  const auto pick = [&](const std::string& x, std::size_t axis, const std::string& y) {
    const std::string indices =
        b.ints("indices", graph::nearest_indices(in[axis], out[axis], attr, node.rules));
    set_int(b.node("Gather", {x, indices}, {y}), "axis", static_cast<std::int64_t>(axis));
  };
  pick(from, h, rows);
  pick(rows, h + 1, to);
}

}  // namespace

Result<void> emit_resize(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::ResizeAttributes>();
  if (attr.method == graph::ResizeMethod::NearestNeighbor) {
    emit_nearest(b, node, attr);
    return {};
  }
  const std::string from = nchw_input(b, node.inputs[0], attr.layout);
  const Shape& out = b.source().value(node.outputs[0]).shape;
  const bool nchw = attr.layout == DataLayout::Nchw;
  const std::string sizes = b.ints("sizes", nchw ? Shape(out) : Shape{out[0], out[3], out[1], out[2]});
  onnx::NodeProto& resize =
      b.node("Resize", {from, "", "", sizes}, {nchw_output(b, node.outputs[0], attr.layout)});
  set_string(resize, "mode", "linear");
  set_string(resize, "coordinate_transformation_mode",
             attr.align_corners        ? "align_corners"
             : attr.half_pixel_centers ? "half_pixel"
                                       : "asymmetric");
  return {};
}

Result<void> emit_batch_normalization(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::NormalizationAttributes>();
  // Inputs of the graph: x, mean, variance, beta, gamma; of ONNX: x, scale, bias, mean, variance.
  const std::string from = nchw_input(b, node.inputs[0], attr.layout);
  std::vector<std::string> inputs{from, b.name(node.inputs[4]), b.name(node.inputs[3]),
                                  b.name(node.inputs[1]), b.name(node.inputs[2])};
  with_activation(b, attr.activation, nchw_output(b, node.outputs[0], attr.layout),
                  [&](const std::string& to) {
                    set_float(b.node("BatchNormalization", inputs, {to}), "epsilon", attr.epsilon);
                  });
  return {};
}

Result<void> emit_local_response(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::LocalResponseAttributes>();
  if (!attr.across_channels || attr.local_contrast)
    return refused("normalisation within a channel or of contrast");
  const std::string from = nchw_input(b, node.inputs[0], attr.layout);
  onnx::NodeProto& lrn = b.node("LRN", {from}, {nchw_output(b, node.outputs[0], attr.layout)});
  const std::int64_t size = 2 * static_cast<std::int64_t>(attr.radius) + 1;
  // ONNX divides alpha by the size; Arm NN and TensorFlow do not.
  set_int(lrn, "size", size);
  set_float(lrn, "alpha", attr.alpha * static_cast<float>(size));
  set_float(lrn, "beta", attr.beta);
  set_float(lrn, "bias", attr.k);
  return {};
}

}  // namespace npubin::convert
