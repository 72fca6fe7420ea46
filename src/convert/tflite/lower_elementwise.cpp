// Operators on elements or along an axis.
#include <fmt/format.h>

#include "convert/tflite/lowering.h"

namespace npubin::convert {
namespace {

using graph::Activation;
using graph::ActivationAttributes;
using graph::Node;
using graph::Op;

struct Builtin {
  Op op;
  const char* name;
  const char* options;  // nullptr: no options table
};

constexpr Builtin kBinary[] = {
    {Op::Add, "ADD", "AddOptions"},
    {Op::Sub, "SUB", "SubOptions"},
    {Op::Mul, "MUL", "MulOptions"},
    {Op::Div, "DIV", "DivOptions"},
    {Op::Minimum, "MINIMUM", "MaximumMinimumOptions"},
    {Op::Maximum, "MAXIMUM", "MaximumMinimumOptions"},
    {Op::Pow, "POW", "PowOptions"},
    {Op::SquaredDifference, "SQUARED_DIFFERENCE", "SquaredDifferenceOptions"},
    {Op::FloorDiv, "FLOOR_DIV", "FloorDivOptions"},
    {Op::Equal, "EQUAL", "EqualOptions"},
    {Op::NotEqual, "NOT_EQUAL", "NotEqualOptions"},
    {Op::Greater, "GREATER", "GreaterOptions"},
    {Op::GreaterEqual, "GREATER_EQUAL", "GreaterEqualOptions"},
    {Op::Less, "LESS", "LessOptions"},
    {Op::LessEqual, "LESS_EQUAL", "LessEqualOptions"},
    {Op::LogicalAnd, "LOGICAL_AND", "LogicalAndOptions"},
    {Op::LogicalOr, "LOGICAL_OR", "LogicalOrOptions"},
    {Op::Prelu, "PRELU", nullptr},
};

constexpr Builtin kUnary[] = {
    {Op::Abs, "ABS", "AbsOptions"},
    {Op::Neg, "NEG", "NegOptions"},
    {Op::Exp, "EXP", "ExpOptions"},
    {Op::Log, "LOG", nullptr},
    {Op::Sqrt, "SQRT", nullptr},
    {Op::Rsqrt, "RSQRT", nullptr},
    {Op::Square, "SQUARE", "SquareOptions"},
    {Op::Floor, "FLOOR", nullptr},
    {Op::Ceil, "CEIL", nullptr},
    {Op::Round, "ROUND", nullptr},
    {Op::Sin, "SIN", nullptr},
    {Op::Cos, "COS", "CosOptions"},
    {Op::LogicalNot, "LOGICAL_NOT", "LogicalNotOptions"},
    {Op::Quantize, "QUANTIZE", "QuantizeOptions"},
    {Op::Dequantize, "DEQUANTIZE", "DequantizeOptions"},
};

template <std::size_t N>
const Builtin* look_up(const Builtin (&table)[N], Op op) {
  for (const Builtin& row : table)
    if (row.op == op) return &row;
  return nullptr;
}

// Steps of one input each, with tensors in between.
class Chain {
 public:
  Chain(TfliteLowering& out, const Node& node) : out_(out), node_(node), at_(node.inputs[0]) {}
  void then(const char* builtin, const char* options, std::vector<std::int32_t> more = {}) {
    add(builtin, options, std::move(more), false);
  }
  void last(const char* builtin, const char* options, std::vector<std::int32_t> more = {}) {
    add(builtin, options, std::move(more), true);
  }

 private:
  void add(const char* builtin, const char* options, std::vector<std::int32_t> more, bool last) {
    const std::int32_t to =
        last ? node_.outputs[0] : out_.temporary(node_.outputs[0], out_.value(node_.outputs[0]).shape);
    more.insert(more.begin(), at_);
    out_.op(builtin, options == nullptr ? "" : options, std::move(more), {to}, {});
    at_ = to;
  }

  TfliteLowering& out_;
  const Node& node_;
  std::int32_t at_;
};

bool float_node(const TfliteLowering& out, const Node& node) {
  return out.value(node.outputs[0]).type == DType::F32;
}

// Activations that TensorFlow Lite has no operator for, from those it has; float only, as each step would
// round.
Result<void> expand(TfliteLowering& out, const Node& node, const ActivationAttributes& a) {
  if (!float_node(out, node))
    return refused(fmt::format("{} with these bounds in a quantised type", to_string(a.function)));
  Chain chain(out, node);
  switch (a.function) {
    case Activation::BoundedReLu:
      chain.then("MAXIMUM", "MaximumMinimumOptions", {out.scalar("low", a.b)});
      chain.last("MINIMUM", "MaximumMinimumOptions", {out.scalar("high", a.a)});
      return {};
    case Activation::TanH:
      chain.then("MUL", "MulOptions", {out.scalar("b", a.b)});
      chain.then("TANH", nullptr);
      chain.last("MUL", "MulOptions", {out.scalar("a", a.a)});
      return {};
    case Activation::Linear:
      chain.then("MUL", "MulOptions", {out.scalar("a", a.a)});
      chain.last("ADD", "AddOptions", {out.scalar("b", a.b)});
      return {};
    case Activation::SoftReLu:
      chain.then("EXP", "ExpOptions");
      chain.then("ADD", "AddOptions", {out.scalar("one", 1)});
      chain.last("LOG", nullptr);
      return {};
    case Activation::Elu:
      if (a.a != 1) return refused(fmt::format("ELU with alpha {}", a.a));
      chain.last("ELU", nullptr);
      return {};
    default:
      return refused(std::string(to_string(a.function)));
  }
}

struct ActivationRow {
  Activation function;
  const char* builtin;
  const char* options;
};
constexpr ActivationRow kActivations[] = {
    {Activation::Sigmoid, "LOGISTIC", nullptr},
    {Activation::ReLu, "RELU", nullptr},
    {Activation::Abs, "ABS", "AbsOptions"},
    {Activation::Sqrt, "SQRT", nullptr},
    {Activation::Square, "SQUARE", "SquareOptions"},
    {Activation::HardSwish, "HARD_SWISH", "HardSwishOptions"},
};

}  // namespace

Result<double> fused_activation(const ActivationAttributes& a) {
  switch (a.function) {
    case Activation::None:
      return 0.0;
    case Activation::ReLu:
      return 1.0;
    case Activation::TanH:
      if (a.a == 1 && a.b == 1) return 4.0;
      break;
    case Activation::BoundedReLu:
      if (a.a == 1 && a.b == -1) return 2.0;
      if (a.a == 6 && a.b == 0) return 3.0;
      break;
    default:
      break;
  }
  return refused(fmt::format("the fused activation {}", to_string(a.function)));
}

Result<void> lower_binary(TfliteLowering& out, const Node& node) {
  const Builtin& row = *look_up(kBinary, node.op);
  std::vector<std::pair<std::string, tflite::OptionValue>> options;
  if (const auto* attr = std::get_if<graph::BinaryAttributes>(&node.attributes)) {
    NPUBIN_TRY(double activation, fused_activation(attr->activation));
    if (activation != 0) options.emplace_back("fused_activation_function", activation);
  }
  out.op(row.name, row.options == nullptr ? "" : row.options, {node.inputs[0], node.inputs[1]},
         {node.outputs[0]}, std::move(options))
      .version = is_float(out.value(node.outputs[0]).type) ? 1 : 2;
  return {};
}

Result<void> lower_unary(TfliteLowering& out, const Node& node) {
  const Builtin& row = *look_up(kUnary, node.op);
  out.op(row.name, row.options == nullptr ? "" : row.options, {node.inputs[0]}, {node.outputs[0]}, {});
  return {};
}

Result<void> lower_activation(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<ActivationAttributes>();
  const std::vector<std::int32_t> from{node.inputs[0]}, to{node.outputs[0]};
  for (const ActivationRow& row : kActivations)
    if (row.function == a.function) {
      out.op(row.builtin, row.options == nullptr ? "" : row.options, from, to, {});
      return {};
    }
  if (a.function == Activation::LeakyReLu) {
    out.op("LEAKY_RELU", "LeakyReluOptions", from, to, {{"alpha", a.a}});
  } else if (a.function == Activation::Gelu) {
    out.op("GELU", "GeluOptions", from, to, {{"approximate", a.approximate ? 1.0 : 0.0}});
  } else if (auto fused = fused_activation(a); fused && a.function != Activation::None) {
    constexpr const char* kNames[] = {"", "RELU", "RELU_N1_TO_1", "RELU6", "TANH"};
    out.op(kNames[static_cast<std::size_t>(*fused)], from, to);
  } else {
    return expand(out, node, a);
  }
  return {};
}

Result<void> lower_softmax(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::SoftmaxAttributes>();
  const auto rank = static_cast<int>(out.value(node.inputs[0]).shape.size());
  if (a.axis != -1 && a.axis != rank - 1)
    return refused(fmt::format("softmax over axis {} of {}", a.axis, rank));
  if (node.op == Op::LogSoftmax) {
    if (a.beta != 1) return refused("log-softmax with a beta");
    out.op("LOG_SOFTMAX", "LogSoftmaxOptions", {node.inputs[0]}, {node.outputs[0]}, {});
  } else {
    out.op("SOFTMAX", "SoftmaxOptions", {node.inputs[0]}, {node.outputs[0]}, {{"beta", a.beta}});
  }
  return {};
}

Result<void> lower_l2_normalization(TfliteLowering& out, const Node& node) {
  const auto& a = node.attr<graph::NormalizationAttributes>();
  if (a.layout == graph::DataLayout::Nchw) return refused("the NCHW layout");
  NPUBIN_TRY(double activation, fused_activation(a.activation));
  out.op("L2_NORMALIZATION", "L2NormOptions", {node.inputs[0]}, {node.outputs[0]},
         {{"fused_activation_function", activation}});
  return {};
}

Result<void> lower_reduce(TfliteLowering& out, const Node& node) {
  constexpr const char* kNames[] = {"MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"};
  const auto& a = node.attr<graph::ReduceAttributes>();
  std::vector<std::int32_t> axes = a.axes;
  if (axes.empty())
    for (std::size_t d = 0; d < out.value(node.inputs[0]).shape.size(); ++d)
      axes.push_back(static_cast<std::int32_t>(d));
  out.op(kNames[static_cast<std::size_t>(a.operation)], "ReducerOptions",
         {node.inputs[0], out.ints("axes", axes)}, {node.outputs[0]},
         {{"keep_dims", a.keep_dims ? 1.0 : 0.0}});
  return {};
}

Result<void> lower_arg_min_max(TfliteLowering& out, const Node& node) {
  constexpr double kInt32 = 2;  // enum TensorType
  const auto& a = node.attr<graph::ArgMinMaxAttributes>();
  out.op(a.maximum ? "ARG_MAX" : "ARG_MIN", a.maximum ? "ArgMaxOptions" : "ArgMinOptions",
         {node.inputs[0], out.ints("axis", {a.axis})}, {node.outputs[0]}, {{"output_type", kInt32}});
  return {};
}

}  // namespace npubin::convert
