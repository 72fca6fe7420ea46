// What 8-bit convolutions and products share: which graphs they take, and the numbers of the requantisation.
#pragma once

#include <vector>

#include "exec/fast/integer_kernels.h"
#include "exec/fast/reference_sums.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::fast {

// Codes of this type with one scale for all.
inline bool per_tensor(const graph::Value& value, DType type) {
  return value.type == type && value.quantization.present() && !value.quantization.per_axis();
}

// A convolution, depthwise convolution or fully connected layer that is computed in integers: int8 with one
// scale in and out; constant int8 weights, at least one, with zero point 0 or by Arm NN's rules another for
// all; a constant int32 bias or none; channels last, no groups.
bool takes_integers(const Draft& draft, const DraftNode& entry);
// The same of uint8 by Arm NN's rules.
bool takes_uint8(const Draft& draft, const DraftNode& entry);
// Of those, a depthwise layer of one input channel: a convolution with weights of another shape.
bool single_channel(const Draft& draft, const graph::Node& node);

// Weights less their zero point: the sum of two lists of 8 bits, the second of which is mostly absent.
struct SplitWeights {
  std::shared_ptr<const std::int8_t> first, rest;  // `rest` may be empty

  std::int32_t operator[](std::size_t i) const { return first.get()[i] + (rest ? rest.get()[i] : 0); }
  std::size_t parts() const { return rest ? 2 : 1; }
};
SplitWeights split_weights(const Tensor& codes, std::int64_t zero_point);
// The same in another order: element i is what was order[i].
SplitWeights reordered(const SplitWeights& weights, const std::vector<std::size_t>& order);

// What is known of the weights of one output channel.
struct ChannelWeights {
  std::int64_t sum = 0, squares = 0, magnitudes = 0;

  void add(std::int32_t weight) {
    sum += weight;
    squares += weight * weight;
    magnitudes += weight < 0 ? -weight : weight;
  }
};

struct IntegerLayer {
  std::vector<tflite::Multiplier> multipliers;  // by output channel
  std::vector<std::int32_t> bias;
  // Of Arm NN's rules: what a sum is multiplied with, and how far the reference's float32 sum may lie from
  // the real one, in steps of the output; `doubts` is empty where it is exact.
  std::vector<float> scales, doubts;
  ReferenceNumbers numbers;
  std::int32_t input_zero = 0, output_zero = 0;
  tflite::Range<std::int8_t> range{-128, 127};

  // What a sum of (codes + 128) * weights starts from.
  std::int32_t start(std::size_t channel, std::int64_t weight_sum) const;
  // Arm NN's rules; `products`: how many a sum has.
  void find_doubts(const std::vector<ChannelWeights>& weights, std::size_t products);
};

IntegerLayer integer_layer(const Draft& draft, const DraftNode& entry, std::size_t outputs);

// channels[i]: which channel lies at place i; at or beyond the number of channels: none.
Requantization requantization_of(const IntegerLayer& layer, const std::vector<std::size_t>& channels);

}  // namespace npubin::exec::fast
