// Convolutions, products, pools, SVDF, detections. tflite spec 5 and 6.
#include <cmath>

#include "graph/tflite/node_view.h"

namespace npubin::graph {
namespace {

// Input, weights and output of a product; weights per tensor or per channel along `axis`.
RuleBreach product_types(const Value& in, const Value& weights, const Value& out, int axis) {
  NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
  NPUBIN_RULE(same_type(in, out));
  const DType expected = in.type == DType::I16 ? DType::I8 : in.type;
  if (weights.type != expected)
    return fault("TFL-0205", fmt::format("'{}' is {} and its weights '{}' are {}", in.name,
                                         to_string(in.type), weights.name, to_string(weights.type)));
  for (const Value* value : {&in, &weights, &out}) NPUBIN_RULE(quantized(*value));
  const Quantization& q = weights.quantization;
  if (in.type == DType::F32) return {};
  if (q.per_axis() && q.axis != axis)
    return fault("TFL-0207",
                 fmt::format("the weights '{}' have scales per index of dimension {}; the kernels take {}",
                             weights.name, q.axis, axis));
  if (q.per_axis() &&
      static_cast<std::int64_t>(q.scales.size()) != weights.shape[static_cast<std::size_t>(axis)])
    return fault("TFL-0207", fmt::format("the weights '{}' have {} scales for {} channels", weights.name,
                                         q.scales.size(), weights.shape[static_cast<std::size_t>(axis)]));
  if (q.per_axis() && in.type == DType::U8) return not_computed("uint8 weights with scales per channel");
  if (in.type != DType::U8 && q.zero_point() != 0)
    return not_computed(fmt::format("weights with zero point {}", q.zero_point()));
  for (const Value* value : {&in, &out})
    if (value->quantization.per_axis())
      return not_computed(fmt::format("'{}' has scales per channel", value->name));
  return {};
}

RuleBreach bias_fits(const Value& in, const Value& weights, const Value& bias, std::int64_t channels) {
  if (count_of(bias.shape) != channels)
    return fault("TFL-0206", fmt::format("the bias '{}' has {} entries for {} channels", bias.name,
                                         count_of(bias.shape), channels));
  const bool wide = in.type == DType::I16 && bias.type == DType::I64;
  if (in.type == DType::F32 ? bias.type != DType::F32 : !(bias.type == DType::I32 || wide))
    return fault("TFL-0205", fmt::format("the bias '{}' is {} beside {} operands", bias.name,
                                         to_string(bias.type), to_string(in.type)));
  if (in.type == DType::F32 || !bias.quantization.present()) return {};
  const double expected = static_cast<double>(in.quantization.scale()) * weights.quantization.scale();
  const double found = bias.quantization.scale();
  // Writers round the product to float32 in different ways; more than a hundredth is another number.
  if (std::fabs(found - expected) > 0.01 * expected)
    return odd(
        "TFL-0209",
        fmt::format("the bias '{}' has scale {}; input scale times weight scale is {}", bias.name, found,
                    expected),
        "kernels add the bias codes as they are; the network computes something else than its author meant");
  return {};
}

std::int64_t window_out(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                        std::int64_t before, std::int64_t after) {
  const std::int64_t room = in + before + after - ((kernel - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

RuleBreach positive_shape(const Value& value) {
  for (std::int64_t d : value.shape)
    if (d < 1)
      return fault("TFL-0206", fmt::format("'{}' has the shape {}", value.name, to_string(value.shape)));
  return {};
}

}  // namespace

RuleBreach check_conv(const NodeView& node) {
  const Value &in = node.in(0), &weights = node.in(1), &out = node.out();
  const auto& a = node.node().attr<ConvAttributes>();
  const bool depthwise = node.node().op == Op::DepthwiseConv2d;
  for (const Value* value : {&in, &weights, &out}) {
    NPUBIN_RULE(rank_is(*value, 4));
    NPUBIN_RULE(positive_shape(*value));
  }
  NPUBIN_RULE(product_types(in, weights, out, depthwise ? 3 : 0));
  const std::int64_t channels = depthwise ? weights.shape[3] : weights.shape[0];
  if (depthwise && (weights.shape[0] != 1 || channels != in.shape[3] * a.depth_multiplier))
    return fault("TFL-0206", fmt::format("the filter {} does not fit {} input channels",
                                         to_string(weights.shape), in.shape[3]));
  if (!depthwise && (in.shape[3] % weights.shape[3] != 0 || channels % (in.shape[3] / weights.shape[3]) != 0))
    return fault("TFL-0206", fmt::format("the filter {} does not fit {} input channels",
                                         to_string(weights.shape), in.shape[3]));
  NPUBIN_RULE(shape_is(
      out,
      {in.shape[0],
       window_out(in.shape[1], weights.shape[1], a.stride_y, a.dilation_y, a.padding.top, a.padding.bottom),
       window_out(in.shape[2], weights.shape[2], a.stride_x, a.dilation_x, a.padding.left, a.padding.right),
       channels}));
  return node.has(2) ? bias_fits(in, weights, node.in(2), channels) : RuleBreach{};
}

RuleBreach check_transpose_conv(const NodeView& node) {
  const Value &weights = node.in(1), &in = node.in(2), &out = node.out();
  const auto& a = node.node().attr<ConvAttributes>();
  for (const Value* value : {&in, &weights, &out}) {
    NPUBIN_RULE(rank_is(*value, 4));
    NPUBIN_RULE(positive_shape(*value));
  }
  NPUBIN_RULE(product_types(in, weights, out, 0));
  if (weights.shape[3] != in.shape[3] || weights.shape[0] != out.shape[3] || in.shape[0] != out.shape[0])
    return fault("TFL-0206",
                 fmt::format("the filter {} does not lead from {} to {}", to_string(weights.shape),
                             to_string(in.shape), to_string(out.shape)));
  for (std::size_t d = 1; d <= 2; ++d) {
    const bool y = d == 1;
    const std::int64_t forward =
        window_out(out.shape[d], weights.shape[d], y ? a.stride_y : a.stride_x, 1,
                   y ? a.padding.top : a.padding.left, y ? a.padding.bottom : a.padding.right);
    if (forward != in.shape[d])
      return fault(
          "TFL-0208",
          fmt::format("a convolution over the output {} gives {} along dimension {}; the input has {}",
                      to_string(out.shape), forward, d, in.shape[d]));
  }
  return node.has(3) ? bias_fits(in, weights, node.in(3), out.shape[3]) : RuleBreach{};
}

RuleBreach check_fully_connected(const NodeView& node) {
  const Value &in = node.in(0), &weights = node.in(1), &out = node.out();
  const auto& a = node.node().attr<FullyConnectedAttributes>();
  NPUBIN_RULE(rank_is(weights, 2));
  NPUBIN_RULE(positive_shape(weights));
  NPUBIN_RULE(product_types(in, weights, out, 0));
  const std::int64_t depth = weights.shape[1], units = weights.shape[0], count = count_of(in.shape);
  if (count % depth != 0)
    return fault("TFL-0206",
                 fmt::format("the input {} does not divide into rows of {}", to_string(in.shape), depth));
  Shape expected{count / depth, units};
  if (a.keep_num_dims) {
    if (in.shape.empty() || in.shape.back() != depth)
      return fault("TFL-0206", fmt::format("the input {} has no rows of {}", to_string(in.shape), depth));
    expected = in.shape;
    expected.back() = units;
  }
  // Some converters declare the output with leading dimensions of 1 left out or added; the elements are the
  // same.
  if (count_of(out.shape) != count_of(expected) || out.shape.empty() || out.shape.back() != units)
    NPUBIN_RULE(shape_is(out, expected));
  return node.has(2) ? bias_fits(in, weights, node.in(2), units) : RuleBreach{};
}

RuleBreach check_batch_matmul(const NodeView& node) {
  const Value &x = node.in(0), &y = node.in(1), &out = node.out();
  const auto& a = node.node().attr<BatchMatMulAttributes>();
  NPUBIN_RULE(type_among(x, {DType::F32, DType::I8, DType::I16}));
  NPUBIN_RULE(same_type(x, y));
  NPUBIN_RULE(same_type(x, out));
  for (const Value* value : {&x, &y, &out}) {
    NPUBIN_RULE(quantized(*value));
    if (value->quantization.per_axis())
      return not_computed(fmt::format("'{}' has scales per channel", value->name));
    if (value->shape.size() < 2) return rank_is(*value, 2);
  }
  const std::size_t rx = x.shape.size(), ry = y.shape.size();
  const std::int64_t rows = x.shape[a.transpose_x ? rx - 1 : rx - 2],
                     inner = x.shape[a.transpose_x ? rx - 2 : rx - 1];
  const std::int64_t inner_y = y.shape[a.transpose_y ? ry - 1 : ry - 2],
                     columns = y.shape[a.transpose_y ? ry - 2 : ry - 1];
  if (inner != inner_y)
    return fault("TFL-0206", fmt::format("the inner dimensions are {} and {}", inner, inner_y));
  Shape expected;
  NPUBIN_RULE(broadcast(Shape(x.shape.begin(), x.shape.end() - 2), Shape(y.shape.begin(), y.shape.end() - 2),
                        expected));
  expected.push_back(rows);
  expected.push_back(columns);
  return shape_is(out, expected);
}

RuleBreach check_pool(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<PoolAttributes>();
  NPUBIN_RULE(rank_is(in, 4));
  NPUBIN_RULE(positive_shape(in));
  if (a.algorithm == PoolAlgorithm::L2)
    NPUBIN_RULE(type_among(in, {DType::F32}));
  else
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
  NPUBIN_RULE(same_type(in, out));
  NPUBIN_RULE(quantized(in, false));
  NPUBIN_RULE(quantized(out, false));
  NPUBIN_RULE(same_quantization(in, out));
  NPUBIN_RULE(shape_is(
      out, {in.shape[0], window_out(in.shape[1], a.size_y, a.stride_y, 1, a.padding.top, a.padding.bottom),
            window_out(in.shape[2], a.size_x, a.stride_x, 1, a.padding.left, a.padding.right), in.shape[3]}));
  return positive_shape(out);
}

RuleBreach check_svdf(const NodeView& node) {
  if (!node.has(4)) return fault("TFL-0202", "its state (operand 4) is absent");
  const Value &in = node.in(0), &feature = node.in(1), &time = node.in(2), &state = node.in(4),
              &out = node.out();
  const std::int64_t rank = node.node().attr<SvdfAttributes>().rank;
  NPUBIN_RULE(type_among(in, {DType::F32, DType::I8}));
  NPUBIN_RULE(same_type(in, feature));
  NPUBIN_RULE(same_type(in, out));
  if (in.type == DType::F32 ? time.type != DType::F32 || state.type != DType::F32
                            : !one_of(time.type, {DType::I8, DType::I16}) || state.type != time.type)
    return fault("TFL-0205",
                 fmt::format("w_time is {} and the state {}", to_string(time.type), to_string(state.type)));
  for (const Value* value : {&in, &feature, &time, &state, &out}) {
    NPUBIN_RULE(rank_is(*value, 2));
    NPUBIN_RULE(quantized(*value, false));
  }
  const std::int64_t filters = feature.shape[0], memory = time.shape[1];
  if (!state.variable) return fault("TFL-0206", fmt::format("its state '{}' is no variable", state.name));
  if (filters % rank != 0 || feature.shape[1] != in.shape[1] || time.shape[0] != filters || memory < 1 ||
      state.shape != Shape{in.shape[0], filters * memory})
    return fault("TFL-0206", fmt::format("input {}, features {}, times {}, state {} and rank {} do not fit",
                                         to_string(in.shape), to_string(feature.shape), to_string(time.shape),
                                         to_string(state.shape), rank));
  if (node.has(3)) {
    const Value& bias = node.in(3);
    if (count_of(bias.shape) != filters / rank ||
        bias.type != (in.type == DType::F32 ? DType::F32 : DType::I32))
      return fault("TFL-0206", fmt::format("the bias '{}' is {} of {}", bias.name, to_string(bias.shape),
                                           to_string(bias.type)));
  }
  return shape_is(out, {in.shape[0], filters / rank});
}

RuleBreach check_detection(const NodeView& node) {
  const auto& a = node.node().attr<DetectionAttributes>();
  for (std::size_t i = 0; i < 3; ++i) {
    if (!node.has(i)) return fault("TFL-0202", fmt::format("operand {} is absent", i));
    NPUBIN_RULE(type_among(node.in(i), {DType::F32}));
  }
  const Value &boxes = node.in(0), &scores = node.in(1), &anchors = node.in(2);
  NPUBIN_RULE(rank_is(boxes, 3));
  NPUBIN_RULE(rank_is(scores, 3));
  NPUBIN_RULE(rank_is(anchors, 2));
  const std::int64_t count = boxes.shape[1], columns = scores.shape[2];
  if (boxes.shape[0] != 1 || boxes.shape[2] < 4 || scores.shape[0] != 1 || scores.shape[1] != count ||
      anchors.shape[0] != count || anchors.shape[1] != 4 ||
      (columns != a.num_classes && columns != a.num_classes + 1))
    return fault("TFL-0206", fmt::format("boxes {}, scores {} and anchors {} do not fit {} classes",
                                         to_string(boxes.shape), to_string(scores.shape),
                                         to_string(anchors.shape), a.num_classes));
  for (std::size_t i = 0; i < 4; ++i) NPUBIN_RULE(type_among(node.out(i), {DType::F32}));
  const std::int64_t rows = count_of(node.out(1).shape);
  if (count_of(node.out(0).shape) != 4 * rows || count_of(node.out(2).shape) != rows ||
      count_of(node.out(3).shape) != 1 || rows < 1)
    return fault("TFL-0208", fmt::format("its outputs are declared as {}, {}, {} and {}",
                                         to_string(node.out(0).shape), to_string(node.out(1).shape),
                                         to_string(node.out(2).shape), to_string(node.out(3).shape)));
  return {};
}

}  // namespace npubin::graph
