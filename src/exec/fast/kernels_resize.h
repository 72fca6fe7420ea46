// Bilinear interpolation, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// Between which pixels of a row (in elements) an output pixel lies; `weight` is the share of the higher one.
template <class Weight>
struct ColumnTap {
  std::size_t low, high;
  Weight weight;
};

// out[x][c] = low + weight * (high - low) for `count` output pixels of `channels` numbers. Weights of codes
// are in 1/1024, and so are the sums.
void blend_columns(const float* row, const ColumnTap<float>* taps, std::size_t count, std::size_t channels,
                   float* out);
void blend_columns(const std::int8_t* row, const ColumnTap<std::int32_t>* taps, std::size_t count,
                   std::size_t channels, std::int32_t* out);

// The same between two rows. Codes are rounded to the nearest, halves away from 0.
void blend_rows(const float* low, const float* high, float weight, float* out, std::size_t count);
void blend_rows(const std::int32_t* low, const std::int32_t* high, std::int32_t weight, std::int8_t* out,
                std::size_t count);

}  // namespace npubin::exec::fast
