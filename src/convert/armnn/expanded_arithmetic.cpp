// Rounding, logic, comparisons and powers that Arm NN 20.08 has no layer for, by layers it has.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/expansions.h"
#include "convert/armnn/rewrite.h"

namespace npubin::convert {

using namespace graph;

// Upwards is downwards of what is negated; halves to the even one are what float32 additions round to beside
// 2^23.
std::string rewrite_rounding(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32) return "in other types than float32";
  if (node.op == Op::Ceil) {
    const ValueId below = out.temporary(x, shape);
    out.add(Op::Floor, {}, {out.activated(x, Activation::Linear, -1, 0)}, {below});
    out.add(Op::Activation, ActivationAttributes{Activation::Linear, -1, 0, false}, {below}, node.outputs);
    return {};
  }
  constexpr float kWhole = 8388608.0f;  // 2^23: from here on floats are integers
  const ValueId whole = float_like(out, shape.size(), kWhole);
  const auto rounded = [&](ValueId magnitude) {
    const ValueId fine = out.binary(Op::Minimum, magnitude, whole, shape);
    const ValueId coarse =
        out.activated(out.binary(Op::Sub, magnitude, whole, shape), Activation::ReLu, 0, 0);
    const ValueId even = out.binary(Op::Sub, out.binary(Op::Add, fine, whole, shape), whole, shape);
    return out.binary(Op::Add, even, coarse, shape);
  };
  const ValueId above = rounded(out.activated(x, Activation::ReLu, 0, 0));
  const ValueId below =
      rounded(out.activated(out.activated(x, Activation::Linear, -1, 0), Activation::ReLu, 0, 0));
  out.add(Op::Sub, BinaryAttributes{}, {above, below}, node.outputs);
  return {};
}

// Of 0 and 1: not b is b = 0; a and b is a > not b; a or b is b >= not a. The 0 is b > b: 20.08 takes no
// boolean constants.
std::string rewrite_logical(ArmnnRewrite& out, const graph::Node& node) {
  const std::size_t rank = out.value(node.outputs[0]).shape.size();
  if (rank == 0) return "of scalars";
  const auto no = [&](ValueId id) { return out.binary(Op::Greater, id, id, out.value(id).shape); };
  const ValueId a = at_rank(out, node.inputs[0], rank);
  if (node.op == Op::LogicalNot) {
    out.add(Op::Equal, BinaryAttributes{}, {a, no(a)}, node.outputs);
    return {};
  }
  const ValueId b = at_rank(out, node.inputs[1], rank);
  const ValueId turned = node.op == Op::LogicalAnd ? b : a;
  const ValueId opposite = out.binary(Op::Equal, turned, no(turned), out.value(turned).shape);
  if (node.op == Op::LogicalAnd)
    out.add(Op::Greater, BinaryAttributes{}, {a, opposite}, node.outputs);
  else
    out.add(Op::GreaterEqual, BinaryAttributes{}, {b, opposite}, node.outputs);
  return {};
}

// Arm NN compares int32 as float32. Differences from 0 are exact: a > b where max(a, b) - b is not 0.
std::string rewrite_integer_comparison(ArmnnRewrite& out, Op op, ValueId a, ValueId b, ValueId to) {
  const Shape shape = out.value(to).shape;
  const ValueId zero = out.constant("zero", Tensor(DType::I32, Shape(shape.size(), 1)));
  const bool ordered = op != Op::Equal && op != Op::NotEqual;
  if (op == Op::Less || op == Op::GreaterEqual) std::swap(a, b);  // b > a; and not b > a
  const ValueId left = ordered ? out.binary(Op::Maximum, a, b, shape) : a;
  const ValueId difference = out.binary(Op::Sub, left, b, shape);
  const bool equal = op == Op::Equal || op == Op::GreaterEqual || op == Op::LessEqual;
  out.add(equal ? Op::Equal : Op::NotEqual, BinaryAttributes{}, {difference, zero}, {to});
  return {};
}

// Powers by quarters are products of square roots; Arm NN has no other.
std::string rewrite_pow(ArmnnRewrite& out, const graph::Node& node) {
  const Value exponent = out.value(node.inputs[1]);
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32 || shape != out.value(node.outputs[0]).shape)
    return "of these operands";
  if (!exponent.constant || count_of(exponent.shape) != 1) return "with exponents that are computed or many";
  const double quarters = exponent.constant->real(0) * 4;
  if (quarters != std::round(quarters) || std::fabs(quarters) > 16)
    return fmt::format("with the exponent {:g}", exponent.constant->real(0));
  const auto root = [&](ValueId from) {
    const ValueId to = out.temporary(x, shape);
    out.add(Op::Activation, ActivationAttributes{Activation::Sqrt, 0, 0, false}, {from}, {to});
    return to;
  };
  const int count = static_cast<int>(std::fabs(quarters));
  const ValueId one = float_like(out, shape.size(), 1);
  ValueId power = out.activated(x, Activation::Linear, 0, 1);
  for (int i = 0; i < count / 4; ++i) power = out.binary(Op::Mul, power, x, shape);
  const ValueId half = count % 4 != 0 ? root(x) : kNoValue;
  if (count % 4 >= 2) power = out.binary(Op::Mul, power, half, shape);
  if (count % 2 == 1) power = out.binary(Op::Mul, power, root(half), shape);
  if (quarters < 0)
    out.add(Op::Div, BinaryAttributes{}, {one, power}, node.outputs);
  else
    out.add(Op::Mul, BinaryAttributes{}, {power, one}, node.outputs);
  return {};
}

}  // namespace npubin::convert
