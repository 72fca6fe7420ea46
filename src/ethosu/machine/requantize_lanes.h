// Double rounding of accumulators in vector instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::ethosu {

// What channels need, as arrays filled up to a multiple of 16.
struct LaneScales {
  const std::int32_t* add;         // bias and correction, modulo 2^32
  const std::int32_t* multiplier;  // not negative
  const std::int32_t* second;      // shift - 31, 0..31
  std::int32_t lowest, highest;    // the clamp less the zero point
  std::int32_t zero_point;
};

// out[c] = clamp(double rounding of (accumulators[c] + add[c]) * multiplier[c] / 2^(31 + second[c])) + zero
// point, for c < channels rounded up to 16: both arrays must reach so far. Precondition: the sums fit 32
// bits.
void requantize_lanes(const std::int32_t* accumulators, std::size_t channels, const LaneScales& scales,
                      std::int32_t* out);

}  // namespace npubin::ethosu
