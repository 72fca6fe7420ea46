// What a weight stream is for: its length and its order follow from the operator's shape and from the
// hardware's blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ethosu/job.h"

namespace npubin::ethosu {

struct WeightGeometry {
  std::uint32_t ofm_depth = 1;
  std::uint32_t ifm_depth = 1;  // input channels; 1 for depthwise (one per output channel)
  std::uint32_t kernel_height = 1;
  std::uint32_t kernel_width = 1;
  std::uint32_t dilation_y = 1;  // 1 or 2
  std::uint32_t dilation_x = 1;
  bool depthwise = false;
  bool part_kernel = false;           // order of the stream: part-kernel first instead of depth first
  std::uint32_t ofm_block_depth = 8;  // NPU_SET_OFM_BLK_DEPTH_M1 + 1
  std::uint32_t ifm_bits = 8;         // 8 or 16
  Accelerator accelerator = Accelerator::U55_256;

  bool operator==(const WeightGeometry&) const = default;
};

// Channels that the multipliers take at once (ethos-u55 spec 5): 8 inputs; 8 outputs, 4 on the -32.
inline constexpr std::uint32_t kInputMicroBlock = 8;
inline std::uint32_t output_micro_block(Accelerator accelerator) {
  return accelerator == Accelerator::U55_32 ? 4 : 8;
}

// Elements of [ofm_depth][kernel_height][kernel_width][ifm_depth]; nothing where that is zero or above 2^40.
std::optional<std::uint64_t> kernel_elements(const WeightGeometry& geometry);
// Weights in the stream, padded positions included; nothing where that is zero or above 2^40.
std::optional<std::uint64_t> stream_elements(const WeightGeometry& geometry);

}  // namespace npubin::ethosu
