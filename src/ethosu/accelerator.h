// The four configurations of the Ethos-U55 (ethos-u55 spec 1 and 4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ethosu/job.h"

namespace npubin::ethosu {

struct Configuration {
  Accelerator accelerator;
  std::string_view name;                    // "ethos-u55-256"
  std::uint32_t macs;                       // per cycle
  std::uint32_t shram_bytes;                // internal memory
  std::uint32_t table_base;                 // SHRAM address of look-up table 0
  std::uint32_t cop1_cfg;                   // OPTIMIZER_CONFIG of a COP1 payload
  std::uint32_t ofm_depth;                  // output channels of a micro-block
  std::uint32_t block_height, block_width;  // OFM blocks are multiples of these
  std::uint32_t buffer_end;                 // banks of 1024 bytes that input and accumulators may take
};

constexpr Configuration kConfigurations[] = {
    {Accelerator::U55_32, "ethos-u55-32", 32, 16 * 1024, 0x3800, 0x1005, 4, 1, 1, 16},
    {Accelerator::U55_64, "ethos-u55-64", 64, 16 * 1024, 0x3800, 0x1006, 8, 1, 1, 16},
    {Accelerator::U55_128, "ethos-u55-128", 128, 24 * 1024, 0x5800, 0x1807, 8, 1, 2, 22},
    {Accelerator::U55_256, "ethos-u55-256", 256, 48 * 1024, 0xB800, 0x3008, 8, 2, 2, 46},
};

constexpr const Configuration& configuration(Accelerator accelerator) {
  for (const Configuration& known : kConfigurations)
    if (known.accelerator == accelerator) return known;
  return kConfigurations[3];
}

// By number of MACs; nothing for any other number.
constexpr std::optional<Accelerator> accelerator_of(std::uint32_t macs) {
  for (const Configuration& known : kConfigurations)
    if (known.macs == macs) return known.accelerator;
  return std::nullopt;
}

}  // namespace npubin::ethosu
