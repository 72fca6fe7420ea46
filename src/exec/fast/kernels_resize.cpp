#include "exec/fast/kernels_resize.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_resize.cpp"
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

// Plain loops: every target's compilation vectorises them for its own instructions. Float32 is blended in the
// form that Arm NN's reference has, to the bit: codes are made of the result.
HWY_INLINE float Blended(float low, float high, float weight) {
  return weight * high + (1.0f - weight) * low;
}

void FloatColumns(const float* HWY_RESTRICT row, const ColumnTap<float>* taps, std::size_t count,
                  std::size_t channels, float* HWY_RESTRICT out) {
  if (channels == 1) {
    for (std::size_t x = 0; x < count; ++x)
      out[x] = Blended(row[taps[x].low], row[taps[x].high], taps[x].weight);
    return;
  }
  for (std::size_t x = 0; x < count; ++x, out += channels) {
    const float *low = row + taps[x].low, *high = row + taps[x].high;
    const float weight = taps[x].weight;
    for (std::size_t c = 0; c < channels; ++c) out[c] = Blended(low[c], high[c], weight);
  }
}

void CodeColumns(const std::int8_t* HWY_RESTRICT row, const ColumnTap<std::int32_t>* taps, std::size_t count,
                 std::size_t channels, std::int32_t* HWY_RESTRICT out) {
  for (std::size_t x = 0; x < count; ++x, out += channels) {
    const std::int8_t *low = row + taps[x].low, *high = row + taps[x].high;
    const std::int32_t weight = taps[x].weight;
    for (std::size_t c = 0; c < channels; ++c) out[c] = low[c] * 1024 + weight * (high[c] - low[c]);
  }
}

void FloatRows(const float* HWY_RESTRICT low, const float* HWY_RESTRICT high, float weight,
               float* HWY_RESTRICT out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = Blended(low[i], high[i], weight);
}

void CodeRows(const std::int32_t* HWY_RESTRICT low, const std::int32_t* HWY_RESTRICT high,
              std::int32_t weight, std::int8_t* HWY_RESTRICT out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t sum = low[i] * 1024 + weight * (high[i] - low[i]);
    std::int32_t code = (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20);
    code = code < -128 ? -128 : code;
    out[i] = static_cast<std::int8_t>(code > 127 ? 127 : code);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(FloatColumns);
HWY_EXPORT(CodeColumns);
HWY_EXPORT(FloatRows);
HWY_EXPORT(CodeRows);

void blend_columns(const float* row, const ColumnTap<float>* taps, std::size_t count, std::size_t channels,
                   float* out) {
  HWY_DYNAMIC_DISPATCH(FloatColumns)(row, taps, count, channels, out);
}
void blend_columns(const std::int8_t* row, const ColumnTap<std::int32_t>* taps, std::size_t count,
                   std::size_t channels, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(CodeColumns)(row, taps, count, channels, out);
}
void blend_rows(const float* low, const float* high, float weight, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(FloatRows)(low, high, weight, out, count);
}
void blend_rows(const std::int32_t* low, const std::int32_t* high, std::int32_t weight, std::int8_t* out,
                std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CodeRows)(low, high, weight, out, count);
}

}  // namespace npubin::exec::fast
#endif
