// Scaling as the output unit does it (ethos-u55 spec 4). Integers only.
#pragma once

#include <cstdint>

#include "ethosu/operation.h"

namespace npubin::ethosu {

// 40-bit accumulators times 32-bit multipliers.
__extension__ typedef __int128 Wide;

// (value + half) >> shift: one rounding. For negative values this is the same as "add 1 - half, then divide
// toward zero".
inline Wide rounded_shift(Wide value, std::uint32_t shift) {
  return shift == 0 ? value : (value + (Wide{1} << (shift - 1))) >> shift;
}

// value / 2^exponent, nearest, halves away from zero.
inline std::int64_t rounding_divide(std::int64_t value, std::uint32_t exponent) {
  if (exponent == 0) return value;
  const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
  const std::int64_t rest = value & mask;
  return (value >> exponent) + (rest > (mask >> 1) + (value < 0 ? 1 : 0) ? 1 : 0);
}

// A multiplier with its shift and rounding. shift 0..63; above 31 double rounding takes two steps.
struct Scaling {
  std::uint32_t multiplier = 1;
  std::uint32_t shift = 0;
  Rounding rounding = Rounding::Double;

  std::int64_t apply(std::int64_t value) const {
    const Wide product = Wide{value} * multiplier;
    if (rounding == Rounding::Natural || shift <= 31)
      return static_cast<std::int64_t>(rounded_shift(product, shift));
    return rounding_divide(static_cast<std::int64_t>(rounded_shift(product, 31)), shift - 31);
  }
};

}  // namespace npubin::ethosu
