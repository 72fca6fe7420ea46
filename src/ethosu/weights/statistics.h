// What a weight stream is made of.
#pragma once

#include <cstdint>

namespace npubin::ethosu {

struct WeightStatistics {
  std::uint64_t sub_streams = 0;  // runs of slices up to an end mark, empty ones not counted
  std::uint64_t slices = 0;
  std::uint64_t palettes = 0;             // slices that bring a palette
  std::uint64_t uncompressed_slices = 0;  // fixed-width indices instead of Golomb-Rice codes
  std::uint64_t zero_run_slices = 0;      // slices with coded runs of zeros
  std::uint64_t coded = 0;                // weights with a code of their own
  std::uint64_t run_zeros = 0;            // zeros that only runs tell of
  std::uint64_t zeros = 0;                // zeros in all
  std::int32_t minimum = 0, maximum = 0;  // over the whole stream, padded positions included

  std::uint64_t total() const { return coded + run_zeros; }
};

}  // namespace npubin::ethosu
