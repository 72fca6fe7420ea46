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

// A plain loop: every target's compilation vectorises it for its own instructions.
void TurnSigns(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(from[i] ^ 0x80);
}

template <class WeightAt>
HWY_INLINE void MultiplyDecoded(const DecodedProducts& f, std::size_t count, WeightAt weight_at,
                                float* HWY_RESTRICT out) {
  const std::uint8_t* HWY_RESTRICT codes = f.codes;
  const std::int32_t zero = f.zero;
  const float scale = f.scale, weight_scale = f.weight_scale;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = static_cast<float>(static_cast<std::int32_t>(codes[i]) - zero) * scale;
    out[i] = static_cast<float>(weight_at(i)) * weight_scale * x;
  }
}

void DecodedMultiplied(const DecodedProducts& f, std::size_t count, float* HWY_RESTRICT out) {
  const std::int8_t *HWY_RESTRICT weights = f.weights, *HWY_RESTRICT rest = f.rest;
  if (rest == nullptr)
    MultiplyDecoded(
        f, count, [=](std::size_t i) { return std::int32_t{weights[i]}; }, out);
  else
    MultiplyDecoded(
        f, count, [=](std::size_t i) { return std::int32_t{weights[i]} + std::int32_t{rest[i]}; }, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(DecodedMultiplied);
HWY_EXPORT(TurnSigns);

void decoded_products(const DecodedProducts& factors, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(DecodedMultiplied)(factors, count, out);
}
void turn_signs(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(TurnSigns)(from, count, to);
}

}  // namespace npubin::exec::fast
#endif
