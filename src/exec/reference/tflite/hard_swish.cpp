// HARD_SWISH int8: 16-bit steps. tflite spec 4.
#include "exec/reference/tflite/activations.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::tflite {
namespace {

std::int16_t saturate16(std::int64_t x) {
  return clamp_to<std::int16_t>(x);
}

std::int16_t half_mantissa(std::int32_t m) {
  return saturate16((std::int64_t{m} + (1 << 15)) >> 16);
}

// Rounding doubling high multiply of 16 bits.
std::int16_t high_product(std::int16_t a, std::int16_t b) {
  return saturate16((std::int32_t{a} * b + (1 << 14)) >> 15);
}

std::int16_t shift_16(std::int16_t x, int shift) {
  return saturate16(std::int64_t{x} * (std::int64_t{1} << std::min(shift, 31)));
}

}  // namespace

Result<void> hard_swish_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const float fine = qi.scale() * (1.0f / 128.0f);
  const Multiplier to_out = quantize_multiplier(fine / qo.scale());
  const Multiplier to_relu = quantize_multiplier(fine / (3.0f / 32768.0f));
  if (to_out.shift > 0)
    return malformed({}, "the output's scale is too small for the kernel: input scale / 128 exceeds it");
  const std::int16_t mo = half_mantissa(to_out.mantissa), mr = half_mantissa(to_relu.mantissa);
  const int er = to_relu.shift;
  const auto in = call.input(0).as<std::int8_t>();
  auto out = call.output().as_mutable<std::int8_t>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto v = static_cast<std::int16_t>((in[i] - qi.zero_point()) * 128);
    const std::int16_t p = high_product(v, mo);
    std::int16_t r = v;
    if (er > 0) r = shift_16(r, er - 1);
    r = high_product(r, mr);
    if (er > 0) r = shift_16(r, 1);
    if (er < 0) r = static_cast<std::int16_t>(rdp(r, -er));
    r = static_cast<std::int16_t>((r + (1 << 15)) >> 1);
    const auto product = static_cast<std::int32_t>(std::int32_t{r} * p / (1 << 15));
    out[i] = clamp_to<std::int8_t>(rdp(product, -to_out.shift) + qo.zero_point());
  }
  return {};
}

}  // namespace npubin::exec::tflite
