// 16-bit products. Compiled once for each instruction set; the best one is chosen when the program runs.
#include "ethosu/machine/products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ethosu/machine/products.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace npubin::ethosu::products {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
// No vectors at all: the definition in plain loops.
void Int16(const std::int16_t* const* pixels, std::size_t count, const std::int16_t* packed,
           std::size_t block_stride, std::size_t pairs, std::size_t blocks, std::int32_t* out,
           std::size_t stride) {
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t o = 0; o < blocks * kOutputs; ++o) {
      const std::int16_t* weights = packed + o / kOutputs * block_stride + o % kOutputs * 2;
      std::uint32_t sum = 0;
      for (std::size_t k = 0; k < pairs * 2; ++k)
        sum += static_cast<std::uint32_t>(pixels[p][k] * weights[k / 2 * kOutputs * 2 + k % 2]);
      out[p * stride + o] = static_cast<std::int32_t>(sum);
    }
}

void Depthwise(const std::int16_t* const* taps, std::size_t count, const std::int16_t* packed,
               std::size_t channels, std::int32_t* out) {
  const std::size_t padded = (channels + kOutputs - 1) / kOutputs * kOutputs;
  for (std::size_t c = 0; c < padded; ++c) {
    std::uint32_t sum = 0;
    for (std::size_t t = 0; t < count; ++t)
      sum += static_cast<std::uint32_t>(taps[t][c] * packed[(t * padded + c) * 2]);
    out[c] = static_cast<std::int32_t>(sum);
  }
}

#else
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that a block of outputs is a whole number of vectors.
using D32 = hn::CappedTag<std::int32_t, kOutputs>;
using D16 = hn::Repartition<std::int16_t, D32>;
using V32 = hn::Vec<D32>;

// Two 16-bit products and their sum per 32-bit lane, added to `sum`.
HWY_INLINE V32 AddPairs(D32 d, hn::Vec<D16> a, hn::Vec<D16> b, V32 sum) {
  V32 rest = hn::Zero(d);
  const V32 first = hn::ReorderWidenMulAccumulate(d, a, b, sum, rest);
  return hn::RearrangeToOddPlusEven(first, rest);
}

template <std::size_t Count>
HWY_INLINE void Int16Tile(const std::int16_t* const* pixels, const std::int16_t* packed, std::size_t pairs,
                          std::int32_t* out, std::size_t stride) {
  const D32 d;
  const D16 d16;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t lane = 0; lane < kOutputs; lane += lanes) {
    V32 sums[Count];
    for (std::size_t p = 0; p < Count; ++p) sums[p] = hn::Zero(d);
    for (std::size_t k = 0; k < pairs; ++k) {
      const auto weights = hn::LoadU(d16, packed + (k * kOutputs + lane) * 2);
      for (std::size_t p = 0; p < Count; ++p) {
        std::int32_t two;
        __builtin_memcpy(&two, pixels[p] + 2 * k, 4);
        sums[p] = AddPairs(d, hn::BitCast(d16, hn::Set(d, two)), weights, sums[p]);
      }
    }
    for (std::size_t p = 0; p < Count; ++p) hn::StoreU(sums[p], d, out + p * stride + lane);
  }
}

template <std::size_t Count>
void Int16Pixels(const std::int16_t* const* pixels, const std::int16_t* packed, std::size_t block_stride,
                 std::size_t pairs, std::size_t blocks, std::int32_t* out, std::size_t stride) {
  for (std::size_t b = 0; b < blocks; ++b)
    Int16Tile<Count>(pixels, packed + b * block_stride, pairs, out + b * kOutputs, stride);
}

void Int16(const std::int16_t* const* pixels, std::size_t count, const std::int16_t* packed,
           std::size_t block_stride, std::size_t pairs, std::size_t blocks, std::int32_t* out,
           std::size_t stride) {
  using Function = void (*)(const std::int16_t* const*, const std::int16_t*, std::size_t, std::size_t,
                            std::size_t, std::int32_t*, std::size_t);
  constexpr Function kByCount[kPixels] = {Int16Pixels<1>, Int16Pixels<2>, Int16Pixels<3>, Int16Pixels<4>,
                                          Int16Pixels<5>, Int16Pixels<6>, Int16Pixels<7>, Int16Pixels<8>};
  kByCount[count - 1](pixels, packed, block_stride, pairs, blocks, out, stride);
}

void Depthwise(const std::int16_t* const* taps, std::size_t count, const std::int16_t* packed,
               std::size_t channels, std::int32_t* out) {
  const D32 d;
  const D16 d16;
  const hn::Rebind<std::int16_t, D32> half;
  const std::size_t lanes = hn::Lanes(d), padded = (channels + kOutputs - 1) / kOutputs * kOutputs;
  for (std::size_t c = 0; c < padded; c += lanes) {
    V32 sum = hn::Zero(d);
    for (std::size_t t = 0; t < count; ++t) {
      // A sign-extended value times (weight, 0): a 32-bit product for the price of a 16-bit one.
      const V32 input = hn::PromoteTo(d, hn::LoadU(half, taps[t] + c));
      sum = AddPairs(d, hn::BitCast(d16, input), hn::LoadU(d16, packed + (t * padded + c) * 2), sum);
    }
    hn::StoreU(sum, d, out + c);
  }
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace npubin::ethosu::products
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::ethosu::products {

HWY_EXPORT(Int16);
HWY_EXPORT(Depthwise);

void int16(const std::int16_t* const* pixels, std::size_t count, const std::int16_t* packed,
           std::size_t block_stride, std::size_t pairs, std::size_t blocks, std::int32_t* out,
           std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(Int16)(pixels, count, packed, block_stride, pairs, blocks, out, stride);
}

void depthwise(const std::int16_t* const* taps, std::size_t count, const std::int16_t* packed,
               std::size_t channels, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(Depthwise)(taps, count, packed, channels, out);
}

}  // namespace npubin::ethosu::products
#endif
