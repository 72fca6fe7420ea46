// The project's own kernels over signed 8-bit codes, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::exec::fast {

// out[i] = ((weights[i] + rest[i]) * weight_scale) * ((codes[i] - zero) * scale), every step rounded to
// float32.
struct DecodedProducts {
  const std::uint8_t* codes;
  const std::int8_t *weights, *rest;  // `rest` may be absent
  std::int32_t zero;
  float scale, weight_scale;
};
void decoded_products(const DecodedProducts& factors, std::size_t count, float* out);

// to = from + 128: of unsigned codes signed ones, and back. `to` may be `from`.
void turn_signs(const std::uint8_t* from, std::size_t count, std::uint8_t* to);

}  // namespace npubin::exec::fast
