// An estimate of what an operation costs on the hardware. It is no simulation: it counts the cycles that the
// MAC array needs when it never waits, and the bytes that pass each region's port.
//
// CONV, DEPTHWISE and POOL: the OFM is cut into blocks of OFM_BLK; a block takes, for every micro-block of
// the MAC array (height x width x channels: -256 2x2x8, -128 1x2x8, -64 1x1x8, -32 1x1x4), one cycle per
// kernel element (padded as in the weight stream) and 8 input channels. ELEMENTWISE: one cycle per 8 elements
// (4 on -32) of 8 bits, twice that for 16 bits, four times for 32. Utilisation is MACs that count over MACs
// that the cycles offer.
#pragma once

#include <array>
#include <cstdint>

#include "ethosu/job.h"
#include "ethosu/operation.h"

namespace npubin::ethosu {

struct OperationCost {
  std::uint64_t macs = 0;    // multiply-accumulates with weights: 0 for pools and elementwise operations
  std::uint64_t work = 0;    // what the array or the element-wise unit computes, pools and the like included
  std::uint64_t cycles = 0;  // of the MAC array or of the element-wise unit; 0 for DMA
  double utilisation = 0;    // 0..1
  // By region; 8 is SHRAM. Every element of an input once, whatever the hardware reads again.
  std::array<std::uint64_t, 9> read{}, written{};

  std::uint64_t all_read() const;
  std::uint64_t all_written() const;
};

OperationCost estimate(const Operation& operation, Accelerator accelerator);

}  // namespace npubin::ethosu
