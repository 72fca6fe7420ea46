// DMA: from a region to a region, or to SHRAM.
#include <cstring>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/machine/step.h"

namespace npubin::ethosu {

Result<void> run_dma(const Operation& operation, Memory& memory, Accelerator accelerator) {
  const Dma& dma = operation.dma;
  NPUBIN_TRY(const ByteSpan source,
             memory.read(dma.source_region, dma.source, dma.length, "the DMA's source"));
  if (!dma.destination_internal) {
    NPUBIN_TRY(const std::span<std::byte> destination,
               memory.write(dma.destination_region, dma.destination, dma.length, "the DMA's destination"));
    if (!source.empty()) std::memmove(destination.data(), source.data(), source.size());
    return {};
  }
  const Configuration& hardware = configuration(accelerator);
  if (dma.destination > hardware.shram_bytes || dma.length > hardware.shram_bytes - dma.destination)
    return malformed(
        {},
        fmt::format("the DMA writes {:#x}..{:#x} of SHRAM, of which {} has {:#x} bytes", dma.destination,
                    dma.destination + dma.length, hardware.name, hardware.shram_bytes),
        "", "ETU-5004");
  if (!source.empty()) std::memcpy(memory.shram().data() + dma.destination, source.data(), source.size());
  return {};
}

}  // namespace npubin::ethosu
