// Single outputs of 8-bit layers as Arm NN's reference computes them, to the bit: codes decoded to float32,
// products added one after the other in its order, the sum encoded (armnn spec 3). For what the integer
// kernels leave in doubt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exec/fast/integer_kernels.h"

namespace npubin::exec::fast {

// What decoding and encoding go by.
struct ReferenceNumbers {
  float in_scale = 1, out_scale = 1;
  std::int32_t in_zero = 0, out_zero = 0, low = -128, high = 127;
  std::vector<float> weight_scales;  // by output channel
  std::vector<float> bias;           // by output channel, decoded; empty: none is added
};

// Of a product: sums over channels, and for each of them over the taps; or the other way round.
struct ReferenceProduct {
  const ReferenceNumbers* numbers = nullptr;
  // [output][tap][channel]; added to each other where there is a `rest`.
  std::shared_ptr<const std::int8_t> weights, rest;
  std::size_t outputs = 0, taps = 1, channels = 0;
  bool pixels_first = false;

  // Of the buffer that settle() wants.
  std::size_t scratch_bytes() const;
  // Writes which[0..count) of call.out. Each of the call's `segments` segments has as many taps.
  void settle(const ProductCall& call, std::size_t segments, const std::uint32_t* which, std::size_t count,
              float* scratch) const;

 private:
  std::size_t taps_together() const;
  std::size_t block() const;  // channels at a time
};

// Of a depthwise layer: sums over the taps. Sources and outputs as IntegerKernels::depthwise has them.
struct ReferenceDepthwise {
  const ReferenceNumbers& numbers;
  const std::int16_t* weights;  // [tap][channel]
  std::size_t channels, taps;
};
void settle_depthwise(const ReferenceDepthwise& layer, const std::uint8_t* const* sources,
                      std::span<const std::uint32_t> which, std::int8_t* out);

}  // namespace npubin::exec::fast
