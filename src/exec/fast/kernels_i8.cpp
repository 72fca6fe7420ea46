#include "exec/fast/kernels_i8.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_i8.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

// Plain loops: every target's compilation vectorises them for its own instructions.
HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

void Raise(const std::int8_t* HWY_RESTRICT in, std::int8_t* HWY_RESTRICT out, std::size_t channels) {
  for (std::size_t c = 0; c < channels; ++c) out[c] = in[c] > out[c] ? in[c] : out[c];
}

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

void ClampCodes(std::int8_t low, std::int8_t high, std::int8_t* HWY_RESTRICT out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int8_t raised = out[i] < low ? low : out[i];
    out[i] = raised > high ? high : raised;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(Raise);
HWY_EXPORT(Accumulate);
HWY_EXPORT(Average);
HWY_EXPORT(ClampCodes);

void raise(const std::int8_t* in, std::int8_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(Raise)(in, out, channels);
}
void accumulate(const std::int8_t* in, std::int32_t* sums, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(Accumulate)(in, sums, channels);
}
void average(const std::int32_t* sums, std::int32_t count, std::int32_t low, std::int32_t high,
             std::int8_t* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(Average)(sums, count, low, high, out, channels);
}
void clamp_codes(std::int8_t low, std::int8_t high, std::int8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(ClampCodes)(low, high, out, count);
}

}  // namespace npubin::exec::fast
#endif
