// NHCW codes to NHWC reals at the speed of memory: squares of 16 x 16 codes are transposed in registers, then
// widened, shifted and scaled row by row. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision/nhcw_to_real.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>
// Highway wants foreach_target.h first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "vision/host_quantization.h"

HWY_BEFORE_NAMESPACE();
namespace npubin::vision {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kSquare = 16;

#if HWY_TARGET == HWY_SCALAR
void transpose_square(const std::uint8_t* from, std::size_t pitch, std::uint8_t* to, std::size_t to_pitch) {
  for (std::size_t i = 0; i < kSquare; ++i)
    for (std::size_t k = 0; k < kSquare; ++k) to[k * to_pitch + i] = from[i * pitch + k];
}
#else
// Four rounds of interleaving row i with row i + 8 transpose 16 rows of 16 bytes.
HWY_ATTR void transpose_square(const std::uint8_t* from, std::size_t pitch, std::uint8_t* to,
                               std::size_t to_pitch) {
  const hn::Full128<std::uint8_t> d;
  using V = hn::Vec<decltype(d)>;
  V a[kSquare], b[kSquare];
  for (std::size_t i = 0; i < kSquare; ++i) a[i] = hn::LoadU(d, from + i * pitch);
  const auto shuffle = [&d](const V* in, V* out) HWY_ATTR {
    for (std::size_t i = 0; i < kSquare / 2; ++i) {
      out[2 * i] = hn::InterleaveLower(d, in[i], in[i + kSquare / 2]);
      out[2 * i + 1] = hn::InterleaveUpper(d, in[i], in[i + kSquare / 2]);
    }
  };
  shuffle(a, b);
  shuffle(b, a);
  shuffle(a, b);
  shuffle(b, a);
  for (std::size_t i = 0; i < kSquare; ++i) hn::StoreU(a[i], d, to + i * to_pitch);
}
#endif

// A row of features of one pixel, widened and scaled.
template <bool kStream, class T>
HWY_ATTR void features_to_real(const T* HWY_RESTRICT from, std::size_t count, float* HWY_RESTRICT to,
                               const float* HWY_RESTRICT zero_points, const float* HWY_RESTRICT scales) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<std::int32_t, decltype(df)> di;
  const hn::Rebind<T, decltype(df)> dt;
  const std::size_t lanes = hn::Lanes(df);
  std::size_t f = 0;
  for (; f + lanes <= count; f += lanes) {
    const auto code = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(dt, from + f)));
    const auto real = hn::Mul(hn::Sub(code, hn::LoadU(df, zero_points + f)), hn::LoadU(df, scales + f));
    if constexpr (kStream)
      hn::Stream(real, df, to + f);
    else
      hn::StoreU(real, df, to + f);
  }
  for (; f < count; ++f) to[f] = (static_cast<float>(from[f]) - zero_points[f]) * scales[f];
}

template <bool kStream>
HWY_ATTR void convert_u8(const NhcwToReal& shape, const std::uint8_t* from, float* to,
                         const FeatureQuantization& q) {
  constexpr std::size_t kMaxFeatures = 256;  // at a time, so that the square fits the first-level cache
  alignas(64) std::uint8_t pixels[kSquare * kMaxFeatures];
  for (std::size_t row = 0; row < shape.height; ++row) {
    const std::uint8_t* line = from + row * shape.padded_features * shape.padded_width;
    float* out = to + row * shape.width * shape.features;
    for (std::size_t f0 = 0; f0 < shape.features; f0 += kMaxFeatures) {
      const std::size_t features = std::min(kMaxFeatures, shape.features - f0);
      for (std::size_t x0 = 0; x0 < shape.width; x0 += kSquare) {
        const std::size_t columns = std::min(kSquare, shape.width - x0);
        std::size_t f = 0;
        if (columns == kSquare)
          for (; f + kSquare <= features; f += kSquare)
            transpose_square(line + (f0 + f) * shape.padded_width + x0, shape.padded_width, pixels + f,
                             kMaxFeatures);
        for (; f < features; ++f)
          for (std::size_t x = 0; x < columns; ++x)
            pixels[x * kMaxFeatures + f] = line[(f0 + f) * shape.padded_width + x0 + x];
        for (std::size_t x = 0; x < columns; ++x)
          features_to_real<kStream>(pixels + x * kMaxFeatures, features, out + (x0 + x) * shape.features + f0,
                                    q.zero_points.data() + f0, q.scales.data() + f0);
      }
    }
  }
}

HWY_ATTR void NhcwU8(const NhcwToReal& shape, const std::uint8_t* from, float* to,
                     const FeatureQuantization& q) {
  const hn::ScalableTag<float> df;
  const std::size_t lanes = hn::Lanes(df);
  const bool aligned =
      reinterpret_cast<std::uintptr_t>(to) % (lanes * sizeof(float)) == 0 && shape.features % lanes == 0;
  if (shape.streaming && aligned) {
    convert_u8<true>(shape, from, to, q);
    hwy::FlushStream();
  } else {
    convert_u8<false>(shape, from, to, q);
  }
}

HWY_ATTR void NhcwU16(const NhcwToReal& shape, const std::uint16_t* from, float* to,
                      const FeatureQuantization& q) {
  constexpr std::size_t kMaxFeatures = 128;
  alignas(64) std::uint16_t pixels[kSquare * kMaxFeatures];
  for (std::size_t row = 0; row < shape.height; ++row) {
    const std::uint16_t* line = from + row * shape.padded_features * shape.padded_width;
    float* out = to + row * shape.width * shape.features;
    for (std::size_t f0 = 0; f0 < shape.features; f0 += kMaxFeatures) {
      const std::size_t features = std::min(kMaxFeatures, shape.features - f0);
      for (std::size_t x0 = 0; x0 < shape.width; x0 += kSquare) {
        const std::size_t columns = std::min(kSquare, shape.width - x0);
        for (std::size_t f = 0; f < features; ++f)
          for (std::size_t x = 0; x < columns; ++x)
            pixels[x * kMaxFeatures + f] = line[(f0 + f) * shape.padded_width + x0 + x];
        for (std::size_t x = 0; x < columns; ++x)
          features_to_real<false>(pixels + x * kMaxFeatures, features, out + (x0 + x) * shape.features + f0,
                                  q.zero_points.data() + f0, q.scales.data() + f0);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::vision
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::vision {

HWY_EXPORT(NhcwU8);
HWY_EXPORT(NhcwU16);

void nhcw_to_real(const NhcwToReal& shape, const std::uint8_t* from, float* to,
                  const FeatureQuantization& q) {
  HWY_DYNAMIC_DISPATCH(NhcwU8)(shape, from, to, q);
}
void nhcw_to_real(const NhcwToReal& shape, const std::uint16_t* from, float* to,
                  const FeatureQuantization& q) {
  HWY_DYNAMIC_DISPATCH(NhcwU16)(shape, from, to, q);
}

}  // namespace npubin::vision
#endif
