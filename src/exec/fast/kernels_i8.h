// The project's own kernels over signed 8-bit codes, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// out[p][c] = the largest in[p * step + tap][c] of `rows` rows of `columns` pixels, cut to [low, high], for
// `pixels` outputs. The rows of a window lie `row_step` bytes apart, windows `step` bytes.
struct MaximumWindow {
  std::size_t channels, rows, columns, row_step, step;
  std::int8_t low, high;
};
void largest(const MaximumWindow& window, const std::int8_t* in, std::size_t pixels, std::int8_t* out);
// sums[c] += in[c]
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels);
// The mean of `count` codes, halves away from zero, cut to [low, high]. |sums| < 2^24.
void average(const std::int32_t* sums, std::int32_t count, std::int32_t low, std::int32_t high,
             std::int8_t* out, std::size_t channels);

// out[i] = (weights[i] * weight_scale) * ((codes[i] - zero) * scale), every step rounded to float32.
struct DecodedProducts {
  const std::uint8_t* codes;
  const std::int8_t* weights;
  std::int32_t zero;
  float scale, weight_scale;
};
void decoded_products(const DecodedProducts& factors, std::size_t count, float* out);

}  // namespace npubin::exec::fast
