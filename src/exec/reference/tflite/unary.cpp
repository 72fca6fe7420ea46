// ABS NEG EXP LOG SQRT RSQRT SQUARE FLOOR CEIL ROUND SIN COS LOGICAL_NOT. tflite spec 3.
#include <cmath>

#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::Op;

// tflite spec 3: ROUND takes halves to even.
float round_half_even(float x) {
  const float floor = std::floor(x), distance = x - floor;
  if (distance < 0.5f) return floor;
  if (distance > 0.5f) return floor + 1.0f;
  return std::fmod(floor, 2.0f) == 0 ? floor : floor + 1.0f;
}

float evaluate(Op op, float x) {
  switch (op) {
    case Op::Abs:
      return std::fabs(x);
    case Op::Neg:
      return -x;
    case Op::Exp:
      return std::exp(x);
    case Op::Log:
      return std::log(x);
    case Op::Sqrt:
      return std::sqrt(x);
    case Op::Rsqrt:
      return 1.0f / std::sqrt(x);
    case Op::Square:
      return x * x;
    case Op::Floor:
      return std::floor(x);
    case Op::Ceil:
      return std::ceil(x);
    case Op::Round:
      return round_half_even(x);
    case Op::Sin:
      return std::sin(x);
    default:
      return std::cos(x);
  }
}

template <class T>
void abs_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const auto zi = static_cast<std::int32_t>(qi.zero_point());
  const bool rescale = qi.scale() != qo.scale();
  const Multiplier m = quantize_multiplier(qi.scale() / qo.scale());
  const auto in = call.input(0).as<T>();
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int32_t v = std::abs(in[i] - zi);
    out[i] = clamp_to<T>((rescale ? multiply(v, m) : v) + qo.zero_point());
  }
}

// tflite spec 7: RSQRT.
Result<void> rsqrt_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const Multiplier m = quantize_multiplier(1.0f / (std::sqrt(qi.scale()) * qo.scale()));
  const auto in = call.input(0).as<std::int8_t>();
  auto out = call.output().as_mutable<std::int8_t>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto v = static_cast<std::int32_t>(in[i] - qi.zero_point());
    if (v < 0) return malformed({}, "RSQRT of a negative number");
    if (v == 0) {
      out[i] = 127;
      continue;
    }
    const InverseSqrt inverse = inverse_sqrt(v);
    const std::int32_t y = multiply(1, {inverse.mantissa, inverse.shift + 20});
    out[i] = clamp_to<std::int8_t>(multiply(y, {m.mantissa, m.shift - 20}) + qo.zero_point());
  }
  return {};
}

template <class T, class U>
void integers(const KernelCall& call) {
  const auto in = call.input(0).as<T>();
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = call.node.op == Op::Abs && in[i] >= 0 ? in[i] : static_cast<T>(U{0} - static_cast<U>(in[i]));
}

}  // namespace

Result<void> run_unary(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32: {
      const auto in = call.input(0).as<float>();
      auto out = call.output().as_mutable<float>();
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = evaluate(call.node.op, in[i]);
      return {};
    }
    case DType::Bool: {
      const auto in = call.input(0).as<std::uint8_t>();
      auto out = call.output().as_mutable<std::uint8_t>();
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] == 0 ? 1 : 0;
      return {};
    }
    case DType::I8:
      if (call.node.op == Op::Rsqrt) return rsqrt_codes(call);
      abs_codes<std::int8_t>(call);
      return {};
    case DType::I16:
      abs_codes<std::int16_t>(call);
      return {};
    case DType::I32:
      integers<std::int32_t, std::uint32_t>(call);
      return {};
    default:
      integers<std::int64_t, std::uint64_t>(call);
      return {};
  }
}

}  // namespace npubin::exec::tflite
