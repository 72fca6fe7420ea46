// Operators on elements or along an axis. They run in whichever layout their operands are in.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "convert/onnx/operators.h"

namespace npubin::convert {
namespace {

using graph::Activation;
using graph::Node;
using graph::Op;

bool rank4(const OnnxBuilder& b, graph::ValueId id) {
  return b.source().value(id).shape.size() == 4;
}

// Element-wise work follows its first operand into NCHW where all are of rank 4.
Layout working_layout(const OnnxBuilder& b, const Node& node, std::size_t operands) {
  bool all4 = rank4(b, node.outputs[0]), any = false;
  for (std::size_t i = 0; i < operands; ++i) {
    all4 = all4 && rank4(b, node.inputs[i]);
    any = any || b.has_nchw(node.inputs[i]);
  }
  return all4 && any ? Layout::Nchw : Layout::Original;
}

constexpr std::pair<Op, const char*> kBinary[] = {{Op::Add, "Add"},
                                                  {Op::Sub, "Sub"},
                                                  {Op::Mul, "Mul"},
                                                  {Op::Div, "Div"},
                                                  {Op::Minimum, "Min"},
                                                  {Op::Maximum, "Max"},
                                                  {Op::Pow, "Pow"},
                                                  {Op::Equal, "Equal"},
                                                  {Op::Greater, "Greater"},
                                                  {Op::Less, "Less"},
                                                  {Op::GreaterEqual, "GreaterOrEqual"},
                                                  {Op::LessEqual, "LessOrEqual"},
                                                  {Op::LogicalAnd, "And"},
                                                  {Op::LogicalOr, "Or"}};

constexpr std::pair<Op, const char*> kUnary[] = {
    {Op::Abs, "Abs"},   {Op::Neg, "Neg"},     {Op::Exp, "Exp"},       {Op::Log, "Log"},
    {Op::Sqrt, "Sqrt"}, {Op::Floor, "Floor"}, {Op::Ceil, "Ceil"},     {Op::Round, "Round"},
    {Op::Sin, "Sin"},   {Op::Cos, "Cos"},     {Op::LogicalNot, "Not"}};

template <std::size_t N>
const char* look_up(const std::pair<Op, const char*> (&table)[N], Op op) {
  for (const auto& [key, name] : table)
    if (key == op) return name;
  return nullptr;
}

std::string scalar(OnnxBuilder& b, const char* stem, float value) {
  return b.floats(stem, {value}, {});
}

}  // namespace

std::string emit_activation(OnnxBuilder& b, const graph::ActivationAttributes& activation,
                            const std::string& from, const std::string& wanted) {
  const std::string to = wanted.empty() ? b.temporary(from + "_activated") : wanted;
  auto one = [&](const char* op) -> onnx::NodeProto& { return b.node(op, {from}, {to}); };
  switch (activation.function) {
    case Activation::None:
      one("Identity");
      break;
    case Activation::Sigmoid:
      one("Sigmoid");
      break;
    case Activation::ReLu:
      one("Relu");
      break;
    case Activation::Abs:
      one("Abs");
      break;
    case Activation::Sqrt:
      one("Sqrt");
      break;
    case Activation::Square:
      b.node("Mul", {from, from}, {to});
      break;
    case Activation::Elu:
      set_float(one("Elu"), "alpha", activation.a == 0 ? 1.0f : activation.a);
      break;
    case Activation::LeakyReLu:
      set_float(one("LeakyRelu"), "alpha", activation.a);
      break;
    case Activation::BoundedReLu:
      b.node("Clip", {from, scalar(b, "low", activation.b), scalar(b, "high", activation.a)}, {to});
      break;
    case Activation::SoftReLu:
      one("Softplus");
      break;
    case Activation::TanH: {
      const std::string scaled = b.temporary(from + "_scaled"), squashed = b.temporary(from + "_tanh");
      b.node("Mul", {from, scalar(b, "b", activation.b)}, {scaled});
      b.node("Tanh", {scaled}, {squashed});
      b.node("Mul", {squashed, scalar(b, "a", activation.a)}, {to});
      break;
    }
    case Activation::Linear: {
      const std::string scaled = b.temporary(from + "_scaled");
      b.node("Mul", {from, scalar(b, "a", activation.a)}, {scaled});
      b.node("Add", {scaled, scalar(b, "b", activation.b)}, {to});
      break;
    }
    case Activation::HardSwish: {
      // x * clip(x/6 + 1/2, 0, 1); the operator of that name came with opset 14.
      const std::string gate = b.temporary(from + "_gate");
      onnx::NodeProto& sigmoid = b.node("HardSigmoid", {from}, {gate});
      set_float(sigmoid, "alpha", 1.0f / 6.0f);
      set_float(sigmoid, "beta", 0.5f);
      b.node("Mul", {from, gate}, {to});
      break;
    }
    case Activation::Gelu: {
      const std::string scaled = b.temporary(from + "_scaled"), erf = b.temporary(from + "_erf"),
                        shifted = b.temporary(from + "_shifted"), product = b.temporary(from + "_product");
      b.node("Mul", {from, scalar(b, "root_half", 0.70710678f)}, {scaled});
      b.node("Erf", {scaled}, {erf});
      b.node("Add", {erf, scalar(b, "one", 1.0f)}, {shifted});
      b.node("Mul", {from, shifted}, {product});
      b.node("Mul", {product, scalar(b, "half", 0.5f)}, {to});
      break;
    }
  }
  return to;
}

Result<void> emit_binary(OnnxBuilder& b, const Node& node) {
  const auto* attr = std::get_if<graph::BinaryAttributes>(&node.attributes);
  const Layout layout = working_layout(b, node, 2);
  const std::string left = b.name(node.inputs[0], layout), right = b.name(node.inputs[1], layout);
  const bool active = attr != nullptr && attr->activation.function != Activation::None;
  const std::string to = b.define(node.outputs[0], layout);
  const std::string before = active ? b.temporary(to + "_linear") : to;
  if (node.op == Op::SquaredDifference) {
    const std::string difference = b.temporary(to + "_difference");
    b.node("Sub", {left, right}, {difference});
    b.node("Mul", {difference, difference}, {before});
  } else if (node.op == Op::NotEqual) {
    const std::string equal = b.temporary(to + "_equal");
    b.node("Equal", {left, right}, {equal});
    b.node("Not", {equal}, {before});
  } else {
    b.node(look_up(kBinary, node.op), {left, right}, {before});
  }
  if (active) emit_activation(b, attr->activation, before, to);
  return {};
}

Result<void> emit_unary(OnnxBuilder& b, const Node& node) {
  const Layout layout = working_layout(b, node, 1);
  const std::string from = b.name(node.inputs[0], layout), to = b.define(node.outputs[0], layout);
  if (node.op == Op::Square) {
    b.node("Mul", {from, from}, {to});
  } else if (node.op == Op::Rsqrt) {
    const std::string root = b.temporary(to + "_root");
    b.node("Sqrt", {from}, {root});
    b.node("Reciprocal", {root}, {to});
  } else {
    b.node(look_up(kUnary, node.op), {from}, {to});
  }
  return {};
}

Result<void> emit_activation_node(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::ActivationAttributes>();
  if (attr.function == Activation::Gelu && attr.approximate) return refused("GELU in its tanh approximation");
  const Layout layout = working_layout(b, node, 1);
  const std::string from = b.name(node.inputs[0], layout);
  emit_activation(b, attr, from, b.define(node.outputs[0], layout));
  return {};
}

// The slope broadcasts like any operand; a constant of lower rank is lifted to rank 4 where needed.
Result<void> emit_prelu(OnnxBuilder& b, const Node& node) {
  const Shape& slope = b.source().value(node.inputs[1]).shape;
  const bool constant = b.source().value(node.inputs[1]).constant.has_value();
  if (rank4(b, node.inputs[0]) && b.has_nchw(node.inputs[0]) && constant) {
    Shape full(4, 1);
    std::copy(slope.rbegin(), slope.rend(), full.rbegin());
    const std::string weights = full.size() == slope.size() ? b.weights(node.inputs[1], {0, 3, 1, 2},
                                                                        {full[0], full[3], full[1], full[2]})
                                                            : std::string();
    if (!weights.empty()) {
      const std::string from = b.name(node.inputs[0], Layout::Nchw);
      b.node("PRelu", {from, weights}, {b.define(node.outputs[0], Layout::Nchw)});
      return {};
    }
  }
  const std::string from = b.name(node.inputs[0]), by = b.name(node.inputs[1]);
  b.node("PRelu", {from, by}, {b.define(node.outputs[0])});
  return {};
}

Result<void> emit_softmax(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::SoftmaxAttributes>();
  std::string from = b.name(node.inputs[0]);
  if (attr.beta != 1.0f) {
    const std::string scaled = b.temporary(from + "_scaled");
    b.node("Mul", {from, scalar(b, "beta", attr.beta)}, {scaled});
    from = scaled;
  }
  const char* op = node.op == Op::LogSoftmax ? "LogSoftmax" : "Softmax";
  set_int(b.node(op, {from}, {b.define(node.outputs[0])}), "axis", attr.axis);
  return {};
}

// x / sqrt(max(sum x^2, epsilon)) over the channels.
Result<void> emit_l2_normalization(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::NormalizationAttributes>();
  const std::string from = b.name(node.inputs[0]), to = b.define(node.outputs[0]);
  const bool nchw = attr.layout == graph::DataLayout::Nchw && rank4(b, node.inputs[0]);
  const std::string square = b.temporary(to + "_square"), sum = b.temporary(to + "_sum"),
                    bounded = b.temporary(to + "_bounded"), root = b.temporary(to + "_root");
  b.node("Mul", {from, from}, {square});
  set_int(b.node("ReduceSum", {square, b.ints("axes", {nchw ? 1 : -1})}, {sum}), "keepdims", 1);
  b.node("Max", {sum, scalar(b, "epsilon", std::max(attr.epsilon, 1e-12f))}, {bounded});
  b.node("Sqrt", {bounded}, {root});
  b.node("Div", {from, root}, {to});
  return {};
}

Result<void> emit_reduce(OnnxBuilder& b, const Node& node) {
  constexpr std::array<const char*, 5> kNames{"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin",
                                              "ReduceProd"};
  const auto& attr = node.attr<graph::ReduceAttributes>();
  const auto rank = static_cast<std::int64_t>(b.source().value(node.inputs[0]).shape.size());
  std::vector<std::int64_t> axes;
  for (std::int32_t axis : attr.axes) axes.push_back(axis < 0 ? axis + rank : axis);
  // A mean over H and W of a value in NCHW stays there.
  const bool spatial = attr.keep_dims && rank == 4 && b.has_nchw(node.inputs[0]) && !axes.empty() &&
                       std::all_of(axes.begin(), axes.end(), [](auto a) { return a == 1 || a == 2; });
  const Layout layout = spatial ? Layout::Nchw : Layout::Original;
  if (spatial)
    for (std::int64_t& axis : axes) ++axis;
  std::vector<std::string> inputs{b.name(node.inputs[0], layout)};
  const bool as_input =
      attr.operation == graph::ReduceOperation::Sum;  // opset 13: only ReduceSum takes axes so
  if (as_input && !axes.empty()) inputs.push_back(b.ints("axes", axes));
  onnx::NodeProto& reduce =
      b.node(kNames[static_cast<std::size_t>(attr.operation)], inputs, {b.define(node.outputs[0], layout)});
  if (!as_input && !axes.empty()) set_ints(reduce, "axes", axes);
  set_int(reduce, "keepdims", attr.keep_dims ? 1 : 0);
  return {};
}

// Only the widening of half-precision constants is a float operation.
Result<void> emit_dequantize(OnnxBuilder& b, const Node& node) {
  const graph::Value& from = b.source().value(node.inputs[0]);
  if (!is_float(from.type)) return refused("dequantisation of integers");
  if (from.type == DType::F16 && from.constant) {  // constants are written as float32 already
    b.node("Identity", {b.name(node.inputs[0])}, {b.define(node.outputs[0])});
    return {};
  }
  set_int(b.node("Cast", {b.name(node.inputs[0])}, {b.define(node.outputs[0])}), "to",
          onnx::TensorProto::FLOAT);
  return {};
}

}  // namespace npubin::convert
