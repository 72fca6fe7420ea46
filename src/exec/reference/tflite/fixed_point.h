// Fixed-point arithmetic of TensorFlow Lite Micro: multipliers, rounding, activation ranges. tflite spec 2.
// Everything here is defined for every input; wrap-around is done in unsigned arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "npubin/graph.h"
#include "npubin/tensor.h"

namespace npubin::exec::tflite {

// real = mantissa * 2^(shift - 31)
struct Multiplier {
  std::int32_t mantissa = 0;
  std::int32_t shift = 0;
};

// d = f 2^s with f in [1/2, 1), f in 31 bits. Below 2^-32 nothing is left. Quotients of scales that left the
// range of their type are taken as the largest multiplier; those that are no number as 0.
inline Multiplier quantize_multiplier(double real) {
  if (real == 0 || std::isnan(real)) return {};
  if (std::isinf(real)) return {real > 0 ? INT32_MAX : -INT32_MAX, 31};
  int shift = 0;
  const double fraction = std::frexp(real, &shift);
  auto mantissa = static_cast<std::int64_t>(std::round(fraction * 2147483648.0));
  if (mantissa == std::int64_t{1} << 31) {
    mantissa /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<std::int32_t>(mantissa), shift};
}

inline std::int32_t saturate32(std::int64_t x) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(x, INT32_MIN, INT32_MAX));
}
inline std::int32_t wrap32(std::int64_t x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x)));
}

// x 2^shift wrapped to 32 bits; 0 <= shift.
inline std::int32_t shift_left(std::int32_t x, int shift) {
  return shift > 31 ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << shift);
}
inline std::int32_t saturating_shift_left(std::int32_t x, int shift) {
  return shift > 31 ? (x == 0  ? 0
                       : x > 0 ? INT32_MAX
                               : INT32_MIN)
                    : saturate32(std::int64_t{x} * (std::int64_t{1} << shift));
}

// Saturating rounding doubling high multiply.
inline std::int32_t srdhm(std::int32_t a, std::int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  const std::int64_t product = std::int64_t{a} * b;
  return static_cast<std::int32_t>((product + (std::int64_t{1} << 30)) >> 31);
}

// Rounding division by a power of two: nearest, halves away from zero. 0 <= exponent.
inline std::int32_t rdp(std::int32_t x, int exponent) {
  if (exponent > 31) return 0;
  const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
  const std::int64_t dropped = x & mask;
  const std::int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return static_cast<std::int32_t>((std::int64_t{x} >> exponent) + (dropped > threshold ? 1 : 0));
}

// Double rounding: what TensorFlow Lite Micro does to int8, int16 and int32.
inline std::int32_t multiply(std::int32_t x, Multiplier m) {
  const std::int32_t high = srdhm(shift_left(x, std::max(m.shift, 0)), m.mantissa);
  return rdp(high, std::max(-m.shift, 0));
}

// Single rounding with a 16-bit mantissa: 64-bit accumulators.
inline std::int32_t multiply_64(std::int64_t x, Multiplier m) {
  const std::int32_t reduced = m.mantissa < 0x7FFF0000 ? (m.mantissa + (1 << 15)) >> 16 : 0x7FFF;
  const int total = 15 - m.shift;
  const auto product = static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(std::int64_t{reduced});
  if (total <= 0) return wrap32(static_cast<std::int64_t>(total < -63 ? 0 : product << -total));
  const auto rounded = static_cast<std::int64_t>(product + (std::uint64_t{1} << (total - 1)));
  return wrap32(rounded >> total);
}

template <class T>
T clamp_to(std::int64_t value) {
  return static_cast<T>(
      std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// A float rounded to the nearest integer, halves away from zero; NaN gives 0, what does not fit saturates.
inline std::int64_t round_to_integer(float value) {
  const float rounded = std::round(value);
  if (!(rounded > -9.2e18f)) return std::isnan(rounded) ? 0 : std::numeric_limits<std::int64_t>::min() / 2;
  if (!(rounded < 9.2e18f)) return std::numeric_limits<std::int64_t>::max() / 2;
  return static_cast<std::int64_t>(rounded);
}

template <class T>
struct Range {
  T low, high;
  T clamp(std::int64_t value) const { return static_cast<T>(std::clamp<std::int64_t>(value, low, high)); }
};

// Codes that a fused activation lets through: zp + round(float32(v) / scale), within the type.
template <class T>
Range<T> activation_range(const graph::ActivationAttributes& activation, const Quantization& out) {
  Range<T> range{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  const auto code = [&](float real) {
    return clamp_to<T>(out.zero_point() + round_to_integer(real / out.scale()));
  };
  if (activation.function == graph::Activation::ReLu) range.low = std::max(range.low, code(0));
  if (activation.function == graph::Activation::BoundedReLu) {
    range.low = std::max(range.low, code(activation.b));
    range.high = std::min(range.high, code(activation.a));
  }
  return range;
}

struct FloatRange {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  float clamp(float x) const { return std::min(std::max(x, low), high); }
};
inline FloatRange float_range(const graph::ActivationAttributes& activation) {
  FloatRange range;
  if (activation.function == graph::Activation::ReLu) range.low = 0;
  if (activation.function == graph::Activation::BoundedReLu) range = {activation.b, activation.a};
  return range;
}

}  // namespace npubin::exec::tflite
