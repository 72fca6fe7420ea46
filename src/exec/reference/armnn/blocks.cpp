// SpaceToBatchNd, BatchToSpaceNd, SpaceToDepth, DepthToSpace (armnn spec 3).
#include <fmt/format.h>

#include "exec/reference/armnn/image.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::SpaceBatchAttributes;
using graph::SpaceDepthAttributes;

bool batch_attributes_fit(Limits& check, const SpaceBatchAttributes& a) {
  return check.operands(1, 1) && check.numeric() && check.one_type() && check.rank_of_input(0, 4, 4) &&
         check.require(a.block.size() == 2 && a.pads.size() == 2, "a block or pads of another rank than 2") &&
         check.require(a.block[0] != 0 && a.block[1] != 0, "a block of 0");
}

// dst image element (n,c,y,x) = src element or nothing; `from` gives the source index or -1.
template <class F>
Result<void> rearrange(const KernelCall& call, const Image& out, F&& from) {
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(out.count(), 0.0f);
  for (std::size_t n = 0; n < out.n; ++n)
    for (std::size_t c = 0; c < out.c; ++c)
      for (std::size_t y = 0; y < out.h; ++y)
        for (std::size_t x = 0; x < out.w; ++x) {
          const std::ptrdiff_t at = from(n, c, y, x);
          if (at >= 0) result[out.index(n, c, y, x)] = input[static_cast<std::size_t>(at)];
        }
  encode(result, call.output());
  return {};
}

std::ptrdiff_t inside(const Image& in, std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
  return y < in.h && x < in.w ? static_cast<std::ptrdiff_t>(in.index(n, c, y, x)) : -1;
}

}  // namespace

std::string space_to_batch_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<SpaceBatchAttributes>();
  if (!batch_attributes_fit(check, a)) return check.why();
  Image image = Image::of(check.in(0).shape, a.layout);
  image.n *= std::size_t{a.block[0]} * a.block[1];
  image.h = (image.h + a.pads[0].first + a.pads[0].second) / a.block[0];
  image.w = (image.w + a.pads[1].first + a.pads[1].second) / a.block[1];
  check.output_shape(image.shape());
  return check.why();
}

Result<void> space_to_batch(const KernelCall& call) {
  const auto& a = call.node.attr<SpaceBatchAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout),
              out = Image::of(call.output().shape(), a.layout);
  return rearrange(call, out, [&](std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
    const std::size_t shift = n / in.n;
    // Positions in the leading padding wrap around and are outside as well.
    return inside(in, n % in.n, c, y * a.block[0] + shift / a.block[1] - a.pads[0].first,
                  x * a.block[1] + shift % a.block[1] - a.pads[1].first);
  });
}

std::string batch_to_space_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<SpaceBatchAttributes>();
  if (!batch_attributes_fit(check, a)) return check.why();
  Image image = Image::of(check.in(0).shape, a.layout);
  const std::size_t block = std::size_t{a.block[0]} * a.block[1];
  const std::size_t high = image.h * a.block[0], wide = image.w * a.block[1];
  const std::size_t crop_y = std::size_t{a.pads[0].first} + a.pads[0].second;
  const std::size_t crop_x = std::size_t{a.pads[1].first} + a.pads[1].second;
  if (!check.require(image.n % block == 0,
                     fmt::format("{} batches are not a multiple of the block {}", image.n, block)) ||
      !check.require(crop_y <= high && crop_x <= wide, "it crops more than there is"))
    return check.why();
  image.n /= block;
  image.h = high - crop_y;
  image.w = wide - crop_x;
  check.output_shape(image.shape());
  return check.why();
}

Result<void> batch_to_space(const KernelCall& call) {
  const auto& a = call.node.attr<SpaceBatchAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout),
              out = Image::of(call.output().shape(), a.layout);
  return rearrange(call, out, [&](std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
    const std::size_t row = y + a.pads[0].first, column = x + a.pads[1].first;
    const std::size_t offset = row % a.block[0] * a.block[1] + column % a.block[1];
    return inside(in, offset * out.n + n, c, row / a.block[0], column / a.block[1]);
  });
}

std::string space_to_depth_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<SpaceDepthAttributes>();
  if (!check.operands(1, 1) || !check.numeric() || !check.one_type() || !check.rank_of_input(0, 4, 4))
    return check.why();
  Image image = Image::of(check.in(0).shape, a.layout);
  if (!check.require(a.block != 0 && image.h % a.block == 0 && image.w % a.block == 0,
                     fmt::format("the block {} does not divide the image", a.block)))
    return check.why();
  image.c *= std::size_t{a.block} * a.block;
  image.h /= a.block;
  image.w /= a.block;
  check.output_shape(image.shape());
  return check.why();
}

Result<void> space_to_depth(const KernelCall& call) {
  const auto& a = call.node.attr<SpaceDepthAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout),
              out = Image::of(call.output().shape(), a.layout);
  return rearrange(call, out, [&](std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
    const std::size_t place = c / in.c;
    return inside(in, n, c % in.c, y * a.block + place / a.block, x * a.block + place % a.block);
  });
}

std::string depth_to_space_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<SpaceDepthAttributes>();
  if (!check.operands(1, 1) || !check.numeric() || !check.one_type() || !check.rank_of_input(0, 4, 4))
    return check.why();
  Image image = Image::of(check.in(0).shape, a.layout);
  const std::size_t square = std::size_t{a.block} * a.block;
  if (!check.require(a.block != 0 && image.c % square == 0,
                     fmt::format("{} channels do not divide into blocks of {}", image.c, a.block)))
    return check.why();
  image.c /= square;
  image.h *= a.block;
  image.w *= a.block;
  check.output_shape(image.shape());
  return check.why();
}

Result<void> depth_to_space(const KernelCall& call) {
  const auto& a = call.node.attr<SpaceDepthAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout),
              out = Image::of(call.output().shape(), a.layout);
  return rearrange(call, out, [&](std::size_t n, std::size_t c, std::size_t y, std::size_t x) {
    const std::size_t place = y % a.block * a.block + x % a.block;
    return inside(in, n, place * out.c + c, y / a.block, x / a.block);
  });
}

}  // namespace npubin::exec::armnn
