// MUL, DIV, MINIMUM, MAXIMUM, POW, FLOOR_DIV, FLOOR_MOD. tflite spec 3.
#include "exec/reference/tflite/broadcast.h"
#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::Op;

template <class T>
void mul_codes(const KernelCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  Tensor& out = call.output();
  const double real = static_cast<double>(a.quantization().scale()) *
                      static_cast<double>(b.quantization().scale()) /
                      static_cast<double>(out.quantization().scale());
  const Multiplier m = quantize_multiplier(real);
  const auto za = static_cast<std::int32_t>(a.quantization().zero_point());
  const auto zb = static_cast<std::int32_t>(b.quantization().zero_point());
  const std::int64_t zo = out.quantization().zero_point();
  const auto range =
      activation_range<T>(call.node.attr<graph::BinaryAttributes>().activation, out.quantization());
  for_each_pair<T, T>(a, b, out,
                      [&](T x, T y) { return range.clamp(multiply((x - za) * (y - zb), m) + zo); });
}

template <class T, class U>
void mul_integers(const KernelCall& call) {
  for_each_pair<T, T>(call.input(0), call.input(1), call.output(),
                      [](T x, T y) { return static_cast<T>(static_cast<U>(x) * static_cast<U>(y)); });
}

// The quotient by a fixed-point reciprocal.
void div_codes(const KernelCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  Tensor& out = call.output();
  const float real = a.quantization().scale() / (b.quantization().scale() * out.quantization().scale());
  const Multiplier m = quantize_multiplier(real);
  const auto za = static_cast<std::int32_t>(a.quantization().zero_point());
  const auto zb = static_cast<std::int32_t>(b.quantization().zero_point());
  const std::int64_t zo = out.quantization().zero_point();
  const auto range =
      activation_range<std::int8_t>(call.node.attr<graph::BinaryAttributes>().activation, out.quantization());
  for_each_pair<std::int8_t, std::int8_t>(a, b, out, [&](std::int8_t x, std::int8_t y) {
    std::int32_t dividend = x - za, divisor = y - zb;
    if (divisor == 0) return range.clamp(zo);  // undefined in the reference
    if (divisor < 0) {
      dividend = -dividend;
      divisor = -divisor;
    }
    const Reciprocal inverse = reciprocal(divisor, 31);
    const int headroom = sign_headroom(dividend);
    const std::int32_t unscaled = srdhm(shift_left(dividend, headroom), inverse.value);
    const std::int32_t scaled = srdhm(unscaled, m.mantissa);
    const int shift = m.shift - inverse.bits_over_unit - headroom;
    const std::int32_t quotient = shift > 0 ? saturating_shift_left(scaled, shift) : rdp(scaled, -shift);
    return range.clamp(quotient + zo);
  });
}

template <class T>
void min_max(const KernelCall& call) {
  const bool largest = call.node.op == Op::Maximum;
  for_each_pair<T, T>(call.input(0), call.input(1), call.output(),
                      [&](T x, T y) { return largest ? (x > y ? x : y) : (x < y ? x : y); });
}

std::int32_t integer_power(std::int32_t base, std::int32_t exponent) {
  std::uint32_t out = 1, factor = static_cast<std::uint32_t>(base);
  for (; exponent > 0; exponent >>= 1, factor *= factor)
    if ((exponent & 1) != 0) out *= factor;
  return static_cast<std::int32_t>(out);
}

Unexpected division_by_zero() {
  return malformed({}, "an integer is divided by 0");
}

}  // namespace

Result<void> run_mul(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32: {
      const FloatRange range = float_range(call.node.attr<graph::BinaryAttributes>().activation);
      for_each_pair<float, float>(call.input(0), call.input(1), call.output(),
                                  [&](float x, float y) { return range.clamp(x * y); });
      break;
    }
    case DType::I8:
      mul_codes<std::int8_t>(call);
      break;
    case DType::U8:
      mul_codes<std::uint8_t>(call);
      break;
    case DType::I16:
      mul_codes<std::int16_t>(call);
      break;
    case DType::I32:
      mul_integers<std::int32_t, std::uint32_t>(call);
      break;
    default:
      mul_integers<std::int64_t, std::uint64_t>(call);
  }
  return {};
}

Result<void> run_div(const KernelCall& call) {
  if (call.input(0).type() == DType::F32) {
    const FloatRange range = float_range(call.node.attr<graph::BinaryAttributes>().activation);
    for_each_pair<float, float>(call.input(0), call.input(1), call.output(),
                                [&](float x, float y) { return range.clamp(x / y); });
    return {};
  }
  if (call.input(0).type() == DType::I8) {
    div_codes(call);
    return {};
  }
  for (std::int32_t divisor : call.input(1).as<std::int32_t>())
    if (divisor == 0) return division_by_zero();
  for_each_pair<std::int32_t, std::int32_t>(
      call.input(0), call.input(1), call.output(),
      [](std::int32_t x, std::int32_t y) { return wrap32(std::int64_t{x} / y); });
  return {};
}

Result<void> run_min_max(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32:
      min_max<float>(call);
      break;
    case DType::I8:
      min_max<std::int8_t>(call);
      break;
    case DType::U8:
      min_max<std::uint8_t>(call);
      break;
    case DType::I16:
      min_max<std::int16_t>(call);
      break;
    case DType::I32:
      min_max<std::int32_t>(call);
      break;
    default:
      min_max<std::int64_t>(call);
  }
  return {};
}

Result<void> run_pow_floor(const KernelCall& call) {
  const Op op = call.node.op;
  const Tensor &a = call.input(0), &b = call.input(1);
  if (a.type() == DType::F32) {
    for_each_pair<float, float>(a, b, call.output(), [&](float x, float y) {
      if (op == Op::Pow) return std::pow(x, y);
      if (op == Op::FloorDiv) return std::floor(x / y);
      const float rest = std::fmod(x, y);
      return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    });
    return {};
  }
  for (std::int32_t y : b.as<std::int32_t>()) {
    if (op != Op::Pow && y == 0) return division_by_zero();
    if (op == Op::Pow && y < 0) return malformed({}, "an integer is raised to a negative power");
  }
  for_each_pair<std::int32_t, std::int32_t>(a, b, call.output(), [&](std::int32_t x, std::int32_t y) {
    if (op == Op::Pow) return integer_power(x, y);
    const std::int64_t quotient = std::int64_t{x} / y, rest = std::int64_t{x} % y;
    const bool lower = rest != 0 && (rest < 0) != (y < 0);
    return op == Op::FloorDiv ? wrap32(quotient - (lower ? 1 : 0)) : wrap32(lower ? rest + y : rest);
  });
  return {};
}

}  // namespace npubin::exec::tflite
