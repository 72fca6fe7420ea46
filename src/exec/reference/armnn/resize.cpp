// ResizeBilinear and Resize (armnn spec 3).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/image.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::ResizeAttributes;

// Where an output index falls between two input indices.
struct Position {
  float weight = 0;
  std::size_t low = 0, high = 0;
};

WorkVector<Position> positions(std::size_t in, std::size_t out, const ResizeAttributes& a) {
  const float scale = a.align_corners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                                 : static_cast<float>(in) / static_cast<float>(out);
  WorkVector<Position> all(out);
  for (std::size_t o = 0; o < out; ++o) {
    Position& p = all[o];
    const auto index = static_cast<float>(o);
    const float source = a.half_pixel_centers ? (index + 0.5f) * scale - 0.5f : index * scale;
    const float floor = std::floor(source);
    p.low = floor > 0 ? static_cast<std::size_t>(floor) : 0;
    p.weight = source - floor;
    const std::size_t next =
        a.half_pixel_centers ? static_cast<std::size_t>(std::max(std::ceil(source), 0.0f)) : p.low + 1;
    p.high = std::min(next, in - 1);
    p.low = std::min(p.low, in - 1);
  }
  return all;
}

float lerp(float a, float b, float w) {
  return w * b + (1.0f - w) * a;
}

}  // namespace

std::string resize_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<ResizeAttributes>();
  if (!check.require(!(a.align_corners && a.half_pixel_centers),
                     "aligned corners and half-pixel centres at once") ||
      !check.operands(1, 1) || !check.numeric() || !check.one_type() || !check.rank_of_input(0, 4, 4))
    return check.why();
  Image image = Image::of(check.in(0).shape, a.layout);
  if (!check.require(image.h != 0 && image.w != 0, "its input is empty")) return check.why();
  image.h = a.height;
  image.w = a.width;
  check.output_shape(image.shape());
  return check.why();
}

Result<void> resize(const KernelCall& call) {
  const auto& a = call.node.attr<ResizeAttributes>();
  const Image in = Image::of(call.input(0).shape(), a.layout),
              out = Image::of(call.output().shape(), a.layout);
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(out.count());
  const WorkVector<Position> rows = positions(in.h, out.h, a), columns = positions(in.w, out.w, a);
  const auto bilinear = [&](std::size_t n, std::size_t c, const Position& y, const Position& x) {
    const float top =
        lerp(input[in.index(n, c, y.low, x.low)], input[in.index(n, c, y.low, x.high)], x.weight);
    const float bottom =
        lerp(input[in.index(n, c, y.high, x.low)], input[in.index(n, c, y.high, x.high)], x.weight);
    return lerp(top, bottom, y.weight);
  };
  // The reference measures distances from the lower neighbour itself, so the lower one always is the nearest.
  const auto nearest = [&](std::size_t n, std::size_t c, const Position& y, const Position& x) {
    return input[in.index(n, c, y.low, x.low)];
  };
  const bool is_bilinear = a.method == graph::ResizeMethod::Bilinear;
  for (std::size_t n = 0; n < out.n; ++n)
    for (std::size_t c = 0; c < out.c; ++c)
      for (std::size_t y = 0; y < out.h; ++y)
        for (std::size_t x = 0; x < out.w; ++x)
          result[out.index(n, c, y, x)] =
              is_bilinear ? bilinear(n, c, rows[y], columns[x]) : nearest(n, c, rows[y], columns[x]);
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
