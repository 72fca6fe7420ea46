#include "exec/fast/kernels_ordered.h"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_ordered.cpp"
// g++ 12 stumbles over SVE beside precompiled headers; vectors of unknown size cannot be kept in arrays.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kOrderedPanel>;
using V = hn::Vec<D>;

constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kVectors = kOrderedPanel / kLanes;
// As many sums as hide the time of an addition.
constexpr std::size_t kPixels = kVectors >= 8 ? 1 : 8 / kVectors;

template <std::size_t Count>
struct Few {
  HWY_INLINE Few() {}  // a default one would be compiled for the baseline, where NEON's vectors are others
  V of[Count];
};
using Sums = Few<kVectors>;

template <std::size_t Pixels>
void Tile(const OrderedProduct& product, const float* const* pixels, float* HWY_RESTRICT out) {
  const D d;
  Sums sums[Pixels];
  for (Sums& s : sums)
    for (V& v : s.of) v = hn::Zero(d);
  const float* weights = product.weights;
  for (std::size_t k = 0; k < product.depth; ++k, weights += kOrderedPanel) {
    const std::size_t offset = product.offsets[k];
    for (std::size_t p = 0; p < Pixels; ++p) {
      const V x = hn::Set(d, pixels[p][offset]);
      for (std::size_t v = 0; v < kVectors; ++v)
        sums[p].of[v] = hn::Add(sums[p].of[v], hn::Mul(hn::LoadU(d, weights + v * kLanes), x));
    }
  }
  for (const Sums& s : sums)
    for (std::size_t v = 0; v < kVectors; ++v, out += kLanes) hn::StoreU(s.of[v], d, out);
}

void Products(const OrderedProduct& product, const float* const* pixels, std::size_t count, float* sums) {
  std::size_t p = 0;
  for (; p + kPixels <= count; p += kPixels) Tile<kPixels>(product, pixels + p, sums + p * kOrderedPanel);
  for (; p < count; ++p) Tile<1>(product, pixels + p, sums + p * kOrderedPanel);
}

// One vector of channels of a few pixels.
template <std::size_t Pixels>
HWY_INLINE void ChannelTile(const OrderedProduct& product, const float* const* pixels, std::size_t c,
                            std::size_t channels, float* HWY_RESTRICT out) {
  const D d;
  Few<Pixels> sums;
  for (V& v : sums.of) v = hn::Zero(d);
  for (std::size_t k = 0; k < product.depth; ++k) {
    const V w = hn::LoadU(d, product.weights + k * channels + c);
    for (std::size_t p = 0; p < Pixels; ++p)
      sums.of[p] = hn::Add(sums.of[p], hn::Mul(w, hn::LoadU(d, pixels[p] + product.offsets[k] + c)));
  }
  for (std::size_t p = 0; p < Pixels; ++p) hn::StoreU(sums.of[p], d, out + p * channels + c);
}

// The last channels, which fill no vector.
void LastChannels(const OrderedProduct& product, const float* pixel, std::size_t c, std::size_t channels,
                  float* HWY_RESTRICT out) {
  for (; c < channels; ++c) {
    float sum = 0;
    for (std::size_t k = 0; k < product.depth; ++k)
      sum += product.weights[k * channels + c] * pixel[product.offsets[k] + c];
    out[c] = sum;
  }
}

void Channels(const OrderedProduct& product, const float* const* pixels, std::size_t count,
              std::size_t channels, float* sums) {
  constexpr std::size_t kTogether = 8;
  const std::size_t whole = channels - channels % kLanes;
  for (std::size_t c = 0; c < whole; c += kLanes) {
    std::size_t p = 0;
    for (; p + kTogether <= count; p += kTogether)
      ChannelTile<kTogether>(product, pixels + p, c, channels, sums + p * channels);
    for (; p < count; ++p) ChannelTile<1>(product, pixels + p, c, channels, sums + p * channels);
  }
  if (whole == channels) return;
  for (std::size_t p = 0; p < count; ++p)
    LastChannels(product, pixels[p], whole, channels, sums + p * channels);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(Products);
HWY_EXPORT(Channels);

void ordered_products(const OrderedProduct& product, const float* const* pixels, std::size_t count,
                      float* sums) {
  HWY_DYNAMIC_DISPATCH(Products)(product, pixels, count, sums);
}
void ordered_channels(const OrderedProduct& product, const float* const* pixels, std::size_t count,
                      std::size_t channels, float* sums) {
  HWY_DYNAMIC_DISPATCH(Channels)(product, pixels, count, channels, sums);
}

}  // namespace npubin::exec::fast
#endif
