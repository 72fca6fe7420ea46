// Movement of elements.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "convert/tflite/lowering.h"
#include "graph/views.h"

namespace npubin::convert {
namespace {

using graph::Node;

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

Tensor pairs(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& values) {
  Tensor out(DType::I32, {static_cast<std::int64_t>(values.size()), 2});
  auto to = out.as_mutable<std::int32_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    to[2 * i] = static_cast<std::int32_t>(values[i].first);
    to[2 * i + 1] = static_cast<std::int32_t>(values[i].second);
  }
  return out;
}

std::int32_t axis_constant(TfliteLowering& out, int axis) {
  Tensor tensor(DType::I32, {});
  tensor.as_mutable<std::int32_t>()[0] = axis;
  return out.constant("axis", tensor);
}

}  // namespace

Result<void> lower_reshape(TfliteLowering& out, const Node& node) {
  const std::vector<std::int32_t> shape = narrow(out.value(node.outputs[0]).shape);
  out.op("RESHAPE", "ReshapeOptions", {node.inputs[0], out.ints("shape", shape)}, {node.outputs[0]},
         {{"new_shape", shape}});
  return {};
}

Result<void> lower_transpose(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::TransposeAttributes>();
  out.op("TRANSPOSE", "TransposeOptions", {node.inputs[0], out.ints("permutation", a.permutation)},
         {node.outputs[0]}, {});
  return {};
}

Result<void> lower_concat(TfliteLowering& out, const Node& node) {
  NPUBIN_TRY(int axis, graph::concat_axis(out.source(), node));
  NPUBIN_TRY(double activation, fused_activation(node.attr<graph::ConcatAttributes>().activation));
  // TensorFlow Lite copies codes: operands of another scale are requantised first, as Arm NN does.
  std::vector<std::int32_t> operands;
  const Quantization& wanted = out.value(node.outputs[0]).quantization;
  for (graph::ValueId id : node.inputs) {
    if (out.value(id).quantization == wanted || is_float(out.value(id).type)) {
      operands.push_back(id);
      continue;
    }
    const std::int32_t same = out.temporary(node.outputs[0], out.value(id).shape);
    out.op("QUANTIZE", "QuantizeOptions", {id}, {same}, {});
    operands.push_back(same);
  }
  out.op("CONCATENATION", "ConcatenationOptions", operands, {node.outputs[0]},
         {{"axis", static_cast<double>(axis)}, {"fused_activation_function", activation}});
  return {};
}

Result<void> lower_split(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::SplitAttributes>();
  // TensorFlow Lite's own SPLIT has the axis in front.
  const bool axis_first =
      node.rules == graph::Rules::Tflite && node.inputs.size() == 2 && node.source_type != "SPLIT_V";
  const graph::ValueId input = node.inputs[axis_first ? 1 : 0];
  if (a.view_origins.empty()) {
    out.op("SPLIT_V", "SplitVOptions",
           {input, out.ints("sizes", narrow(a.sizes)), axis_constant(out, a.axis)},
           {node.outputs.begin(), node.outputs.end()},
           {{"num_splits", static_cast<double>(node.outputs.size())}});
    return {};
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::vector<std::int32_t> begin(a.view_origins[i].begin(), a.view_origins[i].end());
    out.op("SLICE", "SliceOptions",
           {input, out.ints("begin", begin), out.ints("size", narrow(out.value(node.outputs[i]).shape))},
           {node.outputs[i]}, {});
  }
  return {};
}

Result<void> lower_slice(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::SliceAttributes>();
  out.op("SLICE", "SliceOptions",
         {node.inputs[0], out.ints("begin", narrow(a.begin)), out.ints("size", narrow(a.size))},
         {node.outputs[0]}, {});
  return {};
}

Result<void> lower_strided_slice(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::StridedSliceAttributes>();
  // Arm NN ignores these two masks when it runs; a converted file must not give them a meaning.
  if (node.rules == graph::Rules::Tflite && (a.ellipsis_mask != 0 || a.new_axis_mask != 0))
    return refused("a strided slice with ellipsis or new axes");
  out.op("STRIDED_SLICE", "StridedSliceOptions",
         {node.inputs[0], out.ints("begin", a.begin), out.ints("end", a.end), out.ints("strides", a.stride)},
         {node.outputs[0]},
         {{"begin_mask", a.begin_mask}, {"end_mask", a.end_mask}, {"shrink_axis_mask", a.shrink_axis_mask}});
  return {};
}

// Arm NN's pad value is a raw integer in quantised types (armnn spec 3); PADV2 takes it as a code. In
// TensorFlow Lite's rules a third operand holds it already.
Result<void> lower_pad(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::PadAttributes>();
  const graph::Value& value = out.value(node.outputs[0]);
  std::vector<std::int32_t> operands{node.inputs[0], out.constant("pads", pairs(a.pads))};
  if (a.mode != graph::PadMode::Constant) {
    out.op("MIRROR_PAD", "MirrorPadOptions", operands, {node.outputs[0]},
           {{"mode", a.mode == graph::PadMode::Reflect ? 0.0 : 1.0}});
    return {};
  }
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    operands.push_back(node.inputs[2]);
    out.op("PADV2", "PadV2Options", operands, {node.outputs[0]}, {});
    return {};
  }
  const bool plain =
      node.rules == graph::Rules::Tflite ||
      (is_float(value.type) ? a.value == 0 : a.value == static_cast<float>(value.quantization.zero_point()));
  if (plain) {
    out.op("PAD", "PadOptions", operands, {node.outputs[0]}, {});
    return {};
  }
  Tensor fill(value.type, {}, value.quantization);
  const double code = std::round(static_cast<double>(a.value));
  switch (value.type) {
    case DType::F32:
      fill.as_mutable<float>()[0] = a.value;
      break;
    case DType::U8:
      fill.as_mutable<std::uint8_t>()[0] = static_cast<std::uint8_t>(std::clamp(code, 0.0, 255.0));
      break;
    case DType::I8:
      fill.as_mutable<std::int8_t>()[0] = static_cast<std::int8_t>(std::clamp(code, -128.0, 127.0));
      break;
    case DType::I16:
      fill.as_mutable<std::int16_t>()[0] = static_cast<std::int16_t>(std::clamp(code, -32768.0, 32767.0));
      break;
    default:
      return refused(fmt::format("padding of {}", to_string(value.type)));
  }
  operands.push_back(out.constant("fill", fill));
  out.op("PADV2", "PadV2Options", operands, {node.outputs[0]}, {});
  return {};
}

Result<void> lower_gather(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::GatherAttributes>();
  out.op("GATHER", "GatherOptions", {node.inputs[0], node.inputs[1]}, {node.outputs[0]},
         {{"axis", static_cast<double>(a.axis)}, {"batch_dims", static_cast<double>(a.batch_dims)}});
  return {};
}

Result<void> lower_stack(TfliteLowering& out, const Node& node) {
  out.op("PACK", "PackOptions", {node.inputs.begin(), node.inputs.end()}, {node.outputs[0]},
         {{"values_count", static_cast<double>(node.inputs.size())},
          {"axis", static_cast<double>(node.attr<graph::StackAttributes>().axis)}});
  return {};
}

Result<void> lower_fill(TfliteLowering& out, const Node& node) {
  const std::int32_t value =
      node.inputs.size() > 1 ? node.inputs[1] : out.scalar("value", node.attr<graph::FillAttributes>().value);
  out.op("FILL", "FillOptions", {node.inputs[0], value}, {node.outputs[0]}, {});
  return {};
}

Result<void> lower_space_batch(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::SpaceBatchAttributes>();
  if (a.layout == graph::DataLayout::Nchw) return refused("the NCHW layout");
  const bool to_batch = node.op == graph::Op::SpaceToBatchNd;
  const std::vector<std::int32_t> block(a.block.begin(), a.block.end());
  out.op(to_batch ? "SPACE_TO_BATCH_ND" : "BATCH_TO_SPACE_ND",
         to_batch ? "SpaceToBatchNDOptions" : "BatchToSpaceNDOptions",
         {node.inputs[0], out.ints("block", block), out.constant(to_batch ? "pads" : "crops", pairs(a.pads))},
         {node.outputs[0]}, {});
  return {};
}

Result<void> lower_space_depth(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::SpaceDepthAttributes>();
  if (a.layout == graph::DataLayout::Nchw) return refused("the NCHW layout");
  const bool to_depth = node.op == graph::Op::SpaceToDepth;
  out.op(to_depth ? "SPACE_TO_DEPTH" : "DEPTH_TO_SPACE",
         to_depth ? "SpaceToDepthOptions" : "DepthToSpaceOptions", {node.inputs[0]}, {node.outputs[0]},
         {{"block_size", a.block}});
  return {};
}

}  // namespace npubin::convert
