// IEEE 754 half precision and bfloat16, with the rounding modes that the formats need.
#pragma once

#include <cstdint>

#include "npubin/export.h"

namespace npubin {

enum class HalfRounding : std::uint8_t {
  TiesToEven,  // IEEE default; AIPP, NumPy
  TiesAway,    // Arm NN's half.hpp (HALF_ROUND_TIES_TO_EVEN 0)
};

// Exact. NaN payloads are kept in the upper bits, quieted.
NPUBIN_API float half_to_float(std::uint16_t bits);
// Nearest, ties as given; overflow gives infinity; subnormals are produced; NaN stays NaN.
NPUBIN_API std::uint16_t float_to_half(float value, HalfRounding rounding = HalfRounding::TiesToEven);

// Exact.
NPUBIN_API float bfloat16_to_float(std::uint16_t bits);
// Nearest, ties to even; NaN stays NaN.
NPUBIN_API std::uint16_t float_to_bfloat16(float value);

}  // namespace npubin
