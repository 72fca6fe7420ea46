// Stored elements to float32 and back by Arm NN's rules (armnn spec 3, "decode" and "encode"), to the bit;
// compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "npubin/tensor.h"

namespace npubin::exec::fast {

// U8, I8 and I16: float(code - zero point) * scale; F16; F32 is copied. One scale.
bool converts_fast(DType type);
void decode_elements(const std::byte* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
                     float* out);
// Codes: value / scale, halves away from zero, plus zero point, clamped; NaN gives the zero point. F16: ties
// away from zero.
void encode_elements(const float* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
                     std::byte* out);

}  // namespace npubin::exec::fast
