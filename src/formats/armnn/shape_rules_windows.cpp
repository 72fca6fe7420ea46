// Shapes of layers with weights or windows, after Arm NN's own layers and their validation (armnn spec 3).
#include <cmath>

#include <fmt/format.h>

#include "formats/armnn/shape_rules.h"

namespace npubin::armnn::shape_rules {
namespace {

using namespace npubin::graph;

struct Axes {
  std::size_t channels, height, width;
};
Axes axes_of(DataLayout layout) {
  return layout == DataLayout::Nhwc ? Axes{3, 1, 2} : Axes{1, 2, 3};
}

Result<void> need_rank(const Shape& shape, std::size_t rank, const char* what) {
  if (shape.size() == rank) return {};
  return malformed({}, fmt::format("the {} {} has to have {} dimensions", what, to_string(shape), rank));
}

Shape picture(DataLayout layout, std::int64_t batch, std::int64_t channels, std::int64_t height,
              std::int64_t width) {
  return layout == DataLayout::Nhwc ? Shape{batch, height, width, channels}
                                    : Shape{batch, channels, height, width};
}

// One direction of a window sliding over a padded line; floor.
Result<std::int64_t> slide(std::int64_t size, std::int64_t before, std::int64_t after, std::int64_t window,
                           std::int64_t stride, std::int64_t dilation, const char* what) {
  const std::int64_t reach = (window - 1) * dilation + 1;
  const std::int64_t room = size + before + after - reach;
  if (room < 0)
    return malformed({}, fmt::format("{}: a window reaching {} does not fit {} with padding {} and {}", what,
                                     reach, size, before, after));
  return 1 + room / stride;
}

Result<void> check_bias(const ShapeQuestion& q, std::int64_t channels) {
  if (!q.has(2)) return {};
  const Shape& bias = q.in(2);
  if (!bias.empty() && count_of(bias) == channels && bias.back() == channels) return {};
  return malformed({}, fmt::format("the bias {} does not have the {} elements of the output's channels",
                                   to_string(bias), channels));
}

Result<void> check_scales(const ShapeQuestion& q, std::int64_t channels) {
  for (std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    if (!q.has(i) || q.value(i).quantization.scales.size() < 2) continue;
    const auto scales = static_cast<std::int64_t>(q.value(i).quantization.scales.size());
    if (scales != channels)
      return malformed({}, fmt::format("the {} have {} scales for {} output channels",
                                       i == 1 ? "weights" : "biases", scales, channels));
  }
  return {};
}

}  // namespace

Shapes convolution(const ShapeQuestion& q) {
  const auto& a = q.node.attr<ConvAttributes>();
  const Shape &in = q.in(0), &w = q.in(1);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  NPUBIN_CHECK(need_rank(w, 4, "weights"));
  const Axes at = axes_of(a.layout);
  if (w[at.channels] != in[at.channels])
    return malformed({}, fmt::format("weights {} ({}) take {} input channels; the input {} has {}",
                                     to_string(w), a.layout == DataLayout::Nhwc ? "OHWI" : "OIHW",
                                     w[at.channels], to_string(in), in[at.channels]));
  NPUBIN_CHECK(check_bias(q, w[0]));
  NPUBIN_CHECK(check_scales(q, w[0]));
  NPUBIN_TRY(auto height, slide(in[at.height], a.padding.top, a.padding.bottom, w[at.height], a.stride_y,
                                a.dilation_y, "height"));
  NPUBIN_TRY(auto width, slide(in[at.width], a.padding.left, a.padding.right, w[at.width], a.stride_x,
                               a.dilation_x, "width"));
  return std::vector<Shape>{picture(a.layout, in[0], w[0], height, width)};
}

Shapes depthwise_convolution(const ShapeQuestion& q) {
  const auto& a = q.node.attr<ConvAttributes>();
  const Shape &in = q.in(0), &w = q.in(1);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  NPUBIN_CHECK(need_rank(w, 4, "weights"));
  const Axes at = axes_of(a.layout);
  const bool mihw = a.depthwise_weights == DepthwiseWeights::Mihw;
  const std::int64_t channels = mihw ? w[0] * w[1] : w[3];
  if (mihw ? w[1] != in[at.channels] : (w[0] != 1 || w[3] % in[at.channels] != 0))
    return malformed({}, fmt::format("weights {} ({}) do not fit the {} channels of the input {}",
                                     to_string(w), mihw ? "MIHW" : "1HWO", in[at.channels], to_string(in)));
  NPUBIN_CHECK(check_bias(q, channels));
  NPUBIN_CHECK(check_scales(q, channels));
  NPUBIN_TRY(auto height, slide(in[at.height], a.padding.top, a.padding.bottom, w[mihw ? 2 : 1], a.stride_y,
                                a.dilation_y, "height"));
  NPUBIN_TRY(auto width, slide(in[at.width], a.padding.left, a.padding.right, w[mihw ? 3 : 2], a.stride_x,
                               a.dilation_x, "width"));
  return std::vector<Shape>{picture(a.layout, in[0], channels, height, width)};
}

Shapes transpose_convolution(const ShapeQuestion& q) {
  const auto& a = q.node.attr<ConvAttributes>();
  const Shape &in = q.in(0), &w = q.in(1);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  NPUBIN_CHECK(need_rank(w, 4, "weights"));
  const Axes at = axes_of(a.layout);
  if (w[at.channels] != in[at.channels])
    return malformed({}, fmt::format("weights {} take {} input channels; the input {} has {}", to_string(w),
                                     w[at.channels], to_string(in), in[at.channels]));
  NPUBIN_CHECK(check_bias(q, w[0]));
  NPUBIN_CHECK(check_scales(q, w[0]));
  const std::int64_t height =
      (in[at.height] - 1) * a.stride_y + w[at.height] - a.padding.top - a.padding.bottom;
  const std::int64_t width = (in[at.width] - 1) * a.stride_x + w[at.width] - a.padding.left - a.padding.right;
  if (height <= 0 || width <= 0)
    return malformed({}, fmt::format("the padding leaves a picture of {} x {}", height, width));
  return std::vector<Shape>{picture(a.layout, in[0], w[0], height, width)};
}

Shapes fully_connected(const ShapeQuestion& q) {
  const auto& a = q.node.attr<FullyConnectedAttributes>();
  const Shape &in = q.in(0), &w = q.in(1);
  NPUBIN_CHECK(need_rank(w, 2, "weights"));
  if (in.size() != 2 && in.size() != 4)
    return malformed({}, fmt::format("the input {} has to have 2 or 4 dimensions", to_string(in)));
  const std::int64_t inner = count_of(in) / in[0];
  const std::int64_t rows = a.weights_transposed ? w[1] : w[0], columns = a.weights_transposed ? w[0] : w[1];
  if (rows != inner)
    return malformed({}, fmt::format("weights {} with transposeWeightsMatrix {} take {} inputs; {} gives {}",
                                     to_string(w), a.weights_transposed, rows, to_string(in), inner));
  NPUBIN_CHECK(check_bias(q, columns));
  return std::vector<Shape>{Shape{in[0], columns}};
}

namespace {

// armnn spec 3, Pooling2d.
Result<std::int64_t> pooled(std::int64_t size, std::int64_t before, std::int64_t after, std::int64_t pool,
                            std::int64_t stride, bool ceiling, const char* what) {
  const std::int64_t room = size + before + after - pool;
  if (room < 0)
    return malformed({}, fmt::format("{}: a pool of {} does not fit {} with padding {} and {}", what, pool,
                                     size, before, after));
  std::int64_t out = (ceiling ? (room + stride - 1) / stride : room / stride) + 1;
  // A window that would begin beyond the input and its first padding is dropped.
  if ((out - 1) * stride >= size + before) --out;
  return out;
}

}  // namespace

Shapes pooling(const ShapeQuestion& q) {
  const auto& a = q.node.attr<PoolAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const Axes at = axes_of(a.layout);
  if (a.stride_x == 0 && a.stride_y == 0)
    return std::vector<Shape>{picture(a.layout, in[0], in[at.channels], 1, 1)};
  NPUBIN_TRY(auto height, pooled(in[at.height], a.padding.top, a.padding.bottom, a.size_y, a.stride_y,
                                 a.ceiling, "height"));
  NPUBIN_TRY(auto width,
             pooled(in[at.width], a.padding.left, a.padding.right, a.size_x, a.stride_x, a.ceiling, "width"));
  return std::vector<Shape>{picture(a.layout, in[0], in[at.channels], height, width)};
}

Shapes batch_normalization(const ShapeQuestion& q) {
  const auto& a = q.node.attr<NormalizationAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const std::int64_t channels = in[axes_of(a.layout).channels];
  for (std::size_t i = 1; i < 5; ++i)
    if (q.in(i) != Shape{channels})
      return malformed(
          {}, fmt::format("a parameter {} has to be [{}], one per channel", to_string(q.in(i)), channels));
  return std::vector<Shape>{in};
}

Shapes resize(const ShapeQuestion& q) {
  const auto& a = q.node.attr<ResizeAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  if (a.height == 0 || a.width == 0) return malformed({}, "the target height or width is 0");
  return std::vector<Shape>{picture(a.layout, in[0], in[axes_of(a.layout).channels], a.height, a.width)};
}

Shapes space_to_batch(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SpaceBatchAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const Axes at = axes_of(a.layout);
  const std::int64_t height = in[at.height] + a.pads[0].first + a.pads[0].second;
  const std::int64_t width = in[at.width] + a.pads[1].first + a.pads[1].second;
  if (height % a.block[0] != 0 || width % a.block[1] != 0)
    return malformed({}, fmt::format("the padded picture {} x {} is no multiple of the block {} x {}", height,
                                     width, a.block[0], a.block[1]));
  return std::vector<Shape>{picture(a.layout, in[0] * a.block[0] * a.block[1], in[at.channels],
                                    height / a.block[0], width / a.block[1])};
}

Shapes batch_to_space(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SpaceBatchAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const Axes at = axes_of(a.layout);
  const std::int64_t block = std::int64_t{a.block[0]} * a.block[1];
  if (in[0] % block != 0)
    return malformed({}, fmt::format("the batch of {} is no multiple of the block {} x {}", in[0], a.block[0],
                                     a.block[1]));
  const std::int64_t height = in[at.height] * a.block[0] - a.pads[0].first - a.pads[0].second;
  const std::int64_t width = in[at.width] * a.block[1] - a.pads[1].first - a.pads[1].second;
  if (height <= 0 || width <= 0) return malformed({}, "the crops leave nothing");
  return std::vector<Shape>{picture(a.layout, in[0] / block, in[at.channels], height, width)};
}

Shapes space_to_depth(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SpaceDepthAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const Axes at = axes_of(a.layout);
  const std::int64_t b = a.block;
  if (in[at.height] % b != 0 || in[at.width] % b != 0)
    return malformed({},
                     fmt::format("{} x {} is no multiple of the block {}", in[at.height], in[at.width], b));
  return std::vector<Shape>{
      picture(a.layout, in[0], in[at.channels] * b * b, in[at.height] / b, in[at.width] / b)};
}

Shapes depth_to_space(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SpaceDepthAttributes>();
  const Shape& in = q.in(0);
  NPUBIN_CHECK(need_rank(in, 4, "input"));
  const Axes at = axes_of(a.layout);
  const std::int64_t b = a.block;
  if (in[at.channels] % (b * b) != 0)
    return malformed({},
                     fmt::format("{} channels are no multiple of the block {} x {}", in[at.channels], b, b));
  return std::vector<Shape>{
      picture(a.layout, in[0], in[at.channels] / (b * b), in[at.height] * b, in[at.width] * b)};
}

}  // namespace npubin::armnn::shape_rules
