// The project's own kernels over signed 8-bit codes, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// out[i] = (weights[i] * weight_scale) * ((codes[i] - zero) * scale), every step rounded to float32.
struct DecodedProducts {
  const std::uint8_t* codes;
  const std::int8_t* weights;
  std::int32_t zero;
  float scale, weight_scale;
};
void decoded_products(const DecodedProducts& factors, std::size_t count, float* out);

}  // namespace npubin::exec::fast
