// Comparisons, LOGICAL_*, SELECT. tflite spec 3.
#include <cstring>

#include "exec/reference/tflite/broadcast.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::Op;

template <class T>
bool holds(Op op, T x, T y) {
  switch (op) {
    case Op::Equal:
      return x == y;
    case Op::NotEqual:
      return x != y;
    case Op::Greater:
      return x > y;
    case Op::GreaterEqual:
      return x >= y;
    case Op::Less:
      return x < y;
    default:
      return x <= y;
  }
}

template <class T>
void compare_values(const KernelCall& call) {
  for_each_pair<T, std::uint8_t>(call.input(0), call.input(1), call.output(),
                                 [op = call.node.op](T x, T y) { return std::uint8_t{holds(op, x, y)}; });
}

// Codes are made comparable: mul((q - z) << 8, scale).
template <class T>
void compare_codes(const KernelCall& call) {
  const Quantization &qa = call.input(0).quantization(), &qb = call.input(1).quantization();
  const Multiplier ma = quantize_multiplier(qa.scale()), mb = quantize_multiplier(qb.scale());
  const auto za = static_cast<std::int32_t>(qa.zero_point()), zb = static_cast<std::int32_t>(qb.zero_point());
  for_each_pair<T, std::uint8_t>(call.input(0), call.input(1), call.output(), [&](T x, T y) {
    const std::int32_t a = multiply(shift_left(x - za, 8), ma), b = multiply(shift_left(y - zb, 8), mb);
    return std::uint8_t{holds(call.node.op, a, b)};
  });
}

}  // namespace

Result<void> run_comparison(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32:
      compare_values<float>(call);
      break;
    case DType::I8:
      compare_codes<std::int8_t>(call);
      break;
    case DType::U8:
      compare_codes<std::uint8_t>(call);
      break;
    case DType::I32:
      compare_values<std::int32_t>(call);
      break;
    case DType::I64:
      compare_values<std::int64_t>(call);
      break;
    default:
      compare_values<std::uint8_t>(call);
  }
  return {};
}

Result<void> run_logical(const KernelCall& call) {
  const bool both = call.node.op == Op::LogicalAnd;
  for_each_pair<std::uint8_t, std::uint8_t>(
      call.input(0), call.input(1), call.output(), [&](std::uint8_t x, std::uint8_t y) {
        return std::uint8_t{both ? (x != 0 && y != 0) : (x != 0 || y != 0)};
      });
  return {};
}

Result<void> run_select(const KernelCall& call) {
  const Tensor &condition = call.input(0), &a = call.input(1), &b = call.input(2);
  Tensor& out = call.output();
  const std::size_t size = size_of(a.type());
  const auto choose = condition.as<std::uint8_t>();
  BroadcastWalk walk(out.shape(), {&condition.shape(), &a.shape(), &b.shape()});
  for (std::int64_t i = 0; i < out.count(); ++i, walk.next()) {
    const std::byte* from =
        choose[walk.at(0)] != 0 ? a.data() + walk.at(1) * size : b.data() + walk.at(2) * size;
    std::memcpy(out.mutable_data() + static_cast<std::size_t>(i) * size, from, size);
  }
  return {};
}

}  // namespace npubin::exec::tflite
