// The project's own kernels over signed 8-bit codes, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// out[c] = max(out[c], in[c])
void raise(const std::int8_t* in, std::int8_t* out, std::size_t channels);
// sums[c] += in[c]
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels);
// The mean of `count` codes, halves away from zero, cut to [low, high]. |sums| < 2^24.
void average(const std::int32_t* sums, std::int32_t count, std::int32_t low, std::int32_t high,
             std::int8_t* out, std::size_t channels);
// out[i] = out[i] cut to [low, high]
void clamp_codes(std::int8_t low, std::int8_t high, std::int8_t* out, std::size_t count);

}  // namespace npubin::exec::fast
