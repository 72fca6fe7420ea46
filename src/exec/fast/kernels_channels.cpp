#include "exec/fast/kernels_channels.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_channels.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these three matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "exec/fast/fixed_point-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D32 = hn::ScalableTag<std::int32_t>;
using V32 = hn::Vec<D32>;

// The codes of one vector of sums of the channels from `c` on.
HWY_INLINE V32 Codes(D32 d, V32 sums, const ChannelFinish& f, std::size_t c) {
  const auto total = hn::Shl(hn::Add(sums, hn::LoadU(d, f.bias.data() + c)), hn::LoadU(d, f.left.data() + c));
  const auto scaled = RoundedShift(d, DoublingHigh(d, total, hn::LoadU(d, f.mantissa.data() + c)),
                                   hn::LoadU(d, f.right.data() + c));
  const auto cut =
      hn::Min(hn::Max(scaled, hn::Set(d, f.low - f.zero_point)), hn::Set(d, f.high - f.zero_point));
  return hn::Add(cut, hn::Set(d, f.zero_point));
}

template <class Out>
HWY_INLINE void FinishNarrow(const ChannelFinish& f, const std::int32_t* sums, const SumRows& rows,
                             Out* out) {
  const D32 d;
  const hn::Rebind<Out, D32> dout;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t p = 0; p < rows.pixels; ++p, sums += rows.width, out += rows.channels) {
    std::size_t c = 0;
    for (; c + lanes <= rows.channels; c += lanes)
      hn::StoreU(hn::DemoteTo(dout, Codes(d, hn::LoadU(d, sums + c), f, c)), dout, out + c);
    if (c == rows.channels) continue;
    constexpr std::size_t kMost = hn::MaxLanes(D32());
    HWY_ALIGN std::int32_t last[kMost] = {};
    HWY_ALIGN Out codes[kMost] = {};
    std::memcpy(last, sums + c, (rows.channels - c) * sizeof(std::int32_t));
    hn::Store(hn::DemoteTo(dout, Codes(d, hn::Load(d, last), f, c)), dout, codes);
    std::memcpy(out + c, codes, (rows.channels - c) * sizeof(Out));
  }
}

// A plain loop: where instructions of 64-bit lanes exist, the compilation for them uses them.
template <class Sum>
HWY_INLINE void FinishWide(const ChannelFinish& f, const Sum* HWY_RESTRICT sums, const SumRows& rows,
                           std::int16_t* HWY_RESTRICT out) {
  const std::int64_t* HWY_RESTRICT bias = f.wide_bias.data();
  const std::int64_t* HWY_RESTRICT factor = f.factor.data();
  const std::int64_t* HWY_RESTRICT half = f.half.data();
  const std::int64_t* HWY_RESTRICT shift = f.shift.data();
  const std::int32_t low = f.low - f.zero_point, high = f.high - f.zero_point, zero = f.zero_point;
  for (std::size_t p = 0; p < rows.pixels; ++p, sums += rows.width, out += rows.channels)
    for (std::size_t c = 0; c < rows.channels; ++c) {
      const std::uint64_t total =
          static_cast<std::uint64_t>(std::int64_t{sums[c]}) + static_cast<std::uint64_t>(bias[c]);
      const std::uint64_t product =
          total * static_cast<std::uint64_t>(factor[c]) + static_cast<std::uint64_t>(half[c]);
      auto code = static_cast<std::int32_t>(static_cast<std::uint32_t>(
          static_cast<std::uint64_t>(static_cast<std::int64_t>(product) >> shift[c])));
      code = code < low ? low : code;
      out[c] = static_cast<std::int16_t>((code > high ? high : code) + zero);
    }
}

void FinishU8(const ChannelFinish& f, const std::int32_t* sums, const SumRows& rows, std::uint8_t* out) {
  FinishNarrow(f, sums, rows, out);
}
void FinishI16(const ChannelFinish& f, const std::int32_t* sums, const SumRows& rows, std::int16_t* out) {
  f.wide ? FinishWide(f, sums, rows, out) : FinishNarrow(f, sums, rows, out);
}
void FinishWideI16(const ChannelFinish& f, const std::int64_t* sums, const SumRows& rows, std::int16_t* out) {
  FinishWide(f, sums, rows, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(FinishU8);
HWY_EXPORT(FinishI16);
HWY_EXPORT(FinishWideI16);

std::optional<ChannelFinish> channel_finish(const ChannelScales& scales) {
  ChannelFinish f;
  f.wide = scales.wide;
  f.zero_point = static_cast<std::int32_t>(scales.zero_point);
  f.low = static_cast<std::int32_t>(scales.low);
  f.high = static_cast<std::int32_t>(scales.high);
  for (std::size_t c = 0; c < scales.multipliers.size(); ++c) {
    const tflite::Multiplier& m = scales.multipliers[c];
    if (m.shift > 31 || m.shift < -31) return std::nullopt;
    f.bias.push_back(tflite::wrap32(scales.bias[c]));
    f.mantissa.push_back(m.mantissa);
    f.left.push_back(std::max(m.shift, 0));
    f.right.push_back(std::max(-m.shift, 0));
    if (!scales.wide) continue;
    const int shift = 15 - m.shift;  // tflite::multiply_64
    if (shift < 1) return std::nullopt;
    f.wide_bias.push_back(scales.bias[c]);
    f.factor.push_back(m.mantissa < 0x7FFF0000 ? (m.mantissa + (1 << 15)) >> 16 : 0x7FFF);
    f.half.push_back(std::int64_t{1} << (shift - 1));
    f.shift.push_back(shift);
  }
  constexpr std::size_t kMostLanes = 64;
  for (auto* list : {&f.bias, &f.mantissa, &f.left, &f.right}) list->resize(list->size() + kMostLanes, 0);
  return f;
}

void finish_sums(const ChannelFinish& finish, const std::int32_t* sums, const SumRows& rows,
                 std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(FinishU8)(finish, sums, rows, out);
}
void finish_sums(const ChannelFinish& finish, const std::int32_t* sums, const SumRows& rows,
                 std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(FinishI16)(finish, sums, rows, out);
}
void finish_sums(const ChannelFinish& finish, const std::int64_t* sums, const SumRows& rows,
                 std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(FinishWideI16)(finish, sums, rows, out);
}

}  // namespace npubin::exec::fast
#endif
