// Accumulators to elements: bias, scale per channel, output stage.
#pragma once

#include "ethosu/machine/accumulator_limits.h"
#include "ethosu/machine/filters.h"

namespace npubin::ethosu {

class Requantizer {
 public:
  // `offset` is added to every accumulator of a channel on top of the bias (the correction for biased
  // inputs).
  Requantizer(const Step& step, const Filters& filters, std::vector<std::int64_t> offset);

  // One row: accumulators [width][stride] to elements [width][ofm depth]. Error: an accumulator that
  // overflows.
  template <class Accumulator>
  Result<void> row(const Accumulator* accumulators, std::size_t stride, std::uint32_t y,
                   std::int32_t* out) const;

 private:
  // All that a channel needs where everything fits 64 bits: double rounding in two shifts.
  struct Channel {
    std::int64_t add = 0;         // bias and offset
    std::int64_t multiplier = 0;  // below 2^32
    std::int64_t half = 0;        // of the first shift
    std::int32_t shift = 0;       // up to 31
    std::int32_t second = 0;      // the rest
    std::int64_t second_half = 0;
    std::int64_t away = 0;  // -1 where the second rounding takes negative halves away from zero
  };
  void prepare_fast(const Step& step, const Filters& filters);
  void prepare_lanes(const Step& step, const Filters& filters);
  void lanes_row(const std::int32_t* accumulators, std::size_t stride, std::int32_t* out) const;

  const OutputStage& stage_;
  const Filters& filters_;
  AccumulatorLimits limits_;
  std::uint32_t width_;
  std::vector<std::int64_t> offset_;
  std::vector<Channel> channels_;  // empty: the general way
  // The same for vector instructions, filled up to a multiple of 16; empty: one by one.
  std::vector<std::int32_t> lane_add_, lane_multiplier_, lane_second_;
};

}  // namespace npubin::ethosu
