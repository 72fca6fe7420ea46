// Finds what a sequential machine forgives: reads of bytes that nothing has written, inputs that their own
// output overwrites.
#pragma once

#include <array>
#include <vector>

#include "ethosu/extent.h"
#include "ethosu/machine/machine.h"
#include "npubin/diagnostics.h"

namespace npubin::ethosu {

// Notes every byte that has been written. Findings go into `out`, one per operation and kind:
//   ETU-5101 warning: an operation reads bytes that nothing has written
//   ETU-5102 warning: OFM and IFM (or IFM2) overlap without being the same elements
//   ETU-5103 warning: an activation reads a table that no DMA has brought
class MemoryCheck final : public MachineObserver {
 public:
  // Regions with contents count as written. `stream_offset` is for the findings' places.
  MemoryCheck(const Memory& memory, std::span<const Region> regions, Accelerator accelerator,
              std::uint64_t stream_offset, Diagnostics& out);

  // An input of the caller.
  void written(std::uint32_t region, std::uint64_t offset, std::uint64_t size);

  Result<void> before(const Operation& operation, const Memory& memory) override;
  Result<void> after(const Operation& operation, const Memory& memory) override;

 private:
  void read(const Operation& operation, const Extent& extent, std::string_view what, std::string_view code);
  void read_map(const Operation& operation, const FeatureMap& map, std::string_view what);
  void mark(const Extent& extent);
  void mark_map(const FeatureMap& map);
  void overlap(const Operation& operation, const FeatureMap& input, std::string_view what);
  Location place(const Operation& operation) const;

  std::array<std::vector<bool>, kRegionCount + 1> written_;  // SHRAM last
  Accelerator accelerator_;
  std::uint64_t stream_offset_;
  Diagnostics& out_;
};

}  // namespace npubin::ethosu
