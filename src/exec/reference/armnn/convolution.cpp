// Convolution2d, DepthwiseConvolution2d and TransposeConvolution2d (armnn spec 3). Sums run in the
// reference's order for every output element; several output channels are summed side by side, which changes
// no bit.
#include <fmt/format.h>

#include "exec/reference/armnn/image.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::ConvAttributes;
using graph::DataLayout;
using graph::DepthwiseWeights;

struct Kernel2d {
  std::size_t o = 0, i = 0, h = 0, w = 0;
};

Kernel2d conv_kernel(const Shape& weights, DataLayout layout) {
  const auto d = [&](std::size_t k) { return static_cast<std::size_t>(weights[k]); };
  return layout == DataLayout::Nhwc ? Kernel2d{d(0), d(3), d(1), d(2)} : Kernel2d{d(0), d(1), d(2), d(3)};
}

// o counts output channels I*M.
Kernel2d depthwise_kernel(const Shape& weights, const ConvAttributes& a, std::size_t input_channels) {
  const auto d = [&](std::size_t k) { return static_cast<std::size_t>(weights[k]); };
  if (a.depthwise_weights == DepthwiseWeights::Mihw) return {d(0) * d(1), d(1), d(2), d(3)};
  return {d(3), input_channels, d(1), d(2)};
}

// Output length of one dimension, or -1 where the dilated kernel is larger than the padded input.
std::int64_t output_length(std::size_t in, std::size_t before, std::size_t after, std::size_t kernel,
                           std::size_t dilation, std::size_t stride) {
  const std::size_t reach = (kernel - 1) * dilation + 1;
  if (in + before + after < reach) return -1;
  return static_cast<std::int64_t>((in + before + after - reach) / stride + 1);
}

bool sane_window(Limits& check, const ConvAttributes& a, const Kernel2d& kernel) {
  constexpr std::size_t kLargest = std::size_t{1} << 31;
  return check.require(a.stride_x != 0 && a.stride_y != 0, "a stride is 0") &&
         check.require(a.dilation_x != 0 && a.dilation_y != 0, "a dilation is 0") &&
         check.require(kernel.h > 0 && kernel.w > 0 && kernel.h < kLargest && kernel.w < kLargest,
                       "its kernel is empty");
}

std::string window_limits(Limits& check, const ConvAttributes& a, const Kernel2d& kernel) {
  if (!sane_window(check, a, kernel)) return check.why();
  const Image in = Image::of(check.in(0).shape, a.layout);
  const std::int64_t h =
      output_length(in.h, a.padding.top, a.padding.bottom, kernel.h, a.dilation_y, a.stride_y);
  const std::int64_t w =
      output_length(in.w, a.padding.left, a.padding.right, kernel.w, a.dilation_x, a.stride_x);
  if (!check.require(h > 0 && w > 0, "its dilated kernel is larger than the padded input"))
    return check.why();
  const Image out{in.n, kernel.o, static_cast<std::size_t>(h), static_cast<std::size_t>(w), in.nhwc};
  if (!check.output_shape(out.shape())) return check.why();
  return {};
}

bool bias_fits(Limits& check, std::size_t channels) {
  if (!check.has(2)) return true;
  const graph::Value& bias = check.in(2);
  return check.require(
             bias.shape == Shape{static_cast<std::int64_t>(channels)},
             fmt::format("its bias has shape {} for {} output channels", to_string(bias.shape), channels)) &&
         check.require(is_numeric(bias.type) || bias.type == DType::I32,
                       fmt::format("its bias is {}", to_string(bias.type))) &&
         check.scales_by_channel(2, static_cast<std::int64_t>(channels));
}

bool types_fit(Limits& check) {
  return check.require(
             is_numeric(check.in(0).type) && check.in(0).type == check.out().type,
             fmt::format("it turns {} into {}", to_string(check.in(0).type), to_string(check.out().type))) &&
         check.require(is_numeric(check.in(1).type),
                       fmt::format("its weights are {}", to_string(check.in(1).type))) &&
         check.require(!check.in(0).quantization.per_axis(), "its input has a scale per channel");
}

WorkVector<float> bias_or_zero(const KernelCall& call) {
  const Tensor* bias = call.optional_input(2);
  return bias == nullptr ? WorkVector<float>() : decode(*bias);
}

// Weights as [i][ky][kx][o], so that all output channels of one product lie side by side.
WorkVector<float> pack_conv_weights(const Tensor& weights, const Kernel2d& kernel, DataLayout layout) {
  WorkVector<std::size_t> channel(static_cast<std::size_t>(weights.count()));
  const std::size_t per_output = kernel.i * kernel.h * kernel.w;
  for (std::size_t k = 0; k < channel.size(); ++k) channel[k] = k / per_output;
  const WorkVector<float> plain = decode_by_channel(weights, channel);
  WorkVector<float> packed(plain.size());
  for (std::size_t o = 0; o < kernel.o; ++o)
    for (std::size_t i = 0; i < kernel.i; ++i)
      for (std::size_t y = 0; y < kernel.h; ++y)
        for (std::size_t x = 0; x < kernel.w; ++x) {
          const std::size_t from = layout == DataLayout::Nhwc
                                       ? ((o * kernel.h + y) * kernel.w + x) * kernel.i + i
                                       : ((o * kernel.i + i) * kernel.h + y) * kernel.w + x;
          packed[((i * kernel.h + y) * kernel.w + x) * kernel.o + o] = plain[from];
        }
  return packed;
}

// Weights as [ky][kx][c], c = output channel (armnn spec 3, DepthwiseConvolution2d).
WorkVector<float> pack_depthwise_weights(const Tensor& weights, const Kernel2d& kernel,
                                         DepthwiseWeights order) {
  const std::size_t area = kernel.h * kernel.w;
  const std::size_t multiplier = kernel.o / kernel.i;
  WorkVector<std::size_t> channel(static_cast<std::size_t>(weights.count()));
  WorkVector<std::size_t> place(channel.size());
  for (std::size_t k = 0; k < channel.size(); ++k) {
    if (order == DepthwiseWeights::Mihw) {
      const std::size_t m = k / (kernel.i * area), i = k / area % kernel.i;
      channel[k] = i * multiplier + m;
      place[k] = k % area * kernel.o + channel[k];
    } else {
      channel[k] = k % kernel.o;
      place[k] = k;
    }
  }
  const WorkVector<float> plain = decode_by_channel(weights, channel);
  WorkVector<float> packed(plain.size());
  for (std::size_t k = 0; k < plain.size(); ++k) packed[place[k]] = plain[k];
  return packed;
}

// Input coordinate of a kernel tap; false where it lies in the padding.
bool tap(std::size_t out, std::size_t stride, std::size_t k, std::size_t dilation, std::size_t before,
         std::size_t size, std::size_t& at) {
  const std::size_t padded = out * stride + k * dilation;
  if (padded < before || padded - before >= size) return false;
  at = padded - before;
  return true;
}

void store_pixel(const WorkVector<float>& sums, const WorkVector<float>& bias, const Image& out,
                 std::size_t n, std::size_t y, std::size_t x, WorkVector<float>& to) {
  const std::size_t base = out.index(n, 0, y, x), step = out.channel_step();
  for (std::size_t o = 0; o < out.c; ++o) to[base + o * step] = bias.empty() ? sums[o] : sums[o] + bias[o];
}

}  // namespace

std::string conv2d_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<ConvAttributes>();
  if (!check.operands(2, 3) || !types_fit(check) || !check.rank_of_input(0, 4, 4) ||
      !check.rank_of_input(1, 4, 4))
    return check.why();
  const Kernel2d kernel = conv_kernel(check.in(1).shape, a.layout);
  const Image in = Image::of(check.in(0).shape, a.layout);
  if (!check.require(kernel.i == in.c,
                     fmt::format("its weights have {} input channels, the input {}", kernel.i, in.c)) ||
      !check.scales_by_channel(1, static_cast<std::int64_t>(kernel.o)) || !bias_fits(check, kernel.o))
    return check.why();
  return window_limits(check, a, kernel);
}

Result<void> conv2d(const KernelCall& call) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Kernel2d kernel = conv_kernel(call.input(1).shape(), a.layout);
  const Image in = Image::of(call.input(0).shape(), a.layout);
  const Image out = Image::of(call.output().shape(), a.layout);
  const WorkVector<float> input = decode(call.input(0));
  const WorkVector<float> weights = pack_conv_weights(call.input(1), kernel, a.layout);
  const WorkVector<float> bias = bias_or_zero(call);
  WorkVector<float> result(out.count()), sums(kernel.o);
  const auto pixel = [&](std::size_t n, std::size_t y, std::size_t x) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    const float* weight = weights.data();
    for (std::size_t i = 0; i < kernel.i; ++i)
      for (std::size_t ky = 0; ky < kernel.h; ++ky)
        for (std::size_t kx = 0; kx < kernel.w; ++kx, weight += kernel.o) {
          std::size_t iy = 0, ix = 0;
          const bool inside = tap(y, a.stride_y, ky, a.dilation_y, a.padding.top, in.h, iy) &&
                              tap(x, a.stride_x, kx, a.dilation_x, a.padding.left, in.w, ix);
          const float value = inside ? input[in.index(n, i, iy, ix)] : 0.0f;
          for (std::size_t o = 0; o < kernel.o; ++o) sums[o] += weight[o] * value;
        }
    store_pixel(sums, bias, out, n, y, x, result);
  };
  for (std::size_t n = 0; n < out.n; ++n)
    for (std::size_t y = 0; y < out.h; ++y)
      for (std::size_t x = 0; x < out.w; ++x) pixel(n, y, x);
  encode(result, call.output());
  return {};
}

std::string depthwise_conv2d_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<ConvAttributes>();
  if (!check.operands(2, 3) || !types_fit(check) || !check.rank_of_input(0, 4, 4) ||
      !check.rank_of_input(1, 4, 4))
    return check.why();
  const Image in = Image::of(check.in(0).shape, a.layout);
  const Kernel2d kernel = depthwise_kernel(check.in(1).shape, a, in.c);
  const bool fits = kernel.i == in.c && in.c != 0 && kernel.o % in.c == 0 &&
                    (a.depthwise_weights == DepthwiseWeights::Mihw || check.in(1).shape[0] == 1);
  if (!check.require(fits, fmt::format("its weights {} do not fit {} input channels",
                                       to_string(check.in(1).shape), in.c)) ||
      !check.scales_by_channel(1, static_cast<std::int64_t>(kernel.o)) || !bias_fits(check, kernel.o))
    return check.why();
  return window_limits(check, a, kernel);
}

Result<void> depthwise_conv2d(const KernelCall& call) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout);
  const Image out = Image::of(call.output().shape(), a.layout);
  const Kernel2d kernel = depthwise_kernel(call.input(1).shape(), a, in.c);
  const std::size_t multiplier = kernel.o / kernel.i;
  const WorkVector<float> input = decode(call.input(0));
  const WorkVector<float> weights = pack_depthwise_weights(call.input(1), kernel, a.depthwise_weights);
  const WorkVector<float> bias = bias_or_zero(call);
  WorkVector<float> result(out.count()), sums(kernel.o), row(kernel.o);
  const auto pixel = [&](std::size_t n, std::size_t y, std::size_t x) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    const float* weight = weights.data();
    for (std::size_t ky = 0; ky < kernel.h; ++ky)
      for (std::size_t kx = 0; kx < kernel.w; ++kx, weight += kernel.o) {
        std::size_t iy = 0, ix = 0;
        const bool inside = tap(y, a.stride_y, ky, a.dilation_y, a.padding.top, in.h, iy) &&
                            tap(x, a.stride_x, kx, a.dilation_x, a.padding.left, in.w, ix);
        const std::size_t base = inside ? in.index(n, 0, iy, ix) : 0, step = in.channel_step();
        for (std::size_t c = 0; c < kernel.o; ++c)
          row[c] = inside ? input[base + c / multiplier * step] : 0.0f;
        for (std::size_t c = 0; c < kernel.o; ++c) sums[c] += weight[c] * row[c];
      }
    store_pixel(sums, bias, out, n, y, x, result);
  };
  for (std::size_t n = 0; n < out.n; ++n)
    for (std::size_t y = 0; y < out.h; ++y)
      for (std::size_t x = 0; x < out.w; ++x) pixel(n, y, x);
  encode(result, call.output());
  return {};
}

std::string transpose_conv2d_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<ConvAttributes>();
  if (!check.operands(2, 3) || !types_fit(check) || !check.rank_of_input(0, 4, 4) ||
      !check.rank_of_input(1, 4, 4))
    return check.why();
  const Image in = Image::of(check.in(0).shape, a.layout);
  const Kernel2d kernel = conv_kernel(check.in(1).shape, a.layout);
  if (!sane_window(check, a, kernel) ||
      !check.require(kernel.i == in.c,
                     fmt::format("its weights have {} input channels, the input {}", kernel.i, in.c)) ||
      !check.scales_by_channel(1, static_cast<std::int64_t>(kernel.o)) || !bias_fits(check, kernel.o) ||
      !check.rank_of_input(0, 4, 4) ||
      !check.require(check.out().shape.size() == 4, "its output is not of rank 4"))
    return check.why();
  const auto length = [](std::size_t size, std::size_t stride, std::size_t reach, std::size_t pads) {
    const std::size_t full = (size == 0 ? 0 : size - 1) * stride + reach;
    return full > pads ? full - pads : 0;
  };
  const Image out{in.n, kernel.o,
                  length(in.h, a.stride_y, kernel.h, a.padding.top + std::size_t{a.padding.bottom}),
                  length(in.w, a.stride_x, kernel.w, a.padding.left + std::size_t{a.padding.right}), in.nhwc};
  check.output_shape(out.shape());
  return check.why();
}

Result<void> transpose_conv2d(const KernelCall& call) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Kernel2d kernel = conv_kernel(call.input(1).shape(), a.layout);
  const Image in = Image::of(call.input(0).shape(), a.layout);
  const Image out = Image::of(call.output().shape(), a.layout);
  const WorkVector<float> input = decode(call.input(0));
  const WorkVector<float> weights = pack_conv_weights(call.input(1), kernel, a.layout);
  const WorkVector<float> bias = bias_or_zero(call);
  WorkVector<float> result(out.count(), 0.0f);
  // Every input pixel adds its products to the outputs it reaches, input channels innermost.
  const auto scatter = [&](std::size_t n, std::size_t iy, std::size_t ix) {
    for (std::size_t ky = 0; ky < kernel.h; ++ky)
      for (std::size_t kx = 0; kx < kernel.w; ++kx) {
        const std::size_t y = iy * a.stride_y + ky - a.padding.top;  // wraps below 0: then not inside either
        const std::size_t x = ix * a.stride_x + kx - a.padding.left;
        if (y >= out.h || x >= out.w) continue;
        const std::size_t base = out.index(n, 0, y, x), step = out.channel_step();
        for (std::size_t i = 0; i < kernel.i; ++i) {
          const float value = input[in.index(n, i, iy, ix)];
          const float* weight = &weights[((i * kernel.h + ky) * kernel.w + kx) * kernel.o];
          for (std::size_t o = 0; o < kernel.o; ++o) result[base + o * step] += value * weight[o];
        }
      }
  };
  for (std::size_t n = 0; n < in.n; ++n)
    for (std::size_t y = 0; y < in.h; ++y)
      for (std::size_t x = 0; x < in.w; ++x) scatter(n, y, x);
  if (!bias.empty()) {
    for (std::size_t n = 0; n < out.n; ++n)
      for (std::size_t o = 0; o < out.c; ++o)
        for (std::size_t y = 0; y < out.h; ++y)
          for (std::size_t x = 0; x < out.w; ++x) result[out.index(n, o, y, x)] += bias[o];
  }
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
