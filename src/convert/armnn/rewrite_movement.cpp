// Operators that move elements.
#include <algorithm>

#include <fmt/format.h>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

// A view's first element along every dimension.
std::vector<std::uint32_t> origin(std::size_t rank, std::size_t axis, std::int64_t offset) {
  std::vector<std::uint32_t> out(rank, 0);
  out[axis] = static_cast<std::uint32_t>(offset);
  return out;
}

}  // namespace

// The parameters are in the attributes; Arm NN has no operands for them.
std::string rewrite_first_operand(ArmnnRewrite& out, const graph::Node& node) {
  if (out.value(node.outputs[0]).shape.empty()) return "a scalar";
  out.add(node.op, node.attributes, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_concat(ArmnnRewrite& out, const graph::Node& node) {
  ConcatAttributes a = node.attr<ConcatAttributes>();
  const auto axis = static_cast<std::size_t>(a.axis);
  std::int64_t offset = 0;
  for (ValueId id : node.inputs) {
    const Shape& shape = out.value(id).shape;
    a.view_origins.push_back(origin(shape.size(), axis, offset));
    offset += shape[axis];
  }
  out.add(Op::Concat, a, node.inputs, node.outputs);
  return {};
}

std::string rewrite_split(ArmnnRewrite& out, const graph::Node& node) {
  SplitAttributes a = node.attr<SplitAttributes>();
  const bool even = node.inputs.size() == 2 && node.source_type != "SPLIT_V";
  const ValueId in = node.inputs[even ? 1 : 0];
  std::int64_t offset = 0;
  for (std::int64_t size : a.sizes) {
    if (size == 0) return "an empty part";
    a.view_origins.push_back(origin(out.value(in).shape.size(), static_cast<std::size_t>(a.axis), offset));
    offset += size;
  }
  out.add(Op::Split, a, {in}, node.outputs);
  return {};
}

std::string rewrite_stack(ArmnnRewrite& out, const graph::Node& node) {
  if (out.value(node.inputs[0]).shape.empty()) return "scalars";
  out.add(Op::Stack, node.attributes, node.inputs, node.outputs);
  return {};
}

// A split into parts of length 1, each without its dimension.
std::string rewrite_unstack(ArmnnRewrite& out, const graph::Node& node) {
  const Shape whole = out.value(node.inputs[0]).shape;
  const auto axis = static_cast<std::size_t>(node.attr<StackAttributes>().axis);
  if (whole.size() < 2) return "into scalars";
  SplitAttributes a;
  a.axis = static_cast<int>(axis);
  Shape part = whole;
  part[axis] = 1;
  std::vector<ValueId> parts;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    a.sizes.push_back(1);
    a.view_origins.push_back(origin(whole.size(), axis, static_cast<std::int64_t>(i)));
    parts.push_back(out.temporary(node.outputs[i], part));
  }
  out.add(Op::Split, a, {node.inputs[0]}, parts);
  for (std::size_t i = 0; i < parts.size(); ++i)
    out.add(Op::Reshape, ReshapeAttributes{out.value(node.outputs[i]).shape}, {parts[i]}, {node.outputs[i]});
  return {};
}

// Arm NN fills codes with the padding value as it is: the zero point is what stands for 0.
std::string rewrite_pad(ArmnnRewrite& out, const graph::Node& node) {
  PadAttributes a = node.attr<PadAttributes>();
  if (a.mode != PadMode::Constant) return rewrite_mirror_pad(out, node);
  const Value& result = out.value(node.outputs[0]);
  if (node.inputs.size() > 2 && node.inputs[2] != kNoValue) {
    const Value& value = out.value(node.inputs[2]);
    if (!value.constant) return "a value that is computed while running";
    Tensor plain = *value.constant;
    plain.set_quantization({});
    a.value = static_cast<float>(plain.real(0));
  } else if (!is_float(result.type) && result.quantization.present()) {
    a.value = static_cast<float>(result.quantization.zero_point());
  }
  out.add(Op::Pad, a, {node.inputs[0]}, node.outputs);
  return {};
}

namespace {

// 64-bit indices as Arm NN's 32-bit ones, where they are constants that fit.
ValueId narrow_indices(ArmnnRewrite& out, ValueId id) {
  const Value wide = out.value(id);
  if (wide.type != DType::I64 || !wide.constant) return id;
  Tensor narrow(DType::I32, wide.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(narrow.count()); ++i) {
    const std::int64_t index = wide.constant->as<std::int64_t>()[i];
    if (index < 0 || index > INT32_MAX) return id;
    narrow.as_mutable<std::int32_t>()[i] = static_cast<std::int32_t>(index);
  }
  return out.constant(wide.name, std::move(narrow));
}

Shape shape_permuted(const Shape& shape, const std::vector<std::int32_t>& permutation) {
  Shape to;
  for (std::int32_t d : permutation) to.push_back(shape[static_cast<std::size_t>(d)]);
  return to;
}

}  // namespace

// Arm NN 20.08 gathers along the first dimension only: others are brought there and back.
std::string rewrite_gather(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<GatherAttributes>();
  if (a.batch_dims != 0) return "batch dimensions";
  const ValueId indices = narrow_indices(out, node.inputs[1]);
  if (out.value(indices).type != DType::I32) return "indices of 64 bits";
  const Shape from = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  const auto axis = static_cast<std::size_t>(a.axis < 0 ? a.axis + static_cast<int>(from.size()) : a.axis);
  if (axis == 0) {
    out.add(Op::Gather, GatherAttributes{}, {node.inputs[0], indices}, node.outputs);
    return {};
  }
  const std::size_t inner = out.value(indices).shape.size();
  if (from.size() > 5 || to.size() > 5) return fmt::format("along dimension {} of more than five", a.axis);
  std::vector<std::int32_t> there{static_cast<std::int32_t>(axis)}, back;
  for (std::size_t d = 0; d < from.size(); ++d)
    if (d != axis) there.push_back(static_cast<std::int32_t>(d));
  for (std::size_t d = 0; d < to.size(); ++d)
    back.push_back(static_cast<std::int32_t>(d < axis ? d + inner : d < axis + inner ? d - axis : d));
  const ValueId first = out.temporary(node.inputs[0], shape_permuted(from, there));
  Shape found = out.value(indices).shape;
  const Shape& moved = out.value(first).shape;
  found.insert(found.end(), moved.begin() + 1, moved.end());
  const ValueId taken = out.temporary(node.outputs[0], found);
  out.add(Op::Transpose, TransposeAttributes{there}, {node.inputs[0]}, {first});
  out.add(Op::Gather, GatherAttributes{}, {first, indices}, {taken});
  out.add(Op::Transpose, TransposeAttributes{back}, {taken}, node.outputs);
  return {};
}

namespace {

// TensorFlow Lite's reference pads codes with 0 before it takes blocks, Arm NN with the zero point: a Pad
// does it then.
ValueId padded_with_code_0(ArmnnRewrite& out, Op op, SpaceBatchAttributes& a, ValueId x) {
  const Value in = out.value(x);
  const bool pads =
      std::any_of(a.pads.begin(), a.pads.end(), [](auto p) { return p.first != 0 || p.second != 0; });
  if (op != Op::SpaceToBatchNd || !pads || is_float(in.type) || in.quantization.zero_point() == 0) return x;
  PadAttributes pad;
  pad.pads = {{0, 0}, a.pads[0], a.pads[1], {0, 0}};
  Shape shape = in.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) shape[d] += pad.pads[d].first + pad.pads[d].second;
  const ValueId to = out.temporary(x, shape);
  out.add(Op::Pad, pad, {x}, {to});
  a.pads = {{0, 0}, {0, 0}};
  return to;
}

}  // namespace

// Blocks of one dimension get a second of 1.
std::string rewrite_space_batch(ArmnnRewrite& out, const graph::Node& node) {
  SpaceBatchAttributes a = node.attr<SpaceBatchAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  if (a.block.size() == 2 && in.size() == 4) {
    out.add(node.op, a, {padded_with_code_0(out, node.op, a, node.inputs[0])}, node.outputs);
    return {};
  }
  if (a.block.size() != 1 || a.pads.size() != 1 || in.size() != 3 || to.size() != 3)
    return fmt::format("blocks of {} dimensions in a tensor of {}", a.block.size(), in.size());
  a.block.push_back(1);
  a.pads.emplace_back(0, 0);
  ValueId flat = out.reshaped(node.inputs[0], {in[0], in[1], 1, in[2]});
  flat = padded_with_code_0(out, node.op, a, flat);
  const ValueId result = out.temporary(node.outputs[0], {to[0], to[1], 1, to[2]});
  out.add(node.op, a, {flat}, {result});
  out.add(Op::Reshape, ReshapeAttributes{to}, {result}, node.outputs);
  return {};
}

}  // namespace npubin::convert
