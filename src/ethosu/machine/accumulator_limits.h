// Accumulators have 32 or 40 bits. What the hardware does when one overflows is not known, so it is refused.
#pragma once

#include "ethosu/machine/filters.h"

namespace npubin::ethosu {

class AccumulatorLimits {
 public:
  AccumulatorLimits(const Step& step, const Filters& filters);
  // Whether any accumulator could overflow at all; else checks are idle.
  bool reachable() const { return reachable_; }
  bool holds(std::int64_t accumulator) const { return accumulator >= -limit_ && accumulator < limit_; }
  Unexpected overflow(std::int64_t accumulator, std::uint32_t y, std::uint32_t x, std::size_t channel) const;

 private:
  std::int64_t limit_;
  bool reachable_;
};

}  // namespace npubin::ethosu
