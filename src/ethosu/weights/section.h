// How a run of weights is best coded: the choice of palette, divisors and zero runs by counting.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ethosu/weights/slice.h"

namespace npubin::ethosu {

inline constexpr std::size_t kCodes = 512;

// What the cost of a run of weights depends on. Runs add up.
struct WeightCounts {
  std::array<std::uint32_t, kCodes> codes{};  // of all weights
  // Runs of zeros after a non-zero weight: for each ZDIV 0..5 the sum of their quotients, and their number.
  std::array<std::uint64_t, 6> run_quotients{};
  std::uint64_t runs = 0;

  static WeightCounts of(std::span<const std::int16_t> weights);
  void add(const WeightCounts& other);
};

struct SectionCoding {
  SliceHead head;  // length is not set
  Palette palette;
  std::uint64_t bits = UINT64_MAX;  // the cost, unary padding aside
};

// The cheapest coding without zero runs, and with them for each ZDIV where there are zeros.
std::vector<SectionCoding> candidate_codings(const WeightCounts& counts);
// The cheapest of those.
SectionCoding best_coding(const WeightCounts& counts);

// The index that stands for a code: in the palette, or direct.
class CodeIndex {
 public:
  explicit CodeIndex(const Palette& palette);
  std::uint32_t operator[](std::uint32_t code) const { return index_[code]; }

 private:
  std::array<std::uint32_t, kCodes> index_{};
};

}  // namespace npubin::ethosu
