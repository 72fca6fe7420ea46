// The weights of one CONV or DEPTHWISE, decoded once, bounded, and packed for the vector kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "ethosu/machine/step.h"
#include "ethosu/weights/codec.h"

namespace npubin::ethosu {

struct Filters {
  std::vector<std::int16_t> weights;  // [ofm_depth][taps][inputs]; inputs 1 for depthwise
  std::size_t outputs = 0, taps = 0, inputs = 0;
  ChannelScales scales;
  std::vector<std::int64_t> weight_sum;  // per output channel
  std::uint64_t largest_magnitude = 0;   // of sum |w|, over output channels
  std::int32_t lowest = 0, highest = 0;  // weights

  std::size_t filter_size() const { return taps * inputs; }
  const std::int16_t* filter(std::size_t output) const { return weights.data() + output * filter_size(); }

  static Result<Filters> load(const Step& step);
};

// The largest |element - zero point| that the IFM can hold.
std::int64_t largest_input(const FeatureMap& ifm);

// How the products of one operation are summed without losing a bit.
enum class Summation : std::uint8_t {
  Reference,  // 64-bit plain loops
  Int8,       // four 8-bit products per lane; the IFM as biased codes
  Int16,      // two 16-bit products per lane
  Int16Parts  // the same in parts of which each fits 32 bits, added up in 64
};
Summation choose_summation(const Step& step, const Filters& filters);

// Products per part of Int16Parts: 256 of 2^15 x 255 stay below 2^31.
inline constexpr std::size_t kPart = 256;

// [block of 16][k / 4][16][4]; k runs over taps and inputs, filled up to a multiple of 4.
std::vector<std::int8_t> pack_int8(const Filters& filters);
// [block of 16][k / 2][16][2], filled up to a multiple of 2.
std::vector<std::int16_t> pack_int16(const Filters& filters);
// [tap][channels rounded up to 16][2], the second of each pair 0.
std::vector<std::int16_t> pack_depthwise(const Filters& filters);

}  // namespace npubin::ethosu
