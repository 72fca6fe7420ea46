#include "ethosu/machine/requantize.h"

#include <algorithm>
#include <type_traits>

#include "ethosu/machine/products.h"
#include "ethosu/machine/requantize_lanes.h"

namespace npubin::ethosu {

Requantizer::Requantizer(const Step& step, const Filters& filters, std::vector<std::int64_t> offset)
    : stage_(step.stage),
      filters_(filters),
      limits_(step, filters),
      width_(step.operation.ofm.width),
      offset_(std::move(offset)) {
  offset_.resize(filters.outputs);
  if (!step.reference) prepare_fast(step, filters);
}

void Requantizer::prepare_fast(const Step& step, const Filters& filters) {
  // Below 2^31 times below 2^31 leaves room for the rounding.
  if (limits_.reachable() || step.operation.acc_format != AccFormat::I32) return;
  std::vector<Channel> channels(filters.outputs);
  for (std::size_t c = 0; c < filters.outputs; ++c) {
    const Scaling& scaling = filters.scales.scaling[c];
    if (scaling.multiplier > INT32_MAX) return;
    if (scaling.rounding == Rounding::Natural && scaling.shift > 62) return;
    Channel& channel = channels[c];
    channel.add = filters.scales.bias[c] + offset_[c];
    channel.multiplier = scaling.multiplier;
    const std::uint32_t first =
        scaling.rounding == Rounding::Natural ? scaling.shift : std::min<std::uint32_t>(scaling.shift, 31);
    const std::uint32_t second = scaling.shift - first;
    channel.shift = static_cast<std::int32_t>(first);
    channel.half = first == 0 ? 0 : std::int64_t{1} << (first - 1);
    channel.second = static_cast<std::int32_t>(second);
    channel.second_half = second == 0 ? 0 : std::int64_t{1} << (second - 1);
    channel.away = second == 0 ? 0 : -1;
  }
  channels_ = std::move(channels);
  prepare_lanes(step, filters);
}

// The usual case: double rounding with shifts of 31 to 62, and nothing but a clamp or a table behind.
void Requantizer::prepare_lanes(const Step& step, const Filters& filters) {
  if (!stage_.clamps_only() && !stage_.looks_up()) return;
  // The clamp less the zero point must fit 32 bits: elements of 8 and 16 bits.
  if (step.operation.ofm.element_bits > 16) return;
  for (const Scaling& scaling : filters.scales.scaling)
    if (scaling.rounding != Rounding::Double || scaling.shift < 31 || scaling.shift > 62) return;
  const std::size_t padded =
      (filters.outputs + products::kOutputs - 1) / products::kOutputs * products::kOutputs;
  lane_add_.resize(padded);
  lane_multiplier_.resize(padded);
  lane_second_.resize(padded);
  for (std::size_t c = 0; c < filters.outputs; ++c) {
    lane_add_[c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(channels_[c].add));
    lane_multiplier_[c] = static_cast<std::int32_t>(channels_[c].multiplier);
    lane_second_[c] = channels_[c].second;
  }
}

void Requantizer::lanes_row(const std::int32_t* accumulators, std::size_t stride, std::int32_t* out) const {
  const LaneScales scales{lane_add_.data(),
                          lane_multiplier_.data(),
                          lane_second_.data(),
                          stage_.minimum() - stage_.zero_point(),
                          stage_.maximum() - stage_.zero_point(),
                          stage_.zero_point()};
  const std::size_t depth = filters_.outputs;
  // What is written beyond a pixel's channels, the next pixel overwrites.
  for (std::uint32_t x = 0; x < width_; ++x)
    requantize_lanes(accumulators + x * stride, depth, scales, out + x * depth);
  if (!stage_.looks_up()) return;
  const std::size_t size = std::size_t{width_} * depth;
  for (std::size_t i = 0; i < size; ++i) out[i] = stage_.look_up(out[i]);
}

template <class Accumulator>
Result<void> Requantizer::row(const Accumulator* accumulators, std::size_t stride, std::uint32_t y,
                              std::int32_t* out) const {
  const std::size_t depth = filters_.outputs;
  if constexpr (std::is_same_v<Accumulator, std::int32_t>) {
    if (!lane_add_.empty()) {
      lanes_row(accumulators, stride, out);
      return {};
    }
  }
  if (!channels_.empty()) {
    for (std::uint32_t x = 0; x < width_; ++x, accumulators += stride, out += depth)
      for (std::size_t c = 0; c < depth; ++c) {
        const Channel& channel = channels_[c];
        const std::int64_t product = (accumulators[c] + channel.add) * channel.multiplier;
        const std::int64_t high = (product + channel.half) >> channel.shift;
        const std::int64_t scaled =
            (high + channel.second_half + ((high >> 63) & channel.away)) >> channel.second;
        out[c] = static_cast<std::int32_t>(stage_.apply(scaled));
      }
    return {};
  }
  for (std::uint32_t x = 0; x < width_; ++x, accumulators += stride, out += depth)
    for (std::size_t c = 0; c < depth; ++c) {
      const std::int64_t accumulator = accumulators[c] + offset_[c] + filters_.scales.bias[c];
      if (limits_.reachable() && !limits_.holds(accumulator)) return limits_.overflow(accumulator, y, x, c);
      out[c] = static_cast<std::int32_t>(stage_.apply(filters_.scales.scaling[c].apply(accumulator)));
    }
  return {};
}
template Result<void> Requantizer::row(const std::int32_t*, std::size_t, std::uint32_t, std::int32_t*) const;
template Result<void> Requantizer::row(const std::int64_t*, std::size_t, std::uint32_t, std::int32_t*) const;

}  // namespace npubin::ethosu
