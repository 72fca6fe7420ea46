// Pooling of codes of 8 and 16 bits, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// out[p][c] = the largest in[p * step + tap][c] of `rows` rows of `columns` pixels, cut to [low, high], for
// `pixels` outputs. The rows of a window lie `row_step` codes apart, windows `step` codes.
struct MaximumWindow {
  std::size_t channels, rows, columns, row_step, step;
  std::int32_t low, high;
};
void largest(const MaximumWindow& window, const std::int8_t* in, std::size_t pixels, std::int8_t* out);
void largest(const MaximumWindow& window, const std::uint8_t* in, std::size_t pixels, std::uint8_t* out);
void largest(const MaximumWindow& window, const std::int16_t* in, std::size_t pixels, std::int16_t* out);

// sums[c] += in[c]
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels);
void accumulate(const std::uint8_t* in, std::int32_t* sums, std::size_t channels);
void accumulate(const std::int16_t* in, std::int32_t* sums, std::size_t channels);

// The mean of `count` codes, halves away from zero, cut to [low, high]. |sums| < 2^24.
struct Mean {
  std::int32_t count, low, high;
};
void average(const std::int32_t* sums, const Mean& mean, std::int8_t* out, std::size_t channels);
void average(const std::int32_t* sums, const Mean& mean, std::uint8_t* out, std::size_t channels);
void average(const std::int32_t* sums, const Mean& mean, std::int16_t* out, std::size_t channels);

}  // namespace npubin::exec::fast
