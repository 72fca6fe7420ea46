// Element-wise operators, activations, normalisations along an axis. tflite spec 3 and 4.
#include "graph/tflite/node_view.h"

namespace npubin::graph {
namespace {

constexpr float kLogisticScale = 1.0f / 256, kTanhScale = 1.0f / 128, kLogSoftmaxScale = 16.0f / 256;

RuleBreach output_is(const Value& out, float scale, std::int64_t zero_point) {
  if (out.quantization.scale() == scale && out.quantization.zero_point() == zero_point) return {};
  return fault("TFL-0207",
               fmt::format("its output '{}' has scale {} and zero point {}", out.name,
                           out.quantization.scale(), out.quantization.zero_point()),
               fmt::format("the kernel gives scale {} and zero point {}", scale, zero_point));
}

RuleBreach types_of_binary(const NodeView& node) {
  const Value& in = node.in(0);
  switch (node.node().op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
      return type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8, DType::I32, DType::I64});
    case Op::Div:
      return type_among(in, {DType::F32, DType::I8, DType::I32});
    case Op::SquaredDifference:
      return type_among(in, {DType::F32, DType::I8, DType::I16, DType::I32});
    case Op::Pow:
    case Op::FloorDiv:
    case Op::FloorMod:
      return type_among(in, {DType::F32, DType::I32});
    default:
      return type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8, DType::I32, DType::I64});
  }
}

RuleBreach plain_activation(const NodeView& node) {
  // Integers without a scale have no 6.
  const auto* binary = std::get_if<BinaryAttributes>(&node.node().attributes);
  const bool integer = one_of(node.in(0).type, {DType::I32, DType::I64});
  if (integer && binary != nullptr && binary->activation.function != Activation::None)
    return not_computed("a fused activation on plain integers");
  return {};
}

}  // namespace

RuleBreach check_binary(const NodeView& node) {
  const Value &a = node.in(0), &b = node.in(1), &out = node.out();
  NPUBIN_RULE(types_of_binary(node));
  NPUBIN_RULE(same_type(a, b));
  NPUBIN_RULE(same_type(a, out));
  for (const Value* value : {&a, &b, &out}) {
    NPUBIN_RULE(quantized(*value));
    if (is_code(value->type) && value->quantization.per_axis())
      return not_computed(fmt::format("'{}' has scales per channel", value->name));
  }
  NPUBIN_RULE(plain_activation(node));
  Shape expected;
  NPUBIN_RULE(broadcast(a.shape, b.shape, expected));
  NPUBIN_RULE(shape_is(out, expected));
  if (!is_code(a.type)) return {};
  if (node.node().op == Op::Minimum || node.node().op == Op::Maximum)
    if (!same_codes(a.quantization, b.quantization) || !same_codes(a.quantization, out.quantization))
      return odd("TFL-0207",
                 fmt::format("'{}', '{}' and '{}' have different quantisations", a.name, b.name, out.name),
                 "the codes are compared as they are");
  return {};
}

RuleBreach check_comparison(const NodeView& node) {
  const Value &a = node.in(0), &b = node.in(1), &out = node.out();
  const Op op = node.node().op;
  if (op == Op::LogicalAnd || op == Op::LogicalOr)
    NPUBIN_RULE(type_among(a, {DType::Bool}));
  else if (op == Op::Equal || op == Op::NotEqual)
    NPUBIN_RULE(type_among(a, {DType::F32, DType::I8, DType::U8, DType::I32, DType::I64, DType::Bool}));
  else
    NPUBIN_RULE(type_among(a, {DType::F32, DType::I8, DType::U8, DType::I32, DType::I64}));
  NPUBIN_RULE(same_type(a, b));
  if (out.type != DType::Bool)
    return fault("TFL-0205", fmt::format("its output '{}' is {}, not bool", out.name, to_string(out.type)));
  for (const Value* value : {&a, &b}) {
    NPUBIN_RULE(quantized(*value));
    if (is_code(value->type) && !(value->quantization.scale() < 1))
      return not_computed(fmt::format("'{}' has scale {}; comparisons need one below 1", value->name,
                                      value->quantization.scale()));
  }
  Shape expected;
  NPUBIN_RULE(broadcast(a.shape, b.shape, expected));
  return shape_is(out, expected);
}

RuleBreach check_select(const NodeView& node) {
  const Value &condition = node.in(0), &a = node.in(1), &b = node.in(2), &out = node.out();
  if (condition.type != DType::Bool)
    return fault("TFL-0205", fmt::format("its condition '{}' is {}, not bool", condition.name,
                                         to_string(condition.type)));
  NPUBIN_RULE(same_type(a, b));
  NPUBIN_RULE(same_type(a, out));
  if (node.node().source_type == "SELECT" && condition.shape.size() == 1 && a.shape.size() > 1 &&
      condition.shape[0] != 1)
    return not_computed("a condition per row");
  Shape pair, expected;
  NPUBIN_RULE(broadcast(a.shape, b.shape, pair));
  NPUBIN_RULE(broadcast(condition.shape, pair, expected));
  NPUBIN_RULE(shape_is(out, expected));
  if (is_code(a.type) && a.quantization.present() &&
      (!same_codes(a.quantization, out.quantization) || !same_codes(b.quantization, out.quantization)))
    return odd("TFL-0207", "its operands and output have different quantisations",
               "the codes are copied as they are");
  return {};
}

RuleBreach check_unary(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  switch (node.node().op) {
    case Op::LogicalNot:
      NPUBIN_RULE(type_among(in, {DType::Bool}));
      break;
    case Op::Abs:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::I32}));
      break;
    case Op::Rsqrt:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8}));
      break;
    case Op::Neg:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I32, DType::I64}));
      break;
    default:
      NPUBIN_RULE(type_among(in, {DType::F32}));
  }
  NPUBIN_RULE(same_type(in, out));
  NPUBIN_RULE(quantized(in, false));
  NPUBIN_RULE(quantized(out, false));
  return shape_is(out, in.shape);
}

RuleBreach check_activation(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<ActivationAttributes>();
  const bool six = a.a == 6 && a.b == 0;
  switch (a.function) {
    case Activation::ReLu:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
      break;
    case Activation::BoundedReLu:
      if (six)
        NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
      else
        NPUBIN_RULE(type_among(in, {DType::F32}));
      break;
    case Activation::LeakyReLu:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16}));
      break;
    case Activation::Sigmoid:
    case Activation::TanH:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
      break;
    case Activation::Elu:
    case Activation::HardSwish:
      NPUBIN_RULE(type_among(in, {DType::F32, DType::I8}));
      break;
    case Activation::Gelu:
      NPUBIN_RULE(type_among(in, {DType::F32}));
      break;
    default:
      return not_computed("this function");
  }
  NPUBIN_RULE(same_type(in, out));
  NPUBIN_RULE(quantized(in, false));
  NPUBIN_RULE(quantized(out, false));
  NPUBIN_RULE(shape_is(out, in.shape));
  const bool sigmoid = a.function == Activation::Sigmoid;
  if (!sigmoid && a.function != Activation::TanH) return {};
  if (in.type == DType::I8)
    return sigmoid ? output_is(out, kLogisticScale, -128) : output_is(out, kTanhScale, 0);
  if (in.type == DType::U8)
    return sigmoid ? output_is(out, kLogisticScale, 0) : output_is(out, kTanhScale, 128);
  if (in.type == DType::I16) {
    NPUBIN_RULE(quantized(in));
    return output_is(out, 1.0f / 32768, 0);
  }
  return {};
}

RuleBreach check_prelu(const NodeView& node) {
  const Value &in = node.in(0), &alpha = node.in(1), &out = node.out();
  NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16}));
  NPUBIN_RULE(same_type(in, out));
  if (alpha.type != (in.type == DType::F32 ? DType::F32 : DType::I8))
    return fault("TFL-0205", fmt::format("its slopes '{}' are {}", alpha.name, to_string(alpha.type)));
  for (const Value* value : {&in, &alpha, &out}) NPUBIN_RULE(quantized(*value));
  Shape expected;
  NPUBIN_RULE(broadcast(in.shape, alpha.shape, expected));
  return shape_is(out, expected);
}

RuleBreach check_along_axis(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const Op op = node.node().op;
  if (in.shape.empty()) return rank_is(in, 1);
  NPUBIN_RULE(shape_is(out, in.shape));
  if (op == Op::LocalResponseNormalization) {
    NPUBIN_RULE(type_among(in, {DType::F32}));
    return same_type(in, out);
  }
  if (op == Op::Softmax)
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
  else
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I8}));
  const bool widens = op == Op::Softmax && in.type == DType::I8 && out.type == DType::I16;
  if (!widens) NPUBIN_RULE(same_type(in, out));
  NPUBIN_RULE(quantized(in, false));
  NPUBIN_RULE(quantized(out, false));
  if (op == Op::L2Normalization) {
    if (node.node().attr<NormalizationAttributes>().activation.function != Activation::None)
      return not_computed("a fused activation");
    return in.type == DType::I8 ? output_is(out, kTanhScale, 0) : RuleBreach{};
  }
  if (op == Op::LogSoftmax)
    return in.type == DType::I8 ? output_is(out, kLogSoftmaxScale, 127) : RuleBreach{};
  if (in.type == DType::U8) return output_is(out, kLogisticScale, 0);
  if (widens) return output_is(out, 1.0f / 65536, -32768);
  if (in.type == DType::I8) return output_is(out, kLogisticScale, -128);
  return in.type == DType::I16 ? output_is(out, 1.0f / 32768, 0) : RuleBreach{};
}

}  // namespace npubin::graph
