#include "ethosu/machine/accumulator_limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace npubin::ethosu {

AccumulatorLimits::AccumulatorLimits(const Step& step, const Filters& filters)
    : limit_(std::int64_t{1} << (step.operation.acc_format == AccFormat::I40 ? 39 : 31)) {
  std::uint64_t bias = 0;
  for (const std::int64_t value : filters.scales.bias)
    bias = std::max(bias, static_cast<std::uint64_t>(value < 0 ? -value : value));
  // A filter has at most 2^40 weights of 9 bits, an input 17 bits: no product leaves 64 bits in practice;
  // where one might, the check stays on.
  const Wide bound =
      Wide{static_cast<std::int64_t>(filters.largest_magnitude)} * largest_input(step.operation.ifm) +
      Wide{bias};
  reachable_ = bound >= limit_;
}

Unexpected AccumulatorLimits::overflow(std::int64_t accumulator, std::uint32_t y, std::uint32_t x,
                                       std::size_t channel) const {
  return refused(fmt::format("the accumulator of output ({}, {}, {}) reaches {}, beyond its {} bits", y, x,
                             channel, accumulator, limit_ > INT32_MAX + std::int64_t{1} ? 40 : 32),
                 "whether the hardware saturates or wraps is not known", {}, "ETU-5015");
}

}  // namespace npubin::ethosu
