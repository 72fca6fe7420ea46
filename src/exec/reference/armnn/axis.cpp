// Along one axis or several: Softmax, LogSoftmax, Mean, ArgMinMax (armnn spec 3).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::ReduceAttributes;
using graph::ReduceOperation;

// Elements before, along and after an axis; the axis may be negative.
struct Line {
  std::size_t outer = 1, length = 1, inner = 1;
};

bool valid_axis(int axis, std::size_t rank) {
  return axis >= -static_cast<int>(rank) && axis < static_cast<int>(rank);
}
std::size_t positive_axis(int axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis);
}

Line line_of(const Shape& shape, int axis) {
  const std::size_t at = positive_axis(axis, shape.size());
  Line line;
  for (std::size_t d = 0; d < shape.size(); ++d)
    (d < at ? line.outer : d == at ? line.length : line.inner) *= static_cast<std::size_t>(shape[d]);
  return line;
}

bool axis_exists(Limits& check, int axis) {
  return check.require(valid_axis(axis, check.in(0).shape.size()),
                       fmt::format("axis {} of shape {}", axis, npubin::to_string(check.in(0).shape)));
}

void softmax_line(const float* in, float* out, const Line& line, float beta, bool logarithm) {
  const auto at = [&](std::size_t k) { return in[k * line.inner]; };
  float largest = at(0);
  for (std::size_t k = 1; k < line.length; ++k) largest = std::max(largest, at(k));
  float sum = 0;
  for (std::size_t k = 0; k < line.length; ++k) sum += std::exp((at(k) - largest) * beta);
  const float log_sum = logarithm ? std::log(sum) : 0;
  for (std::size_t k = 0; k < line.length; ++k) {
    const float x = (at(k) - largest) * beta;
    out[k * line.inner] = logarithm ? x - log_sum : std::exp(x) / sum;
  }
}

// Which dimensions are reduced; empty axes mean all.
WorkVector<bool> reduced_dimensions(const ReduceAttributes& a, std::size_t rank) {
  WorkVector<bool> reduced(rank, a.axes.empty());
  for (std::int32_t axis : a.axes) reduced[positive_axis(axis, rank)] = true;
  return reduced;
}

Shape reduced_shape(const Shape& in, const WorkVector<bool>& reduced, bool keep) {
  Shape out;
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (!reduced[d]) out.push_back(in[d]);
    if (reduced[d] && keep) out.push_back(1);
  }
  if (out.empty()) out.push_back(1);
  return out;
}

}  // namespace

std::string softmax_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (check.operands(1, 1) && check.numeric() && check.one_type() && check.rank_of_input(0, 1, 5) &&
      axis_exists(check, node.attr<graph::SoftmaxAttributes>().axis))
    check.output_shape(check.in(0).shape);
  return check.why();
}

Result<void> softmax(const KernelCall& call) {
  const auto& a = call.node.attr<graph::SoftmaxAttributes>();
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(input.size());
  const Line line = line_of(call.input(0).shape(), a.axis);
  if (line.length == 0) return {};
  for (std::size_t o = 0; o < line.outer; ++o)
    for (std::size_t i = 0; i < line.inner; ++i) {
      const std::size_t base = o * line.length * line.inner + i;
      softmax_line(&input[base], &result[base], line, a.beta, call.node.op == graph::Op::LogSoftmax);
    }
  encode(result, call.output());
  return {};
}

std::string reduce_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<ReduceAttributes>();
  if (!check.require(a.operation == ReduceOperation::Mean, "a reduction other than Mean") ||
      !check.operands(1, 1) || !check.numeric() || !check.one_type() || !check.rank_of_input(0, 1, 4))
    return check.why();
  const Shape& in = check.in(0).shape;
  for (std::int32_t axis : a.axes)
    if (!axis_exists(check, axis)) return check.why();
  check.output_shape(reduced_shape(in, reduced_dimensions(a, in.size()), a.keep_dims));
  return check.why();
}

Result<void> reduce(const KernelCall& call) {
  const auto& a = call.node.attr<ReduceAttributes>();
  const Shape& shape = call.input(0).shape();
  const WorkVector<float> input = decode(call.input(0));
  const WorkVector<bool> reduced = reduced_dimensions(a, shape.size());
  WorkVector<float> sums(static_cast<std::size_t>(call.output().count()), 0.0f);
  WorkVector<std::size_t> step(shape.size(), 0), index(shape.size(), 0);
  std::size_t run = 1, members = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (reduced[d]) {
      members *= static_cast<std::size_t>(shape[d]);
    } else {
      step[d] = run;
      run *= static_cast<std::size_t>(shape[d]);
    }
  }
  std::size_t at = 0;
  for (float value : input) {
    sums[at] += value;
    for (std::size_t d = shape.size(); d-- > 0;) {
      at += step[d];
      if (++index[d] < static_cast<std::size_t>(shape[d])) break;
      at -= step[d] * index[d];
      index[d] = 0;
    }
  }
  for (float& sum : sums) sum = sum / static_cast<float>(members);
  encode(sums, call.output());
  return {};
}

std::string arg_min_max_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const int axis = node.attr<graph::ArgMinMaxAttributes>().axis;
  if (!check.operands(1, 1) || !check.rank_of_input(0, 1, 5) || !axis_exists(check, axis) ||
      !check.require(is_numeric(check.in(0).type) || check.in(0).type == DType::I32,
                     fmt::format("its input is {}", to_string(check.in(0).type))) ||
      !check.scales_fit(0) ||
      !check.require(check.out().type == DType::I32,
                     fmt::format("its output is {}", to_string(check.out().type))))
    return check.why();
  Shape shape = check.in(0).shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(positive_axis(axis, shape.size())));
  // The reference's shape inference gives a vector of one element where no dimension is left.
  if (shape.empty() && check.out().shape == Shape{1}) shape = {1};
  check.output_shape(shape);
  return check.why();
}

Result<void> arg_min_max(const KernelCall& call) {
  const auto& a = call.node.attr<graph::ArgMinMaxAttributes>();
  const WorkVector<float> input = decode(call.input(0));
  auto out = call.output().as_mutable<std::int32_t>();
  const Line line = line_of(call.input(0).shape(), a.axis);
  for (std::size_t o = 0; o < line.outer; ++o)
    for (std::size_t i = 0; i < line.inner; ++i) {
      const float* at = &input[o * line.length * line.inner + i];
      std::size_t best = 0;
      for (std::size_t k = 1; k < line.length; ++k) {
        const float value = at[k * line.inner], leader = at[best * line.inner];
        if (a.maximum ? value > leader : value < leader) best = k;
      }
      out[o * line.inner + i] = static_cast<std::int32_t>(best);
    }
  return {};
}

}  // namespace npubin::exec::armnn
