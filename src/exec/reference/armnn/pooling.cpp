// Pooling2d (armnn spec 3).
#include <algorithm>
#include <cfloat>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/image.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::PoolAlgorithm;
using graph::PoolAttributes;

bool is_global(const PoolAttributes& a) {
  return a.stride_x == 0 && a.stride_y == 0;
}

std::size_t output_length(std::size_t in, std::size_t before, std::size_t after, std::size_t pool,
                          std::size_t stride, bool ceiling) {
  const auto read = static_cast<std::int64_t>(in + before + after) - static_cast<std::int64_t>(pool);
  if (read < 0) return 0;
  const float steps = static_cast<float>(read) / static_cast<float>(stride);
  auto size = static_cast<std::size_t>(ceiling ? std::ceil(steps) : std::floor(steps)) + 1;
  // A last window that would begin beyond the input and its leading padding is dropped.
  if ((size - 1) * stride >= in + before) --size;
  return size;
}

// One dimension of a window: [start, end) inside the image, and its length before it was cut to the image.
struct Span1d {
  std::int64_t start = 0, end = 0, full = 0;
  bool cut = false;
};

Span1d span_of(std::size_t out, std::size_t stride, std::size_t before, std::size_t after, std::size_t pool,
               std::size_t size) {
  Span1d s;
  s.start = static_cast<std::int64_t>(out * stride) - static_cast<std::int64_t>(before);
  s.end = std::min(s.start + static_cast<std::int64_t>(pool), static_cast<std::int64_t>(size + after));
  s.full = s.end - s.start;
  return s;
}

void clamp_to(Span1d& s, std::size_t size) {
  const auto limit = static_cast<std::int64_t>(size);
  s.cut = s.start < 0 || s.end > limit;
  s.start = std::clamp<std::int64_t>(s.start, 0, limit);
  s.end = std::clamp<std::int64_t>(s.end, 0, limit);
}

bool on_padding_only(const Span1d& s, std::size_t size) {
  return s.end <= 0 || s.start > static_cast<std::int64_t>(size);
}

struct Pool {
  const PoolAttributes& a;
  Image in;
  const WorkVector<float>& input;
  std::size_t size_y, size_x;

  float window(std::size_t n, std::size_t c, std::size_t y, std::size_t x) const {
    Span1d v = span_of(y, a.stride_y, a.padding.top, a.padding.bottom, size_y, in.h);
    // The reference cuts rows to the image before it asks whether the window lies on padding, columns after.
    clamp_to(v, in.h);
    Span1d u = span_of(x, a.stride_x, a.padding.left, a.padding.right, size_x, in.w);
    auto area = static_cast<float>(v.full * u.full);
    if (on_padding_only(v, in.h) || on_padding_only(u, in.w)) return 0.0f;
    clamp_to(u, in.w);
    if ((v.cut || u.cut) && !a.padding_counts)
      area = static_cast<float>((v.end - v.start) * (u.end - u.start));
    return reduce(n, c, v, u, area);
  }

  float reduce(std::size_t n, std::size_t c, const Span1d& v, const Span1d& u, float area) const {
    float result = a.algorithm == PoolAlgorithm::Max ? -FLT_MAX : 0.0f;
    for (std::int64_t y = v.start; y < v.end; ++y)
      for (std::int64_t x = u.start; x < u.end; ++x) {
        const float value = input[in.index(n, c, static_cast<std::size_t>(y), static_cast<std::size_t>(x))];
        switch (a.algorithm) {
          case PoolAlgorithm::Max:
            if (value > result) result = value;
            break;
          case PoolAlgorithm::Average:
            result += value;
            break;
          case PoolAlgorithm::L2:
            result += value * value;
            break;
        }
      }
    if (a.algorithm == PoolAlgorithm::Average) return result / area;
    return a.algorithm == PoolAlgorithm::L2 ? std::sqrt(result / area) : result;
  }
};

}  // namespace

std::string pool2d_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<PoolAttributes>();
  constexpr std::uint32_t kLargest = 1u << 24;
  if (!check.operands(1, 1) || !check.numeric() || !check.one_type() || !check.rank_of_input(0, 4, 4) ||
      !check.require(is_global(a) || (a.stride_x != 0 && a.stride_y != 0 && a.size_x != 0 && a.size_y != 0),
                     "a stride or a window size is 0") ||
      !check.require(
          a.size_x < kLargest && a.size_y < kLargest && a.stride_x < kLargest && a.stride_y < kLargest &&
              std::max({a.padding.left, a.padding.right, a.padding.top, a.padding.bottom}) < kLargest,
          "its window, stride or padding is 2^24 or more"))
    return check.why();
  const Image in = Image::of(check.in(0).shape, a.layout);
  Image out = in;
  out.h = is_global(a)
              ? 1
              : output_length(in.h, a.padding.top, a.padding.bottom, a.size_y, a.stride_y, a.ceiling);
  out.w = is_global(a)
              ? 1
              : output_length(in.w, a.padding.left, a.padding.right, a.size_x, a.stride_x, a.ceiling);
  if (check.require(out.h > 0 && out.w > 0, "its window is larger than the padded input"))
    check.output_shape(out.shape());
  return check.why();
}

Result<void> pool2d(const KernelCall& call) {
  const auto& a = call.node.attr<PoolAttributes>();
  const WorkVector<float> input = decode(call.input(0));
  const Image in = Image::of(call.input(0).shape(), a.layout);
  const Image out = Image::of(call.output().shape(), a.layout);
  const Pool pool{a, in, input, a.size_y, a.size_x};
  WorkVector<float> result(out.count());
  for (std::size_t n = 0; n < out.n; ++n)
    for (std::size_t c = 0; c < out.c; ++c)
      for (std::size_t y = 0; y < out.h; ++y)
        for (std::size_t x = 0; x < out.w; ++x) result[out.index(n, c, y, x)] = pool.window(n, c, y, x);
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
