// The head of a slice: how its weights are coded.
#pragma once

#include <array>
#include <cstdint>

namespace npubin::ethosu {

inline constexpr unsigned kZeroRunsOff = 6;       // ZDIV: no zero runs
inline constexpr unsigned kEndOfStream = 7;       // ZDIV
inline constexpr unsigned kUncompressed = 7;      // WDIV
inline constexpr unsigned kWeightPositions = 12;  // unary positions of a chunk for weights
inline constexpr unsigned kMaximumPalette = 32;
inline constexpr unsigned kMaximumSlice = 32768;

// Persists from slice to slice until a new one is sent.
struct Palette {
  std::uint32_t size = 0;           // 0, 2..32
  std::uint32_t bits = 2;           // of an entry, and of a direct index, 2..9
  std::uint32_t direct_offset = 0;  // of direct indices
  std::array<std::uint16_t, kMaximumPalette> entries{};

  // Bits of an index in an uncompressed slice.
  unsigned index_bits() const {
    if (size == 0) return bits;
    unsigned needed = 0;
    while ((1u << needed) < size) ++needed;
    return needed;
  }
};

// Bit 0 is the sign, the rest the magnitude.
inline std::int16_t weight_of_code(std::uint32_t code) {
  const auto magnitude = static_cast<std::int16_t>(code >> 1);
  return (code & 1) != 0 ? static_cast<std::int16_t>(-magnitude) : magnitude;
}
inline std::uint32_t code_of_weight(std::int32_t weight) {
  return weight < 0 ? static_cast<std::uint32_t>(-weight) << 1 | 1u : static_cast<std::uint32_t>(weight) << 1;
}

struct SliceHead {
  unsigned zero_divisor = kZeroRunsOff;     // ZDIV
  unsigned weight_divisor = kUncompressed;  // WDIV
  std::uint32_t length = 0;                 // weights with a code, 1..32768
  bool truncated = false;                   // WTRUNC: quotients end at every position
  bool new_palette = false;

  bool zero_runs() const { return zero_divisor != kZeroRunsOff; }
  bool uncompressed() const { return weight_divisor == kUncompressed; }
  unsigned zero_positions() const { return zero_divisor < 3 ? 12 : 8; }
  // Runs of zeros: after every weight, and before the first one of a new palette.
  std::uint32_t zero_run_count() const { return zero_runs() ? length + (new_palette ? 1 : 0) : 0; }
};

}  // namespace npubin::ethosu
