// CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV. tflite spec 5.
#include "exec/reference/tflite/accumulate.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::ConvAttributes;

struct Image {
  std::int64_t batch, height, width, channels;
  explicit Image(const Shape& s) : batch(s[0]), height(s[1]), width(s[2]), channels(s[3]) {}
  std::int64_t at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c = 0) const {
    return ((n * height + y) * width + x) * channels + c;
  }
};

// One output pixel: accumulates over the window, then hands every channel to `finish`.
template <class P>
void conv(const KernelCall& call, const P& product) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Image in(call.input(0).shape()), out(call.output().shape());
  const Image weights(call.input(1).shape());  // batch: output channels
  const std::int64_t per_group = out.channels / (in.channels / weights.channels);
  for (std::int64_t n = 0; n < out.batch; ++n)
    for (std::int64_t y = 0; y < out.height; ++y)
      for (std::int64_t x = 0; x < out.width; ++x) {
        const std::int64_t top = y * a.stride_y - a.padding.top, left = x * a.stride_x - a.padding.left;
        for (std::int64_t o = 0; o < out.channels; ++o) {
          typename P::Sum sum{};
          for (std::int64_t ky = 0; ky < weights.height; ++ky) {
            const std::int64_t iy = top + ky * a.dilation_y;
            if (iy < 0 || iy >= in.height) continue;
            for (std::int64_t kx = 0; kx < weights.width; ++kx) {
              const std::int64_t ix = left + kx * a.dilation_x;
              if (ix < 0 || ix >= in.width) continue;
              const std::int64_t from = in.at(n, iy, ix, o / per_group * weights.channels);
              sum = product.dot(sum, from, weights.at(o, ky, kx), weights.channels);
            }
          }
          product.finish(sum, out.at(n, y, x, o), o);
        }
      }
}

template <class P>
void depthwise(const KernelCall& call, const P& product) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Image in(call.input(0).shape()), weights(call.input(1).shape()), out(call.output().shape());
  const std::int64_t multiplier = a.depth_multiplier;
  for (std::int64_t n = 0; n < out.batch; ++n)
    for (std::int64_t y = 0; y < out.height; ++y)
      for (std::int64_t x = 0; x < out.width; ++x) {
        const std::int64_t top = y * a.stride_y - a.padding.top, left = x * a.stride_x - a.padding.left;
        for (std::int64_t o = 0; o < out.channels; ++o) {
          typename P::Sum sum{};
          for (std::int64_t ky = 0; ky < weights.height; ++ky) {
            const std::int64_t iy = top + ky * a.dilation_y;
            if (iy < 0 || iy >= in.height) continue;
            for (std::int64_t kx = 0; kx < weights.width; ++kx) {
              const std::int64_t ix = left + kx * a.dilation_x;
              if (ix < 0 || ix >= in.width) continue;
              sum = product.dot(sum, in.at(n, iy, ix, o / multiplier), weights.at(0, ky, kx, o), 1);
            }
          }
          product.finish(sum, out.at(n, y, x, o), o);
        }
      }
}

// Scatters every input pixel over the output; the sums are finished at the end.
template <class P>
void transpose_conv(const KernelCall& call, const P& product) {
  const auto& a = call.node.attr<ConvAttributes>();
  const Image weights(call.input(1).shape()), in(call.input(2).shape()), out(call.output().shape());
  WorkVector<typename P::Sum> sums(static_cast<std::size_t>(call.output().count()));
  for (std::int64_t n = 0; n < in.batch; ++n)
    for (std::int64_t iy = 0; iy < in.height; ++iy)
      for (std::int64_t ix = 0; ix < in.width; ++ix)
        for (std::int64_t ky = 0; ky < weights.height; ++ky) {
          const std::int64_t y = iy * a.stride_y - a.padding.top + ky;
          if (y < 0 || y >= out.height) continue;
          for (std::int64_t kx = 0; kx < weights.width; ++kx) {
            const std::int64_t x = ix * a.stride_x - a.padding.left + kx;
            if (x < 0 || x >= out.width) continue;
            for (std::int64_t o = 0; o < out.channels; ++o) {
              auto& sum = sums[static_cast<std::size_t>(out.at(n, y, x, o))];
              sum = product.dot(sum, in.at(n, iy, ix), weights.at(o, ky, kx), in.channels);
            }
          }
        }
  for (std::size_t i = 0; i < sums.size(); ++i)
    product.finish(sums[i], static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) % out.channels);
}

}  // namespace

Result<void> run_conv(const KernelCall& call) {
  const ProductOperands operands{call.input(0),
                                 call.input(1),
                                 call.optional_input(2),
                                 call.output(),
                                 call.node.attr<ConvAttributes>().activation,
                                 Wide::NoInt32Bias};
  with_product(operands, [&](const auto& product) { conv(call, product); });
  return {};
}

Result<void> run_depthwise(const KernelCall& call) {
  const ProductOperands operands{call.input(0),
                                 call.input(1),
                                 call.optional_input(2),
                                 call.output(),
                                 call.node.attr<ConvAttributes>().activation,
                                 Wide::Always};
  with_product(operands, [&](const auto& product) { depthwise(call, product); });
  return {};
}

Result<void> run_transpose_conv(const KernelCall& call) {
  const ProductOperands operands{call.input(2),
                                 call.input(1),
                                 call.optional_input(3),
                                 call.output(),
                                 call.node.attr<ConvAttributes>().activation,
                                 Wide::Always};
  with_product(operands, [&](const auto& product) { transpose_conv(call, product); });
  return {};
}

}  // namespace npubin::exec::tflite
