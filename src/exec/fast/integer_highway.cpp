// The 8-bit kernels for machines without VNNI: pairs of 16-bit products (Highway), compiled for SSE2, SSE4,
// AVX2 and NEON.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "exec/fast/integer_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/integer_highway.cpp"
// AVX-512 machines without VNNI take the AVX2 form; vectors of unknown size cannot be kept in arrays.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

const IntegerKernels* Kernels() {
  return &generic_kernels();
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::int32_t>;
using DF = hn::ScalableTag<float>;
using D16 = hn::ScalableTag<std::int16_t>;
using D64 = hn::ScalableTag<std::int64_t>;
using D8 = hn::Rebind<std::int8_t, D32>;
using V32 = hn::Vec<D32>;

constexpr std::size_t kLanes = hn::MaxLanes(D32());
constexpr std::size_t kVectors = 4;                       // of sums for each pixel; two sums a channel
constexpr std::size_t kChannels = kVectors * kLanes / 2;  // of a tile
constexpr std::size_t kDepth = 64;                        // bytes of a source that are widened together
constexpr std::size_t kPixels = 3;

using VF = hn::Vec<DF>;

HWY_INLINE VF RealOf(V32 sums, const Requantization& r, std::size_t place) {
  const DF df;
  const auto scaled = hn::Mul(hn::ConvertTo(df, sums), hn::LoadU(df, r.real_scale.data() + place));
  return hn::Min(hn::Max(scaled, hn::Set(df, -65536.0f)), hn::Set(df, 65536.0f));
}

// Codes without the zero point. Where float32 leaves a doubt, `sure` turns false.
HWY_INLINE V32 Rounded(V32 sums, const Requantization& r, std::size_t place, bool& sure) {
  const D32 d;
  const DF df;
  if (!r.real_scale.empty()) {
    const auto scaled = RealOf(sums, r, place);
    if (r.doubt.empty())  // the largest float below a half: see the VNNI form
      return hn::ConvertTo(d, hn::Add(scaled, hn::CopySign(hn::Set(df, 0.49999997f), scaled)));
    const auto code = hn::NearestInt(scaled);
    const auto away = hn::Abs(hn::Sub(scaled, hn::ConvertTo(df, code)));
    const auto most = hn::Add(away, hn::LoadU(df, r.doubt.data() + place));
    sure = sure && hn::AllFalse(df, hn::Gt(most, hn::Set(df, 0.5f)));
    return code;
  }
  const auto real = hn::ConvertTo(df, sums);
  const auto offset = hn::CopySign(hn::LoadU(df, r.offset.data() + place), real);
  const auto scaled = hn::MulAdd(real, hn::LoadU(df, r.scale.data() + place), offset);
  const auto code = hn::NearestInt(scaled);
  const auto away = hn::Abs(hn::Sub(scaled, hn::ConvertTo(df, code)));
  sure = sure && hn::AllFalse(df, hn::Gt(away, hn::Set(df, 0.5f - kDoubt)));
  return code;
}

// One by one.
HWY_NOINLINE void FinishUnsure(const std::int32_t* sums, const Requantization& r, std::size_t place,
                               std::size_t count, std::int8_t* out, std::size_t output, Doubts* doubts) {
  for (std::size_t i = 0; i < count; ++i) {
    out[output + i] = requantized_exactly(sums[i], r, place + i);
    if (in_doubt(sums[i], r, place + i)) doubts->add(output + i);
  }
}

// kLanes sums to codes; `count` of them are stored, from `output` on.
HWY_INLINE void Finish(V32 sums, const Requantization& r, std::size_t place, std::size_t count,
                       std::int8_t* out, std::size_t output, Doubts* doubts) {
  const D32 d;
  const D8 d8;
  bool sure = r.quick || !r.real_scale.empty();
  if (sure) {
    auto codes = hn::Add(Rounded(sums, r, place, sure), hn::Set(d, r.zero_point));
    codes = hn::Min(hn::Max(codes, hn::Set(d, r.low)), hn::Set(d, r.high));
    if (HWY_LIKELY(sure)) {
      const auto bytes = hn::DemoteTo(d8, codes);
      if (HWY_LIKELY(count >= kLanes)) {
        hn::StoreU(bytes, d8, out + output);
      } else {
        HWY_ALIGN std::int8_t buffer[kLanes];
        hn::StoreU(bytes, d8, buffer);
        std::memcpy(out + output, buffer, count);
      }
      return;
    }
  }
  HWY_ALIGN std::int32_t buffer[kLanes];
  hn::Store(sums, d, buffer);
  FinishUnsure(buffer, r, place, std::min(count, kLanes), out, output, doubts);
}

struct Sums {
  HWY_INLINE Sums() {}  // a default one would be compiled for the baseline, where NEON's vectors are others
  V32 even[kVectors], odd[kVectors];  // `odd` stays 0 where the instruction set adds neighbours itself
};

// Adds `depth` products to each channel's sums; depth is at most kDepth and a multiple of 4.
template <std::size_t Pixels>
HWY_INLINE void Accumulate(const std::int8_t* HWY_RESTRICT weights,
                           const std::int16_t (&wide)[Pixels][kDepth], std::size_t depth,
                           Sums (&sums)[Pixels]) {
  const D16 d16;
  const D32 d32;
  const D64 d64;
  const hn::Rebind<std::int8_t, D16> d8;
  for (std::size_t k = 0; k < depth; k += 4, weights += 4 * kPanel)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto w = hn::PromoteTo(d16, hn::LoadU(d8, weights + v * 2 * kLanes));
      for (std::size_t m = 0; m < Pixels; ++m) {
        std::int64_t quad;
        std::memcpy(&quad, &wide[m][k], sizeof quad);
        const auto x = hn::BitCast(d16, hn::Set(d64, quad));
        sums[m].even[v] = hn::ReorderWidenMulAccumulate(d32, w, x, sums[m].even[v], sums[m].odd[v]);
      }
    }
}

// `Pixels` pixels from `pixel` on times kChannels channels from byte `channel` * 4 of the panel's quads on.
template <std::size_t Pixels>
void Tile(const IntegerProduct& product, const ProductCall& call, std::size_t pixel, std::size_t panel,
          std::size_t channel) {
  const D32 d32;
  const D16 d16;
  const hn::Rebind<std::uint8_t, D16> d8;
  const std::int8_t* weights =
      product.weights.data() + panel * product.segments * product.depth * kPanel + channel * 4;
  Sums sums[Pixels];
  for (Sums& s : sums)
    for (std::size_t v = 0; v < kVectors; ++v) s.even[v] = s.odd[v] = hn::Zero(d32);
  HWY_ALIGN std::int16_t wide[Pixels][kDepth];
  for (std::size_t s = 0; s < product.segments; ++s)
    for (std::size_t k = 0; k < product.depth; k += kDepth) {
      const std::size_t here = std::min(kDepth, product.depth - k);
      for (std::size_t m = 0; m < Pixels; ++m) {
        const std::uint8_t* source = call.segments[s] + (pixel + m) * call.step + k;
        for (std::size_t i = 0; i < here; i += 2 * kLanes)
          hn::Store(hn::PromoteTo(d16, hn::LoadU(d8, source + i)), d16, &wide[m][i]);
      }
      Accumulate<Pixels>(weights, wide, here, sums);
      weights += here * kPanel;
    }
  const std::size_t first = panel * kPanel + channel;
  for (std::size_t m = 0; m < Pixels; ++m)
    for (std::size_t v = 0; v < kVectors; v += 2) {
      const auto a = hn::RearrangeToOddPlusEven(sums[m].even[v], sums[m].odd[v]);
      const auto b = hn::RearrangeToOddPlusEven(sums[m].even[v + 1], sums[m].odd[v + 1]);
      const std::size_t place = first + v / 2 * kLanes;
      if (place >= product.outputs) continue;
      const auto sum = hn::Add(hn::ConcatEven(d32, b, a), hn::ConcatOdd(d32, b, a));
      Finish(hn::Add(sum, hn::LoadU(d32, product.start.data() + place)), product.requantization, place,
             product.outputs - place, call.out, (pixel + m) * product.outputs + place, call.doubts);
    }
}

void RunProduct(const IntegerProduct& product, const ProductCall& call) {
  constexpr auto kTiles = std::array{Tile<1>, Tile<2>, Tile<3>};
  const std::size_t end = std::min(call.last_panel * kPanel, product.outputs);
  for (std::size_t channel = call.first_panel * kPanel; channel < end; channel += kChannels)
    for (std::size_t p = 0; p < call.pixels; p += kPixels) {
      if (call.doubts != nullptr) call.doubts->make_room();
      kTiles[std::min(kPixels, call.pixels - p) - 1](product, call, p, channel / kPanel, channel % kPanel);
    }
}

// Taps two by two: bytes of both interleaved, then products of 16 bits added in pairs.
HWY_INLINE V32 DepthwiseSums(const IntegerDepthwise& d, const std::uint8_t* const* taps, std::size_t at,
                             std::size_t place) {
  const D32 d32;
  const D16 d16;
  const hn::Rebind<std::uint8_t, D16> d8;
  const hn::Rebind<std::int8_t, D16> dw;
  const hn::Rebind<std::uint8_t, D32> half;
  auto sums = hn::Zero(d32), other = hn::Zero(d32);
  for (std::size_t t = 0; t < d.taps; t += 2) {
    const auto a = hn::LoadU(half, taps[t] + at), b = hn::LoadU(half, taps[std::min(t + 1, d.taps - 1)] + at);
    const auto x =
        hn::PromoteTo(d16, hn::InterleaveLower(d8, hn::ZeroExtendVector(d8, a), hn::ZeroExtendVector(d8, b)));
    const auto w = hn::PromoteTo(d16, hn::LoadU(dw, d.pairs.data() + (t / 2 * d.places() + place) * 2));
    sums = hn::ReorderWidenMulAccumulate(d32, x, w, sums, other);
  }
  // Only now are the sums by channel: NEON has kept them apart by halves.
  return hn::Add(hn::RearrangeToOddPlusEven(sums, other), hn::LoadU(d32, d.start.data() + place));
}

void RunDepthwise(const IntegerDepthwise& d, const std::uint8_t* const* taps, std::size_t count,
                  std::int8_t* out, Doubts* doubts) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    if (doubts != nullptr) doubts->make_room();
    Finish(DepthwiseSums(d, taps, i, place), d.requantization, place, count - i, out, i, doubts);
    place += kLanes;
    while (place >= d.channels) place -= d.channels;
  }
}

// A plain loop: the compilation for each target vectorises it.
void Flip(const std::int8_t* from, std::size_t from_step, std::uint8_t* to, std::size_t to_step,
          std::size_t size, std::size_t pixels) {
  for (std::size_t p = 0; p < pixels; ++p, from += from_step, to += to_step)
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(from[i] ^ -128);
}

HWY_INLINE VF RealOf(const std::int8_t* codes) {
  return hn::ConvertTo(DF(), hn::PromoteTo(D32(), hn::LoadU(D8(), codes)));
}

// kLanes codes; false where one of them is in doubt.
HWY_INLINE bool AddVector(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                          std::int8_t* out) {
  const DF df;
  const D32 d;
  const auto right = hn::MulAdd(RealOf(b), hn::Set(df, add.factor_b), hn::Set(df, add.constant));
  const auto real = hn::MulAdd(RealOf(a), hn::Set(df, add.factor_a), right);
  const auto code = hn::NearestInt(real);
  const auto away = hn::Abs(hn::Sub(real, hn::ConvertTo(df, code)));
  const auto cut = hn::Min(hn::Max(code, hn::Set(d, add.low)), hn::Set(d, add.high));
  hn::StoreU(hn::DemoteTo(D8(), cut), D8(), out);
  return hn::AllFalse(df, hn::Gt(away, hn::Set(df, 0.5f - add.doubt)));
}

void RunAddQuickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                   std::size_t count) {
  const auto exact = generic_kernels().add;
  HWY_ALIGN std::int8_t codes[kLanes];
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t here = std::min(kLanes, count - i);
    if (here < kLanes) {
      HWY_ALIGN std::int8_t last_a[kLanes] = {}, last_b[kLanes] = {};
      std::memcpy(last_a, a + i, here);
      std::memcpy(last_b, b + i, here);
      if (AddVector(add, last_a, last_b, codes)) {
        std::memcpy(out + i, codes, here);
        return;
      }
    } else if (HWY_LIKELY(AddVector(add, a + i, b + i, codes))) {
      std::memcpy(out + i, codes, kLanes);
      continue;
    }
    exact(add, a + i, b + i, out + i, here);
  }
}

const IntegerKernels* Kernels() {
  static const IntegerKernels kKernels{
      hwy::TargetName(HWY_TARGET), false,        RunProduct, RunDepthwise, Flip,
      generic_kernels().add,       RunAddQuickly};
  return &kKernels;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

const IntegerKernels* highway_kernels([[maybe_unused]] std::string_view limit) {
#if HWY_TARGETS & HWY_AVX2
  if (limit != "sse4" && (hwy::SupportedTargets() & HWY_AVX2) != 0) return N_AVX2::Kernels();
#endif
#if HWY_TARGETS & HWY_SSE4
  if ((hwy::SupportedTargets() & HWY_SSE4) != 0) return N_SSE4::Kernels();
#endif
  return HWY_STATIC_DISPATCH(Kernels)();
}

}  // namespace npubin::exec::fast
#endif
