// Hazards: what an operation reads or writes against what may still be unfinished (ethos-u55 spec 6).
//
// Transfers and kernels run beside each other. When an operation starts, up to two kernels and one transfer
// before it may be unfinished, less what DMA_WAIT and KERNEL_WAIT have waited for. A kernel may also begin
// before the one before it has ended, by as many blocks as BLOCKDEP says.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ethosu/check_context.h"
#include "ethosu/extent.h"
#include "ethosu/operation.h"

namespace npubin::ethosu {

class Hazards {
 public:
  explicit Hazards(CheckContext& context) : context_(context) {}

  // The operations in the order of the stream.
  void step(const Operation& op);

 private:
  struct Access {
    Extent extent;
    bool write = false;
    const char* name = "";
  };
  struct Unfinished {
    std::size_t word = 0;
    std::vector<Access> accesses;
  };

  Unfinished kernel_accesses(const Operation& op) const;
  static Unfinished dma_accesses(const Operation& op);
  // Reports the first conflict of `now` with one of `earlier`.
  void compare(const Operation& op, const Unfinished& now, const std::vector<Unfinished>& earlier,
               bool earlier_is_dma);
  void check_block_dependency(const Operation& op);

  CheckContext& context_;
  std::vector<Unfinished> kernels_, transfers_;  // oldest first
  std::optional<Operation> previous_;            // the kernel before, unless it was waited for
};

}  // namespace npubin::ethosu
