// Element-wise operators, activations, reductions.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

bool is_plain_integer(const Value& value) {
  return (value.type == DType::I32 || value.type == DType::I64) && !value.quantization.present();
}

// int32 is added, subtracted, multiplied and compared for size; division and anything wider is not.
bool computed(Op op, const Value& value) {
  if (!is_plain_integer(value)) return true;
  return value.type == DType::I32 && op != Op::Div;
}

}  // namespace

ValueId at_rank(ArmnnRewrite& out, ValueId id, std::size_t rank) {
  Shape shape = out.value(id).shape;
  if (shape.size() >= rank) return id;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return out.reshaped(id, shape);
}

namespace {

std::string operands(ArmnnRewrite& out, const graph::Node& node, ValueId& a, ValueId& b) {
  const std::size_t rank = out.value(node.outputs[0]).shape.size();
  for (ValueId id : node.inputs)
    if (!computed(node.op, out.value(id)))
      return fmt::format("{} operands", npubin::to_string(out.value(id).type));
  a = at_rank(out, node.inputs[0], rank);
  b = at_rank(out, node.inputs[1], rank);
  return {};
}

}  // namespace

std::string rewrite_binary(ArmnnRewrite& out, const graph::Node& node) {
  const ActivationAttributes fused = node.attr<BinaryAttributes>().activation;
  ValueId a = kNoValue, b = kNoValue;
  if (std::string why = operands(out, node, a, b); !why.empty()) return why;
  const ValueId to = out.before_activation(node.outputs[0], fused);
  out.add(node.op, BinaryAttributes{}, {a, b}, {to});
  out.activation(to, node.outputs[0], fused);
  return {};
}

std::string rewrite_squared_difference(ArmnnRewrite& out, const graph::Node& node) {
  ValueId a = kNoValue, b = kNoValue;
  if (std::string why = operands(out, node, a, b); !why.empty()) return why;
  if (out.is_code(a)) {
    // There is no scale for the difference in between: it is computed in float.
    const Shape shape = out.value(node.outputs[0]).shape;
    const ValueId x = out.decoded(a), y = out.decoded(b), apart = out.float_temporary(shape),
                  square = out.float_temporary(shape);
    out.add(Op::Sub, BinaryAttributes{}, {x, y}, {apart});
    out.add(Op::Mul, BinaryAttributes{}, {apart, apart}, {square});
    out.add(Op::Quantize, {}, {square}, node.outputs);
    return {};
  }
  const ValueId difference = out.temporary(node.outputs[0], out.value(node.outputs[0]).shape);
  out.add(Op::Sub, BinaryAttributes{}, {a, b}, {difference});
  out.add(Op::Mul, BinaryAttributes{}, {difference, difference}, node.outputs);
  return {};
}

std::string rewrite_comparison(ArmnnRewrite& out, const graph::Node& node) {
  ValueId a = kNoValue, b = kNoValue;
  if (std::string why = operands(out, node, a, b); !why.empty()) return why;
  if (is_plain_integer(out.value(a))) return rewrite_integer_comparison(out, node.op, a, b, node.outputs[0]);
  out.add(node.op, BinaryAttributes{}, {a, b}, node.outputs);
  return {};
}

std::string rewrite_unary(ArmnnRewrite& out, const graph::Node& node) {
  if (is_plain_integer(out.value(node.inputs[0]))) return "of plain integers";
  out.add(node.op, {}, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_square(ArmnnRewrite& out, const graph::Node& node) {
  out.add(Op::Activation, ActivationAttributes{Activation::Square, 0, 0, false}, {node.inputs[0]},
          node.outputs);
  return {};
}

namespace {

// The clamped codes as they are under the output's scale: code = value / s + z, and its new meaning (code -
// z') s'.
std::string relabelled(ArmnnRewrite& out, const graph::Node& node) {
  const Value in = out.value(node.inputs[0]), result = out.value(node.outputs[0]);
  const ValueId clamped = out.temporary(node.inputs[0], in.shape);
  out.add(Op::Activation, node.attributes, {node.inputs[0]}, {clamped});
  const float slope = result.quantization.scale() / in.quantization.scale();
  const auto shift = static_cast<float>(in.quantization.zero_point() - result.quantization.zero_point());
  out.add(Op::Activation,
          ActivationAttributes{Activation::Linear, slope, shift * result.quantization.scale(), false},
          {clamped}, node.outputs);
  return {};
}

}  // namespace

std::string rewrite_activation(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ActivationAttributes>();
  if (a.function == Activation::Gelu) return "no such function before 24.02";
  const Quantization &in = out.value(node.inputs[0]).quantization,
                     &result = out.value(node.outputs[0]).quantization;
  // tflite spec 4: RELU6 clamps the input's codes and takes no notice of the output's scale.
  if (a.function == Activation::BoundedReLu && in.present() && !(in == result)) return relabelled(out, node);
  out.add(Op::Activation, a, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_prelu(ArmnnRewrite& out, const graph::Node& node) {
  const std::size_t rank = out.value(node.outputs[0]).shape.size();
  ValueId slopes = node.inputs[1];
  const Value alpha = out.value(slopes);
  // Arm NN wants one type: int8 slopes of an int16 input get their own codes in int16.
  if (alpha.type == DType::I8 && out.value(node.inputs[0]).type == DType::I16) {
    if (!alpha.constant) return "int8 slopes that are computed while running";
    Tensor wide(DType::I16, alpha.shape, Quantization::per_tensor(alpha.quantization.scale(), 0));
    for (std::size_t i = 0; i < static_cast<std::size_t>(wide.count()); ++i)
      wide.as_mutable<std::int16_t>()[i] =
          static_cast<std::int16_t>(alpha.constant->as<std::int8_t>()[i] - alpha.quantization.zero_point());
    slopes = out.constant(alpha.name, std::move(wide));
  }
  out.add(Op::Prelu, {}, {at_rank(out, node.inputs[0], rank), at_rank(out, slopes, rank)}, node.outputs);
  return {};
}

std::string rewrite_softmax(ArmnnRewrite& out, const graph::Node& node) {
  SoftmaxAttributes a = node.attr<SoftmaxAttributes>();
  a.axis = -1;
  out.add(node.op, a, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_mean(ArmnnRewrite& out, const graph::Node& node) {
  ReduceAttributes a = node.attr<ReduceAttributes>();
  // Arm NN does not take an axis twice.
  std::vector<std::int32_t> axes;
  for (std::int32_t axis : a.axes)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  a.axes = std::move(axes);
  out.add(Op::Reduce, a, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_arg(ArmnnRewrite& out, const graph::Node& node) {
  if (out.value(node.outputs[0]).type != DType::I32) return "indices of 64 bits";
  out.add(node.op, node.attributes, {node.inputs[0]}, node.outputs);
  return {};
}

std::string rewrite_quantize(ArmnnRewrite& out, const graph::Node& node) {
  const DType from = out.value(node.inputs[0]).type, to = out.value(node.outputs[0]).type;
  if (from == DType::I32 || to == DType::I32 || from == DType::F16)
    return fmt::format("from {} to {}", npubin::to_string(from), npubin::to_string(to));
  out.add(node.op, {}, {node.inputs[0]}, node.outputs);
  return {};
}

}  // namespace npubin::convert
