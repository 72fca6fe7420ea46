// Operators that move elements.
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
  if (a.mode != PadMode::Constant) return "mirrored padding";
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

std::string rewrite_gather(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<GatherAttributes>();
  if (a.batch_dims != 0) return "batch dimensions";
  if (a.axis != 0) return fmt::format("along dimension {}; 20.08 only takes the first", a.axis);
  if (out.value(node.inputs[1]).type != DType::I32) return "indices of 64 bits";
  out.add(Op::Gather, a, node.inputs, node.outputs);
  return {};
}

std::string rewrite_space_batch(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<SpaceBatchAttributes>();
  const Value& in = out.value(node.inputs[0]);
  if (a.block.size() != 2 || in.shape.size() != 4) return "blocks of one dimension";
  out.add(node.op, a, {node.inputs[0]}, node.outputs);
  return {};
}

}  // namespace npubin::convert
