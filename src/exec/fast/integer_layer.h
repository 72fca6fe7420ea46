// What 8-bit convolutions and products share: which graphs they take, and the numbers of the requantisation.
#pragma once

#include <vector>

#include "exec/fast/integer_kernels.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::fast {

// Codes of this type with one scale for all.
inline bool per_tensor(const graph::Value& value, DType type) {
  return value.type == type && value.quantization.present() && !value.quantization.per_axis();
}

// int8 per tensor in and out; constant weights with zero point 0, at least one; a constant int32 bias or
// none.
bool integer_operands(const Draft& draft, const DraftNode& entry);

struct IntegerLayer {
  std::vector<tflite::Multiplier> multipliers;  // by output channel
  std::vector<std::int32_t> bias;
  std::vector<float> scales;  // of Arm NN's rules
  std::int32_t input_zero = 0, output_zero = 0;
  tflite::Range<std::int8_t> range{-128, 127};

  // What a sum of (codes + 128) * weights starts from.
  std::int32_t start(std::size_t channel, std::int64_t weight_sum) const;
};

IntegerLayer integer_layer(const Draft& draft, const graph::Node& node,
                           const graph::ActivationAttributes& activation, std::size_t outputs);

// channels[i]: which channel lies at place i; at or beyond the number of channels: none.
Requantization requantization_of(const IntegerLayer& layer, const std::vector<std::size_t>& channels);

}  // namespace npubin::exec::fast
