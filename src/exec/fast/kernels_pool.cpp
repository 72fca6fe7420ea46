#include "exec/fast/kernels_pool.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_pool.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The first `count` elements of a vector. Only AVX-512 leaves alone what lies behind them: the library's
// masks of other targets read and write whole vectors, beyond the image, or where another thread writes.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadFirst(D d, const T* from, std::size_t count) {
#if HWY_TARGET == HWY_AVX3
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
  HWY_ALIGN T buffer[hn::MaxLanes(D())] = {};
  std::memcpy(buffer, from, count * sizeof(T));
  return hn::Load(d, buffer);
#endif
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreFirst(D d, hn::Vec<D> values, T* to, std::size_t count) {
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(values, hn::FirstN(d, count), d, to);
#else
  HWY_ALIGN T buffer[hn::MaxLanes(D())];
  hn::Store(values, d, buffer);
  std::memcpy(to, buffer, count * sizeof(T));
#endif
}

// One vector of channels: the first `count` of them.
template <class D, class T = hn::TFromD<D>>
void LargestOfWindow(D d, const MaximumWindow& w, const T* HWY_RESTRICT in, std::size_t count,
                     T* HWY_RESTRICT out) {
  const bool whole = count == hn::Lanes(d);
  auto most = hn::Set(d, static_cast<T>(w.low));
  for (std::size_t y = 0; y < w.rows; ++y)
    for (std::size_t x = 0; x < w.columns; ++x) {
      const T* pixel = in + y * w.row_step + x * w.channels;
      most = hn::Max(most, whole ? hn::LoadU(d, pixel) : LoadFirst(d, pixel, count));
    }
  most = hn::Min(most, hn::Set(d, static_cast<T>(w.high)));
  whole ? hn::StoreU(most, d, out) : StoreFirst(d, most, out, count);
}

template <class T>
HWY_INLINE void Largest(const MaximumWindow& w, const T* in, std::size_t pixels, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t p = 0; p < pixels; ++p, in += w.step, out += w.channels)
    for (std::size_t c = 0; c < w.channels; c += lanes)
      LargestOfWindow(d, w, in + c, w.channels - c < lanes ? w.channels - c : lanes, out + c);
}

// Plain loops: every target's compilation vectorises them for its own instructions.
template <class T>
HWY_INLINE void Accumulate(const T* HWY_RESTRICT in, std::int32_t* HWY_RESTRICT sums, std::size_t channels) {
  for (std::size_t c = 0; c < channels; ++c) sums[c] += in[c];
}

// A quotient of integers below 2^24 is nearer to the next integer than a float can miss: cutting it is exact.
template <class T>
HWY_INLINE void Average(const std::int32_t* HWY_RESTRICT sums, const Mean& mean, T* HWY_RESTRICT out,
                        std::size_t channels) {
  const auto divisor = static_cast<float>(mean.count);
  const std::int32_t half = mean.count / 2, low = mean.low, high = mean.high;
  for (std::size_t c = 0; c < channels; ++c) {
    const std::int32_t rounded = sums[c] + (sums[c] > 0 ? half : -half);
    std::int32_t code = static_cast<std::int32_t>(static_cast<float>(rounded) / divisor);
    code = code < low ? low : code;
    out[c] = static_cast<T>(code > high ? high : code);
  }
}

void LargestI8(const MaximumWindow& w, const std::int8_t* in, std::size_t pixels, std::int8_t* out) {
  Largest(w, in, pixels, out);
}
void AccumulateI8(const std::int8_t* in, std::int32_t* sums, std::size_t channels) {
  Accumulate(in, sums, channels);
}
void AverageI8(const std::int32_t* sums, const Mean& mean, std::int8_t* out, std::size_t channels) {
  Average(sums, mean, out, channels);
}

void LargestU8(const MaximumWindow& w, const std::uint8_t* in, std::size_t pixels, std::uint8_t* out) {
  Largest(w, in, pixels, out);
}
void AccumulateU8(const std::uint8_t* in, std::int32_t* sums, std::size_t channels) {
  Accumulate(in, sums, channels);
}
void AverageU8(const std::int32_t* sums, const Mean& mean, std::uint8_t* out, std::size_t channels) {
  Average(sums, mean, out, channels);
}

void LargestI16(const MaximumWindow& w, const std::int16_t* in, std::size_t pixels, std::int16_t* out) {
  Largest(w, in, pixels, out);
}
void AccumulateI16(const std::int16_t* in, std::int32_t* sums, std::size_t channels) {
  Accumulate(in, sums, channels);
}
void AverageI16(const std::int32_t* sums, const Mean& mean, std::int16_t* out, std::size_t channels) {
  Average(sums, mean, out, channels);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(LargestI8);
HWY_EXPORT(AccumulateI8);
HWY_EXPORT(AverageI8);
HWY_EXPORT(LargestU8);
HWY_EXPORT(AccumulateU8);
HWY_EXPORT(AverageU8);
HWY_EXPORT(LargestI16);
HWY_EXPORT(AccumulateI16);
HWY_EXPORT(AverageI16);

void largest(const MaximumWindow& window, const std::int8_t* in, std::size_t pixels, std::int8_t* out) {
  HWY_DYNAMIC_DISPATCH(LargestI8)(window, in, pixels, out);
}
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AccumulateI8)(in, sums, channels);
}
void average(const std::int32_t* sums, const Mean& mean, std::int8_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AverageI8)(sums, mean, out, channels);
}

void largest(const MaximumWindow& window, const std::uint8_t* in, std::size_t pixels, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(LargestU8)(window, in, pixels, out);
}
void accumulate(const std::uint8_t* in, std::int32_t* sums, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AccumulateU8)(in, sums, channels);
}
void average(const std::int32_t* sums, const Mean& mean, std::uint8_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AverageU8)(sums, mean, out, channels);
}

void largest(const MaximumWindow& window, const std::int16_t* in, std::size_t pixels, std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(LargestI16)(window, in, pixels, out);
}
void accumulate(const std::int16_t* in, std::int32_t* sums, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AccumulateI16)(in, sums, channels);
}
void average(const std::int32_t* sums, const Mean& mean, std::int16_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(AverageI16)(sums, mean, out, channels);
}

}  // namespace npubin::exec::fast
#endif
