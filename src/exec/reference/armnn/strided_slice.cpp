// StridedSlice (armnn spec 3): masks by bit, the ellipsis and new-axis masks are stored but have no effect.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/rearrange.h"

namespace npubin::exec::armnn {
namespace {

using graph::StridedSliceAttributes;

struct Walk {
  WorkShape start, stride, length;
  WorkShape shape;  // without the shrunk dimensions
};

bool bit(std::uint32_t mask, std::size_t d) {
  return ((mask >> d) & 1u) != 0;
}

std::int64_t start_of(const StridedSliceAttributes& a, std::size_t d, std::int64_t size) {
  const std::int64_t stride = a.stride[d];
  std::int64_t start = a.begin[d];
  if (bit(a.begin_mask, d)) start = stride > 0 ? INT32_MIN : INT32_MAX;
  if (start < 0) start += size;
  return std::clamp<std::int64_t>(start, 0, size - 1);
}

std::int64_t stop_of(const StridedSliceAttributes& a, std::size_t d, std::int64_t size, std::int64_t start) {
  const std::int64_t stride = a.stride[d];
  std::int64_t stop = a.end[d];
  if (bit(a.shrink_axis_mask, d)) return std::clamp<std::int64_t>(start + 1, 0, size);
  if (bit(a.end_mask, d)) stop = stride > 0 ? INT32_MAX : INT32_MIN;
  if (stop < 0) stop += size;
  return stride > 0 ? std::clamp<std::int64_t>(stop, 0, size) : std::clamp<std::int64_t>(stop, -1, size - 1);
}

// Precondition: as many begins, ends and strides as dimensions, no stride 0, no empty dimension.
Walk walk_of(const StridedSliceAttributes& a, const Shape& in) {
  Walk walk;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const std::int64_t start = start_of(a, d, in[d]), stop = stop_of(a, d, in[d], start),
                       stride = a.stride[d];
    const std::int64_t span = stride > 0 ? stop - start : start - stop, pace = stride > 0 ? stride : -stride;
    walk.start.push_back(start);
    walk.stride.push_back(stride);
    walk.length.push_back(span > 0 ? (span + pace - 1) / pace : 0);
    if (!bit(a.shrink_axis_mask, d)) walk.shape.push_back(walk.length.back());
  }
  if (walk.shape.empty()) walk.shape.push_back(1);
  return walk;
}

}  // namespace

std::string strided_slice_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<StridedSliceAttributes>();
  if (!check.operands(1, 1) || !check.one_type() || !check.rank_of_input(0, 1, 4)) return check.why();
  const Shape& in = check.in(0).shape;
  if (!check.require(a.begin.size() == in.size() && a.end.size() == in.size() && a.stride.size() == in.size(),
                     fmt::format("{} begins, {} ends, {} strides for shape {}", a.begin.size(), a.end.size(),
                                 a.stride.size(), npubin::to_string(in))))
    return check.why();
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (!check.require(a.stride[d] != 0 && in[d] > 0,
                       fmt::format("dimension {} has stride 0 or no elements", d)))
      return check.why();
    if (bit(a.shrink_axis_mask, d) &&
        !check.require(a.stride[d] > 0 && std::abs(std::int64_t{a.begin[d]} - a.end[d]) <= 1,
                       fmt::format("dimension {} is to shrink but spans more than one element", d)))
      return check.why();
  }
  const WorkShape shape = walk_of(a, in).shape;
  check.output_shape(Shape(shape.begin(), shape.end()));
  return check.why();
}

Result<void> strided_slice(const KernelCall& call) {
  const Shape& shape = call.input(0).shape();
  const Walk walk = walk_of(call.node.attr<StridedSliceAttributes>(), shape);
  WorkVector<std::int64_t> steps = strides_of(shape);
  std::int64_t start = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    start += steps[d] * walk.start[d];
    steps[d] *= walk.stride[d];
  }
  const std::size_t size = size_of(call.output().type());
  for_each_strided(walk.length, steps, start, [&](std::size_t i, std::size_t at) {
    std::memcpy(call.output().mutable_data() + i * size, call.input(0).data() + at * size, size);
  });
  return {};
}

}  // namespace npubin::exec::armnn
