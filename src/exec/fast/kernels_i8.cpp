#include "exec/fast/kernels_i8.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_i8.cpp"
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

// One vector of channels: the first `count` of them.
template <class D>
void LargestOfWindow(D d, const MaximumWindow& w, const std::int8_t* HWY_RESTRICT in, std::size_t count,
                     std::int8_t* HWY_RESTRICT out) {
  const bool whole = count == hn::Lanes(d);
  const auto mask = hn::FirstN(d, count);
  auto most = hn::Set(d, w.low);
  for (std::size_t y = 0; y < w.rows; ++y)
    for (std::size_t x = 0; x < w.columns; ++x) {
      const std::int8_t* pixel = in + y * w.row_step + x * w.channels;
      most = hn::Max(most, whole ? hn::LoadU(d, pixel) : hn::MaskedLoad(mask, d, pixel));
    }
  most = hn::Min(most, hn::Set(d, w.high));
  whole ? hn::StoreU(most, d, out) : hn::BlendedStore(most, mask, d, out);
}

void Largest(const MaximumWindow& w, const std::int8_t* in, std::size_t pixels, std::int8_t* out) {
  const hn::ScalableTag<std::int8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t p = 0; p < pixels; ++p, in += w.step, out += w.channels)
    for (std::size_t c = 0; c < w.channels; c += lanes)
      LargestOfWindow(d, w, in + c, w.channels - c < lanes ? w.channels - c : lanes, out + c);
}

// Plain loops: every target's compilation vectorises them for its own instructions.
void Accumulate(const std::int8_t* HWY_RESTRICT in, std::int32_t* HWY_RESTRICT sums, std::size_t channels) {
  for (std::size_t c = 0; c < channels; ++c) sums[c] += in[c];
}

// A quotient of integers below 2^24 is nearer to the next integer than a float can miss: cutting it is exact.
void Average(const std::int32_t* HWY_RESTRICT sums, std::int32_t count, std::int32_t low, std::int32_t high,
             std::int8_t* HWY_RESTRICT out, std::size_t channels) {
  const auto divisor = static_cast<float>(count);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::int32_t rounded = sums[c] + (sums[c] > 0 ? count / 2 : -(count / 2));
    std::int32_t code = static_cast<std::int32_t>(static_cast<float>(rounded) / divisor);
    code = code < low ? low : code;
    out[c] = static_cast<std::int8_t>(code > high ? high : code);
  }
}

void MultiplyDecoded(const DecodedProducts& f, std::size_t count, float* HWY_RESTRICT out) {
  const std::uint8_t* HWY_RESTRICT codes = f.codes;
  const std::int8_t* HWY_RESTRICT weights = f.weights;
  const std::int32_t zero = f.zero;
  const float scale = f.scale, weight_scale = f.weight_scale;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = static_cast<float>(static_cast<std::int32_t>(codes[i]) - zero) * scale;
    out[i] = static_cast<float>(static_cast<std::int32_t>(weights[i])) * weight_scale * x;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(Largest);
HWY_EXPORT(Accumulate);
HWY_EXPORT(Average);
HWY_EXPORT(MultiplyDecoded);

void largest(const MaximumWindow& window, const std::int8_t* in, std::size_t pixels, std::int8_t* out) {
  HWY_DYNAMIC_DISPATCH(Largest)(window, in, pixels, out);
}
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(Accumulate)(in, sums, channels);
}
void average(const std::int32_t* sums, std::int32_t count, std::int32_t low, std::int32_t high,
             std::int8_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(Average)(sums, count, low, high, out, channels);
}
void decoded_products(const DecodedProducts& factors, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(MultiplyDecoded)(factors, count, out);
}

}  // namespace npubin::exec::fast
#endif
