// Between a model's stored types and real numbers: what `--float` feeds and returns.
#pragma once

#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::exec {

// A float32 tensor stored as `type`: codes are round(x / scale) + zero point, halves away from zero, clamped;
// other integers are rounded and clamped; F16 takes the nearest, ties to even. Error (Refused): a type that
// real numbers cannot feed (scales per channel).
Result<Tensor> from_real(const Tensor& real, DType type, const Quantization& quantization);

// Any tensor as float32, element by element as Tensor::real().
Tensor to_real(const Tensor& tensor);

}  // namespace npubin::exec
