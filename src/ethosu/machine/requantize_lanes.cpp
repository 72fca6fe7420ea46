// Compiled once for each instruction set; the best one is chosen when the program runs.
#include "ethosu/machine/requantize_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ethosu/machine/requantize_lanes.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace npubin::ethosu {
namespace HWY_NAMESPACE {

constexpr std::size_t kChannels = 16;

#if HWY_TARGET == HWY_SCALAR
void Lanes16(const std::int32_t* accumulators, std::size_t channels, const LaneScales& scales,
             std::int32_t* out) {
  const std::size_t padded = (channels + kChannels - 1) / kChannels * kChannels;
  for (std::size_t c = 0; c < padded; ++c) {
    const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(accumulators[c]) +
                                               static_cast<std::uint32_t>(scales.add[c]));
    const std::int64_t high = (std::int64_t{sum} * scales.multiplier[c] + (std::int64_t{1} << 30)) >> 31;
    const std::int64_t mask = (std::int64_t{1} << scales.second[c]) - 1;
    std::int64_t value = high >> scales.second[c];
    if ((high & mask) > (mask >> 1) + (high < 0 ? 1 : 0)) ++value;
    value = value < scales.lowest ? scales.lowest : value > scales.highest ? scales.highest : value;
    out[c] = static_cast<std::int32_t>(value) + scales.zero_point;
  }
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int32_t, kChannels>;
using D64 = hn::Repartition<std::int64_t, D>;
using V = hn::Vec<D>;

// (a * b + 2^30) >> 31 of every lane, which fits 32 bits.
HWY_INLINE V RoundedHigh(V a, V b) {
  const D d;
  const D64 d64;
  const auto half = hn::Set(d64, std::int64_t{1} << 30);
  const auto odd = [&](V v) { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  // The wanted bits of the even products move down, those of the odd ones stay in the upper halves.
  const auto even = hn::ShiftRight<31>(hn::Add(hn::MulEven(a, b), half));
  const auto upper = hn::ShiftLeft<1>(hn::Add(hn::MulEven(odd(a), odd(b)), half));
  return hn::OddEven(hn::BitCast(d, upper), hn::BitCast(d, even));
}

void Lanes16(const std::int32_t* accumulators, std::size_t channels, const LaneScales& scales,
             std::int32_t* out) {
  const D d;
  const std::size_t padded = (channels + kChannels - 1) / kChannels * kChannels;
  const V one = hn::Set(d, 1), zero = hn::Zero(d);
  const V lowest = hn::Set(d, scales.lowest), highest = hn::Set(d, scales.highest);
  const V zero_point = hn::Set(d, scales.zero_point);
  for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
    const V sum = hn::Add(hn::LoadU(d, accumulators + c), hn::LoadU(d, scales.add + c));
    const V high = RoundedHigh(sum, hn::LoadU(d, scales.multiplier + c));
    const V shift = hn::LoadU(d, scales.second + c);
    // Nearest, halves away from zero.
    const V mask = hn::Sub(hn::Shl(one, shift), one);
    const V rest = hn::And(high, mask);
    const V limit = hn::Add(hn::ShiftRight<1>(mask), hn::IfThenElse(hn::Lt(high, zero), one, zero));
    const V quotient = hn::Add(hn::Shr(high, shift), hn::IfThenElse(hn::Gt(rest, limit), one, zero));
    hn::StoreU(hn::Add(hn::Min(hn::Max(quotient, lowest), highest), zero_point), d, out + c);
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace npubin::ethosu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::ethosu {

HWY_EXPORT(Lanes16);

void requantize_lanes(const std::int32_t* accumulators, std::size_t channels, const LaneScales& scales,
                      std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(Lanes16)(accumulators, channels, scales, out);
}

}  // namespace npubin::ethosu
#endif
