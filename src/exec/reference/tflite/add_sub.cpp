// ADD, SUB, SQUARED_DIFFERENCE. tflite spec 3.
#include "exec/reference/tflite/broadcast.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"
#include "exec/reference/tflite/rescaling.h"

namespace npubin::exec::tflite {
namespace {

using graph::Op;

Rescaling rescaling_of(const KernelCall& call) {
  return tflite::rescaling_of(call.node.op, call.input(0).quantization().scale(),
                              call.input(1).quantization().scale(), call.output().quantization().scale(),
                              size_of(call.output().type()));
}

template <class T>
void add_sub_codes(const KernelCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  Tensor& out = call.output();
  const Rescaling m = rescaling_of(call);
  const auto za = static_cast<std::int32_t>(a.quantization().zero_point());
  const auto zb = static_cast<std::int32_t>(b.quantization().zero_point());
  const std::int64_t zo = out.quantization().zero_point();
  const auto range =
      activation_range<T>(call.node.attr<graph::BinaryAttributes>().activation, out.quantization());
  const bool minus = call.node.op == Op::Sub;
  for_each_pair<T, T>(a, b, out, [&](T x, T y) {
    const std::int32_t p = multiply(shift_left(x - za, m.left_shift), m.a);
    const std::int32_t q = multiply(shift_left(y - zb, m.left_shift), m.b);
    return range.clamp(multiply(wrap32(minus ? std::int64_t{p} - q : std::int64_t{p} + q), m.out) + zo);
  });
}

template <class T, class U>
void add_sub_integers(const KernelCall& call) {
  const bool minus = call.node.op == Op::Sub;
  for_each_pair<T, T>(call.input(0), call.input(1), call.output(), [&](T x, T y) {
    const auto p = static_cast<U>(x), q = static_cast<U>(y);
    return static_cast<T>(minus ? p - q : p + q);
  });
}

template <class T>
void squared_difference_codes(const KernelCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  Tensor& out = call.output();
  const Rescaling m = rescaling_of(call);
  const auto za = static_cast<std::int32_t>(a.quantization().zero_point());
  const auto zb = static_cast<std::int32_t>(b.quantization().zero_point());
  const std::int64_t zo = out.quantization().zero_point();
  for_each_pair<T, T>(a, b, out, [&](T x, T y) {
    const std::int32_t d = wrap32(std::int64_t{multiply(shift_left(x - za, m.left_shift), m.a)} -
                                  multiply(shift_left(y - zb, m.left_shift), m.b));
    return clamp_to<T>(multiply(wrap32(std::int64_t{d} * d), m.out) + zo);
  });
}

}  // namespace

// ADD takes its reals in double, SUB in float32, with every quotient rounded to float32.
Rescaling rescaling_of(Op op, float sa, float sb, float so, std::size_t code_bytes) {
  Rescaling out;
  if (op == Op::SquaredDifference) {
    out.left_shift = code_bytes == 1 ? 7 : 0;
    const double twice = 2 * static_cast<double>(std::max(sa, sb));
    out.a = quantize_multiplier(sa / twice);
    out.b = quantize_multiplier(sb / twice);
    const float below = static_cast<float>(1 << (2 * out.left_shift)) * so;
    out.out = quantize_multiplier(twice * twice / static_cast<double>(below));
    return out;
  }
  out.left_shift = code_bytes == 1 ? 20 : 15;
  if (op == Op::Add) {
    const double twice = 2 * static_cast<double>(std::max(sa, sb));
    out.a = quantize_multiplier(sa / twice);
    out.b = quantize_multiplier(sb / twice);
    out.out = quantize_multiplier(twice / ((1 << out.left_shift) * static_cast<double>(so)));
  } else {
    const float twice = 2.0f * std::max(sa, sb);
    out.a = quantize_multiplier(sa / twice);
    out.b = quantize_multiplier(sb / twice);
    out.out = quantize_multiplier(twice / (static_cast<float>(1 << out.left_shift) * so));
  }
  return out;
}

Result<void> run_add_sub(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32: {
      const FloatRange range = float_range(call.node.attr<graph::BinaryAttributes>().activation);
      const bool minus = call.node.op == Op::Sub;
      for_each_pair<float, float>(call.input(0), call.input(1), call.output(),
                                  [&](float x, float y) { return range.clamp(minus ? x - y : x + y); });
      break;
    }
    case DType::I8:
      add_sub_codes<std::int8_t>(call);
      break;
    case DType::U8:
      add_sub_codes<std::uint8_t>(call);
      break;
    case DType::I16:
      add_sub_codes<std::int16_t>(call);
      break;
    case DType::I32:
      add_sub_integers<std::int32_t, std::uint32_t>(call);
      break;
    default:
      add_sub_integers<std::int64_t, std::uint64_t>(call);
  }
  return {};
}

Result<void> run_squared_difference(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32:
      for_each_pair<float, float>(call.input(0), call.input(1), call.output(),
                                  [](float x, float y) { return (x - y) * (x - y); });
      break;
    case DType::I8:
      squared_difference_codes<std::int8_t>(call);
      break;
    case DType::I16:
      squared_difference_codes<std::int16_t>(call);
      break;
    default:
      for_each_pair<std::int32_t, std::int32_t>(call.input(0), call.input(1), call.output(),
                                                [](std::int32_t x, std::int32_t y) {
                                                  const std::int64_t d = wrap32(std::int64_t{x} - y);
                                                  return wrap32(d * d);
                                                });
  }
  return {};
}

}  // namespace npubin::exec::tflite
