// Movement of elements that Arm NN 20.08 has no layer for, by layers it has.
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/expansions.h"
#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

void concatenate(ArmnnRewrite& out, const std::vector<ValueId>& parts, std::size_t axis, ValueId to) {
  ConcatAttributes a;
  a.axis = static_cast<int>(axis);
  std::uint32_t offset = 0;
  for (ValueId id : parts) {
    std::vector<std::uint32_t> origin(out.value(id).shape.size(), 0);
    origin[axis] = offset;
    offset += static_cast<std::uint32_t>(out.value(id).shape[axis]);
    a.view_origins.push_back(std::move(origin));
  }
  out.add(Op::Concat, a, parts, {to});
}

}  // namespace

// Each dimension in turn: the tensor beside itself.
std::string rewrite_tile(ArmnnRewrite& out, const graph::Node& node) {
  constexpr std::int64_t kMostCopies = 1024;
  const auto& a = node.attr<TileAttributes>();
  ValueId now = node.inputs[0];
  std::size_t last = a.multiples.size();
  for (std::size_t d = 0; d < a.multiples.size(); ++d) {
    if (a.multiples[d] < 1) return "into an empty tensor";
    if (a.multiples[d] > kMostCopies) return fmt::format("{} copies", a.multiples[d]);
    if (a.multiples[d] != 1) last = d;
  }
  for (std::size_t d = 0; d < a.multiples.size(); ++d) {
    if (a.multiples[d] == 1) continue;
    Shape shape = out.value(now).shape;
    shape[d] *= a.multiples[d];
    const ValueId to = d == last ? node.outputs[0] : out.temporary(node.outputs[0], shape);
    concatenate(out, std::vector<ValueId>(static_cast<std::size_t>(a.multiples[d]), now), d, to);
    now = to;
  }
  if (now == node.inputs[0])
    out.add(Op::Reshape, ReshapeAttributes{out.value(now).shape}, {now}, node.outputs);
  return {};
}

namespace {

// `size` elements along `axis`, from `first` backwards.
ValueId backwards(ArmnnRewrite& out, ValueId from, std::size_t axis, std::int64_t first, std::int64_t size) {
  const Shape shape = out.value(from).shape;
  StridedSliceAttributes a;
  Shape part = shape;
  part[axis] = size;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    a.begin.push_back(d == axis ? static_cast<std::int32_t>(first) : 0);
    a.end.push_back(d == axis ? static_cast<std::int32_t>(first - size)
                              : static_cast<std::int32_t>(shape[d]));
    a.stride.push_back(d == axis ? -1 : 1);
  }
  // Beyond the front there is no index: the mask says "to the end".
  if (first - size < 0) a.end_mask = 1u << axis;
  const ValueId to = out.temporary(from, part);
  out.add(Op::StridedSlice, a, {from}, {to});
  return to;
}

}  // namespace

// Borders that run backwards, put beside the tensor one dimension after the other.
std::string rewrite_mirror_pad(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<PadAttributes>();
  if (out.value(node.inputs[0]).shape.size() > 4) return "mirrored in more than four dimensions";
  const std::int64_t skipped = a.mode == PadMode::Reflect ? 1 : 0;
  ValueId now = node.inputs[0];
  std::size_t last = a.pads.size();
  for (std::size_t d = 0; d < a.pads.size(); ++d)
    if (a.pads[d].first != 0 || a.pads[d].second != 0) last = d;
  for (std::size_t d = 0; d < a.pads.size(); ++d) {
    const std::int64_t before = a.pads[d].first, after = a.pads[d].second, size = out.value(now).shape[d];
    if (before == 0 && after == 0) continue;
    if (before > size - skipped || after > size - skipped) return "a border wider than the tensor";
    std::vector<ValueId> parts;
    if (before != 0) parts.push_back(backwards(out, now, d, before - 1 + skipped, before));
    parts.push_back(now);
    if (after != 0) parts.push_back(backwards(out, now, d, size - 1 - skipped, after));
    Shape shape = out.value(now).shape;
    shape[d] += before + after;
    const ValueId to = d == last ? node.outputs[0] : out.temporary(node.outputs[0], shape);
    concatenate(out, parts, d, to);
    now = to;
  }
  if (now == node.inputs[0])
    out.add(Op::Reshape, ReshapeAttributes{out.value(now).shape}, {now}, node.outputs);
  return {};
}

// Arm NN's Fill has a float as an attribute; a value that is computed is spread over zeros.
std::string rewrite_fill(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId dimensions = node.inputs[0], value = node.inputs[1];
  const Value given = out.value(value), result = out.value(node.outputs[0]);
  if (given.constant && result.type == DType::F32 && out.value(dimensions).type == DType::I32) {
    out.add(Op::Fill, FillAttributes{static_cast<float>(given.constant->real(0))}, {dimensions},
            node.outputs);
    return {};
  }
  if (!out.value(dimensions).constant) return "a shape that is computed while running";
  if (result.type != DType::F32 && result.type != DType::I32)
    return fmt::format("with {}", npubin::to_string(result.type));
  if (result.shape.empty() || count_of(result.shape) > kLargestExpansion)
    return fmt::format("the shape {}", npubin::to_string(result.shape));
  const ValueId zeros = out.constant("zeros", Tensor(result.type, result.shape));
  const ValueId one = out.reshaped(value, Shape(result.shape.size(), 1));
  out.add(Op::Add, BinaryAttributes{}, {zeros, one}, node.outputs);
  return {};
}

// Index vectors become places in the flattened tensor.
std::string rewrite_gather_nd(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId x = node.inputs[0], indices = node.inputs[1];
  const Shape shape = out.value(x).shape, at = out.value(indices).shape,
              to = out.value(node.outputs[0]).shape;
  if (out.value(indices).type != DType::I32) return "indices of 64 bits";
  if (at.empty() || at.back() < 1 || at.back() > static_cast<std::int64_t>(shape.size()))
    return "these indices";
  const auto depth = static_cast<std::size_t>(at.back());
  const std::int64_t count = count_of(at) / at.back();
  Shape flat{1};
  std::vector<std::int64_t> strides(depth, 1);
  for (std::size_t d = depth; d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  flat[0] = strides[0] * shape[0];
  // Integers pass through float32 in a Gather.
  if (flat[0] > (1 << 24) || count > kLargestExpansion) return "so large a tensor";
  flat.insert(flat.end(), shape.begin() + static_cast<std::ptrdiff_t>(depth), shape.end());
  const ValueId rows = out.reshaped(indices, {count * at.back()});
  ValueId places = kNoValue;
  for (std::size_t d = 0; d < depth; ++d) {
    // 20.08 slices no integers, but gathers them.
    const ValueId column = out.temporary(indices, {count});
    std::vector<std::int32_t> at_column;
    for (std::int64_t i = 0; i < count; ++i)
      at_column.push_back(static_cast<std::int32_t>(i * at.back() + static_cast<std::int64_t>(d)));
    gather_along(out, rows, 0, at_column, column);
    Tensor stride(DType::I32, {1});
    stride.as_mutable<std::int32_t>()[0] = static_cast<std::int32_t>(strides[d]);
    const ValueId part = out.binary(Op::Mul, column, out.constant("stride", std::move(stride)), {count});
    places = places == kNoValue ? part : out.binary(Op::Add, places, part, {count});
  }
  const ValueId from = out.reshaped(x, flat);
  Shape taken = flat;
  taken[0] = count;
  const ValueId found = out.temporary(node.outputs[0], taken);
  out.add(Op::Gather, GatherAttributes{}, {from, places}, {found});
  out.add(Op::Reshape, ReshapeAttributes{to}, {found}, node.outputs);
  return {};
}

}  // namespace npubin::convert
