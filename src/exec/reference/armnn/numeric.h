// How Arm NN's reference backend reads and stores numbers: every element is decoded to float32, computed, and
// encoded on store (armnn spec 3, "decode" and "encode").
#pragma once

#include <span>

#include "exec/workspace.h"
#include "npubin/tensor.h"

namespace npubin::exec::armnn {

// All elements as float32. Quantised codes: float(q - zero_point) * scale, the scale of the element's index
// along the quantised axis. I32: times its scale where it has one. Precondition: is_numeric(type) or I32 or
// Bool.
WorkVector<float> decode(const Tensor& tensor);

// Weights whose scales go by output channel whatever the shape: element i has the scale number
// channel_of(i, context). Used where the stored axis does not say it (depthwise, armnn spec 5).
WorkVector<float> decode_by_channel(const Tensor& tensor, std::span<const std::size_t> channel_of_element);

// Stores `values` by the tensor's type and the given quantisation. Codes: round half away, plus zero point,
// clamped. F16: nearest, ties away from zero. I32: toward zero, saturating. NaN in a quantised type: the code
// of 0 (the reference leaves it undefined).
void encode(std::span<const float> values, Tensor& tensor, const Quantization& quantization);
inline void encode(std::span<const float> values, Tensor& tensor) {
  encode(values, tensor, tensor.quantization());
}

// One value as the tensor's type stores it, repeated over all elements.
void fill(float value, Tensor& tensor, const Quantization& quantization);

// F32, F16, BF16, U8, I8, I16: what all numeric layers accept (armnn spec 3, "Types accepted").
bool is_numeric(DType type);

}  // namespace npubin::exec::armnn
