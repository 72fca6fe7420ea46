// Reshape, Permute and Transpose, Pad, Slice, StridedSlice, Stack, Gather (armnn spec 3).
#include <algorithm>

#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"
#include "exec/reference/armnn/rearrange.h"

namespace npubin::exec::armnn {

std::string reshape_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (check.operands(1, 2) && check.type_of_input(0, check.out().type)) check.same_count();
  return check.why();
}
Result<void> reshape(const KernelCall& call) {
  std::memcpy(call.output().mutable_data(), call.input(0).data(), call.output().byte_size());
  return {};
}

std::string transpose_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (!check.operands(1, 1) || !check.one_type()) return check.why();
  const auto& permutation = node.attr<graph::TransposeAttributes>().permutation;
  const Shape& in = check.in(0).shape;
  std::vector<bool> seen(in.size(), false);
  bool valid = permutation.size() == in.size();
  Shape out;
  for (std::size_t d = 0; valid && d < permutation.size(); ++d) {
    const auto from = static_cast<std::size_t>(permutation[d]);
    valid = permutation[d] >= 0 && from < in.size() && !seen[from];
    if (!valid) break;
    seen[from] = true;
    out.push_back(in[from]);
  }
  if (check.require(valid, "its permutation is none of the input's dimensions")) check.output_shape(out);
  return check.why();
}
Result<void> transpose(const KernelCall& call) {
  const auto& permutation = call.node.attr<graph::TransposeAttributes>().permutation;
  const auto strides = strides_of(call.input(0).shape());
  WorkVector<std::int64_t> steps;
  for (std::int32_t from : permutation) steps.push_back(strides[static_cast<std::size_t>(from)]);
  copy_strided(call.input(0), call.output(), steps, 0);
  return {};
}

std::string pad_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::PadAttributes>();
  if (!check.operands(1, 1) || !check.numeric() || !check.one_type() ||
      !check.require(a.mode == graph::PadMode::Constant, "padding by reflection") ||
      !check.require(
          a.pads.size() == check.in(0).shape.size(),
          fmt::format("{} pairs of pads for shape {}", a.pads.size(), npubin::to_string(check.in(0).shape))))
    return check.why();
  Shape out = check.in(0).shape;
  for (std::size_t d = 0; d < out.size(); ++d) out[d] += std::int64_t{a.pads[d].first} + a.pads[d].second;
  check.output_shape(out);
  return check.why();
}
Result<void> pad(const KernelCall& call) {
  const auto& a = call.node.attr<graph::PadAttributes>();
  Tensor& out = call.output();
  // Codes are filled with the integer itself, not with the code of the number (armnn spec 3, Pad).
  static const Quantization plain = Quantization::per_tensor(1.0f, 0);
  fill(a.value, out, plain);
  const auto strides = strides_of(out.shape());
  std::int64_t start = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) start += strides[d] * a.pads[d].first;
  const std::size_t size = size_of(out.type());
  for_each_strided(call.input(0).shape(), strides, start, [&](std::size_t i, std::size_t at) {
    std::memcpy(out.mutable_data() + at * size, call.input(0).data() + i * size, size);
  });
  return {};
}

std::string slice_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::SliceAttributes>();
  if (!check.operands(1, 1) || !check.one_type()) return check.why();
  const Shape& in = check.in(0).shape;
  bool inside = a.begin.size() == in.size() && a.size.size() == in.size();
  for (std::size_t d = 0; inside && d < in.size(); ++d)
    inside = a.begin[d] >= 0 && a.size[d] >= 0 && a.begin[d] <= in[d] && a.size[d] <= in[d] - a.begin[d];
  if (check.require(inside, "its box lies outside the input")) check.output_shape(a.size);
  return check.why();
}
Result<void> slice(const KernelCall& call) {
  const auto& a = call.node.attr<graph::SliceAttributes>();
  const auto strides = strides_of(call.input(0).shape());
  std::int64_t start = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) start += strides[d] * a.begin[d];
  copy_strided(call.input(0), call.output(), strides, start);
  return {};
}

std::string stack_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (!check.operands(1, node.inputs.size()) || !check.one_type()) return check.why();
  Shape shape = check.in(0).shape;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (!check.require(check.has(i) && check.in(i).shape == shape,
                       fmt::format("operand {} has another shape", i)))
      return check.why();
  const int axis = node.attr<graph::StackAttributes>().axis;
  if (!check.require(axis >= 0 && axis <= static_cast<int>(shape.size()), fmt::format("axis {}", axis)))
    return check.why();
  shape.insert(shape.begin() + axis, static_cast<std::int64_t>(node.inputs.size()));
  check.output_shape(shape);
  return check.why();
}
Result<void> stack(const KernelCall& call) {
  const int axis = call.node.attr<graph::StackAttributes>().axis;
  Tensor& out = call.output();
  std::size_t outer = 1, inner = size_of(out.type());
  for (std::size_t d = 0; d < call.input(0).rank(); ++d)
    (static_cast<int>(d) < axis ? outer : inner) *= static_cast<std::size_t>(call.input(0).dim(d));
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t k = 0; k < call.inputs.size(); ++k)
      std::memcpy(out.mutable_data() + (o * call.inputs.size() + k) * inner, call.input(k).data() + o * inner,
                  inner);
  return {};
}

std::string gather_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::GatherAttributes>();
  if (!check.operands(2, 2) || !check.type_of_input(1, DType::I32) ||
      !check.type_of_input(0, check.out().type) ||
      !check.require(is_numeric(check.in(0).type) || check.in(0).type == DType::I32,
                     fmt::format("its input is {}", to_string(check.in(0).type))) ||
      !check.require(a.batch_dims == 0, "batch dimensions") || !check.scales_fit(0))
    return check.why();
  const Shape &in = check.in(0).shape, &indices = check.in(1).shape;
  const int rank = static_cast<int>(in.size());
  const int axis = a.axis < 0 ? a.axis + rank : a.axis;
  if (!check.require(axis >= 0 && axis < rank,
                     fmt::format("axis {} of shape {}", a.axis, npubin::to_string(in))))
    return check.why();
  Shape out(in.begin(), in.begin() + axis);
  out.insert(out.end(), indices.begin(), indices.end());
  out.insert(out.end(), in.begin() + axis + 1, in.end());
  check.output_shape(out);
  return check.why();
}
// Values pass through float32, as in the reference: integers beyond 2^24 lose bits.
Result<void> gather(const KernelCall& call) {
  const auto& a = call.node.attr<graph::GatherAttributes>();
  const Shape& shape = call.input(0).shape();
  const auto axis = static_cast<std::size_t>(a.axis < 0 ? a.axis + static_cast<int>(shape.size()) : a.axis);
  const WorkVector<float> params = decode(call.input(0));
  const auto indices = call.input(1).as<std::int32_t>();
  std::size_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != axis) (d < axis ? outer : inner) *= static_cast<std::size_t>(shape[d]);
  const auto length = static_cast<std::size_t>(shape[axis]);
  WorkVector<float> result;
  result.reserve(static_cast<std::size_t>(call.output().count()));
  for (std::size_t k = 0; k < indices.size(); ++k)
    if (indices[k] < 0 || static_cast<std::size_t>(indices[k]) >= length)
      return malformed({}, fmt::format("index {} at position {} is outside 0..{}", indices[k], k,
                                       static_cast<std::int64_t>(length) - 1));
  for (std::size_t o = 0; o < outer; ++o)
    for (std::int32_t index : indices) {
      const auto from = params.begin() +
                        static_cast<std::ptrdiff_t>((o * length + static_cast<std::size_t>(index)) * inner);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(inner));
    }
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
