// Addition, Subtraction, Multiplication, Division, Minimum, Maximum, comparisons, ElementwiseUnary, Floor,
// Prelu (armnn spec 3).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/broadcast.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::Op;

bool broadcasts(Limits& check) {
  const Shape &a = check.in(0).shape, &b = check.in(1).shape;
  const auto shape = broadcast_shape(a, b);
  return check.require(shape.has_value(), fmt::format("{} and {} do not broadcast", npubin::to_string(a),
                                                      npubin::to_string(b))) &&
         check.output_shape(*shape);
}

// The operation on floats; std::min and std::max keep their first argument where the two are unordered.
template <class F>
auto with_float_operation(Op op, F&& run) {
  switch (op) {
    case Op::Add:
      return run([](float a, float b) { return a + b; });
    case Op::Sub:
      return run([](float a, float b) { return a - b; });
    case Op::Mul:
      return run([](float a, float b) { return a * b; });
    case Op::Div:
      return run([](float a, float b) { return a / b; });
    case Op::Minimum:
      return run([](float a, float b) { return std::min(a, b); });
    default:
      return run([](float a, float b) { return std::max(a, b); });
  }
}

// 32-bit integers wrap; quotients are cut toward zero.
std::int32_t integer_operation(Op op, std::int32_t a, std::int32_t b) {
  const auto wrap = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  switch (op) {
    case Op::Add:
      return wrap(ua + ub);
    case Op::Sub:
      return wrap(ua - ub);
    case Op::Mul:
      return wrap(ua * ub);
    case Op::Div:
      return b == -1 ? wrap(0u - ua) : a / b;
    case Op::Minimum:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

Result<void> binary_int32(const KernelCall& call) {
  const auto a = call.input(0).as<std::int32_t>(), b = call.input(1).as<std::int32_t>();
  auto out = call.output().as_mutable<std::int32_t>();
  if (call.node.op == Op::Div && std::find(b.begin(), b.end(), 0) != b.end())
    return malformed({}, "a 32-bit integer is divided by 0");
  for_each_broadcast(call.output().shape(), call.input(0).shape(), call.input(1).shape(),
                     [&](std::size_t i, std::size_t ia, std::size_t ib) {
                       out[i] = integer_operation(call.node.op, a[ia], b[ib]);
                     });
  return {};
}

bool compare(Op op, float a, float b) {
  switch (op) {
    case Op::Equal:
      return a == b;
    case Op::NotEqual:
      return a != b;
    case Op::Greater:
      return a > b;
    case Op::GreaterEqual:
      return a >= b;
    case Op::Less:
      return a < b;
    default:
      return a <= b;
  }
}

float unary_operation(Op op, float x) {
  switch (op) {
    case Op::Abs:
      return std::fabs(x);
    case Op::Neg:
      return -x;
    case Op::Exp:
      return std::exp(x);
    case Op::Sqrt:
      return std::sqrt(x);
    case Op::Rsqrt:
      return 1.0f / std::sqrt(x);
    default:
      return std::floor(x);
  }
}

}  // namespace

std::string binary_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (!check.operands(2, 2) || !check.one_type()) return check.why();
  if (check.in(0).type != DType::I32 && !check.numeric()) return check.why();
  broadcasts(check);
  return check.why();
}

Result<void> binary(const KernelCall& call) {
  if (call.output().type() == DType::I32) return binary_int32(call);
  const WorkVector<float> a = decode(call.input(0)), b = decode(call.input(1));
  WorkVector<float> result(static_cast<std::size_t>(call.output().count()));
  with_float_operation(call.node.op, [&](auto operation) {
    for_each_broadcast(
        call.output().shape(), call.input(0).shape(), call.input(1).shape(),
        [&](std::size_t i, std::size_t ia, std::size_t ib) { result[i] = operation(a[ia], b[ib]); });
  });
  encode(result, call.output());
  return {};
}

std::string comparison_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (!check.operands(2, 2)) return check.why();
  const DType type = check.in(0).type;
  if (check.require(is_numeric(type) || type == DType::I32 || type == DType::Bool,
                    fmt::format("the reference does not compare {}", to_string(type))) &&
      check.type_of_input(1, type) && check.scales_fit(0) && check.scales_fit(1) &&
      check.require(check.out().type == DType::Bool,
                    fmt::format("its output is {}", to_string(check.out().type))))
    broadcasts(check);
  return check.why();
}

Result<void> comparison(const KernelCall& call) {
  const WorkVector<float> a = decode(call.input(0)), b = decode(call.input(1));
  auto out = call.output().as_mutable<std::uint8_t>();
  for_each_broadcast(call.output().shape(), call.input(0).shape(), call.input(1).shape(),
                     [&](std::size_t i, std::size_t ia, std::size_t ib) {
                       out[i] = static_cast<std::uint8_t>(compare(call.node.op, a[ia], b[ib]));
                     });
  return {};
}

std::string unary_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (!check.operands(1, 1) || !check.numeric() || !check.one_type() ||
      !check.output_shape(check.in(0).shape))
    return check.why();
  if (node.op == Op::Floor)
    check.require(is_float(check.in(0).type),
                  fmt::format("the reference rounds floats down, not {}", to_string(check.in(0).type)));
  return check.why();
}

Result<void> unary(const KernelCall& call) {
  WorkVector<float> values = decode(call.input(0));
  for (float& x : values) x = unary_operation(call.node.op, x);
  encode(values, call.output());
  return {};
}

std::string prelu_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (check.operands(2, 2) && check.numeric() && check.one_type()) broadcasts(check);
  return check.why();
}

Result<void> prelu(const KernelCall& call) {
  const WorkVector<float> input = decode(call.input(0)), alpha = decode(call.input(1));
  WorkVector<float> result(static_cast<std::size_t>(call.output().count()));
  for_each_broadcast(call.output().shape(), call.input(0).shape(), call.input(1).shape(),
                     [&](std::size_t i, std::size_t ia, std::size_t ib) {
                       result[i] = input[ia] < 0 ? alpha[ib] * input[ia] : input[ia];
                     });
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
