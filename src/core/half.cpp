#include "npubin/half.h"

#include <bit>

namespace npubin {

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  const std::uint32_t exponent = (bits >> 10) & 31u;
  std::uint32_t mantissa = bits & 0x3FFu;
  if (exponent == 31) {
    const std::uint32_t quiet = mantissa != 0 ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13) | quiet);
  }
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  if (mantissa == 0) return std::bit_cast<float>(sign);
  // A subnormal: shift its leading one into the implicit place.
  const int shift = std::countl_zero(mantissa) - 21;
  mantissa = (mantissa << shift) & 0x3FFu;
  return std::bit_cast<float>(sign | (static_cast<std::uint32_t>(113 - shift) << 23) | (mantissa << 13));
}

std::uint16_t float_to_half(float value, HalfRounding rounding) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu);
  if (magnitude == 0x7F800000u) return sign | 0x7C00u;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent > 15) return sign | 0x7C00u;
  if (exponent < -25) return sign;
  // 24-bit significand, and how many of its bits fall off.
  const std::uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
  const int drop = exponent >= -14 ? 13 : 13 + (-14 - exponent);
  std::uint32_t kept = significand >> drop;
  const std::uint32_t rest = significand & ((1u << drop) - 1);
  const std::uint32_t half = 1u << (drop - 1);
  if (rest > half || (rest == half && (rounding == HalfRounding::TiesAway || (kept & 1u) != 0))) ++kept;
  // For normal numbers `kept` holds the implicit one: adding it carries into the exponent as it should.
  const std::uint32_t biased = exponent >= -14 ? static_cast<std::uint32_t>(exponent + 14) << 10 : 0u;
  return static_cast<std::uint16_t>(sign | (biased + kept));
}

float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace npubin
