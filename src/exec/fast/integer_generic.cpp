// Portable forms of the 8-bit kernels: what every machine runs, and what the vector forms are tested against.
#include <algorithm>
#include <cmath>

#include "exec/fast/integer_kernels.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {
namespace {

std::int8_t requantize(std::uint32_t sum, const Requantization& r, std::size_t channel) {
  if (!r.scale.empty()) {
    const float real = static_cast<float>(static_cast<std::int32_t>(sum)) * r.scale[channel];
    const float rounded = std::round(real) + static_cast<float>(r.zero_point);
    return static_cast<std::int8_t>(
        std::clamp(rounded, static_cast<float>(r.low), static_cast<float>(r.high)));
  }
  const std::int32_t shifted = tflite::shift_left(static_cast<std::int32_t>(sum), r.left_shift[channel]);
  const std::int32_t code = tflite::rdp(tflite::srdhm(shifted, r.mantissa[channel]), r.right_shift[channel]);
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(std::int64_t{code} + r.zero_point, r.low, r.high));
}

}  // namespace

void run_product_generic(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t pixels,
                         std::int8_t* out) {
  const std::size_t panels = (product.outputs + kPanel - 1) / kPanel;
  const std::size_t panel_bytes = product.segments * product.depth * kPanel;
  for (std::size_t p = 0; p < pixels; ++p, rows += product.segments, out += product.outputs)
    for (std::size_t panel = 0; panel < panels; ++panel) {
      std::uint32_t sums[kPanel];
      for (std::size_t c = 0; c < kPanel; ++c)
        sums[c] = static_cast<std::uint32_t>(product.start[panel * kPanel + c]);
      const std::int8_t* weights = product.weights.data() + panel * panel_bytes;
      for (std::size_t s = 0; s < product.segments; ++s)
        for (std::size_t k = 0; k < product.depth; k += 4, weights += 4 * kPanel)
          for (std::size_t c = 0; c < kPanel; ++c) {
            std::int32_t quad = 0;
            for (std::size_t b = 0; b < 4; ++b) quad += (rows[s][k + b] + 128) * weights[c * 4 + b];
            sums[c] += static_cast<std::uint32_t>(quad);
          }
      const std::size_t here = std::min(kPanel, product.outputs - panel * kPanel);
      for (std::size_t c = 0; c < here; ++c)
        out[panel * kPanel + c] = requantize(sums[c], product.requantization, panel * kPanel + c);
    }
}

void run_depthwise_generic(const IntegerDepthwise& depthwise, const std::int8_t* const* rows,
                           std::size_t pixels, std::int8_t* out) {
  const std::size_t channels = depthwise.channels;
  for (std::size_t p = 0; p < pixels; ++p, rows += depthwise.taps, out += channels)
    for (std::size_t from = 0; from < channels; from += kPanel) {
      const std::size_t here = std::min(kPanel, channels - from);
      std::uint32_t sums[kPanel] = {};
      for (std::size_t c = 0; c < here; ++c) sums[c] = static_cast<std::uint32_t>(depthwise.start[from + c]);
      for (std::size_t t = 0; t < depthwise.taps; ++t) {
        const std::int8_t* source = rows[t] + from;
        const std::int8_t* weights = depthwise.weights.data() + t * channels + from;
        for (std::size_t c = 0; c < here; ++c)
          sums[c] += static_cast<std::uint32_t>((source[c] + 128) * weights[c]);
      }
      for (std::size_t c = 0; c < here; ++c)
        out[from + c] = requantize(sums[c], depthwise.requantization, from + c);
    }
}

namespace {

std::int8_t add_codes(const IntegerAdd& add, std::int32_t a, std::int32_t b) {
  constexpr int kLeftShift = 20;
  const std::int32_t left =
      tflite::rdp(tflite::srdhm((a - add.zero_a) * (1 << kLeftShift), add.mantissa_a), add.right_a);
  const std::int32_t right =
      tflite::rdp(tflite::srdhm((b - add.zero_b) * (1 << kLeftShift), add.mantissa_b), add.right_b);
  const std::int32_t sum = tflite::rdp(tflite::srdhm(left + right, add.mantissa_out), add.right_out);
  return static_cast<std::int8_t>(std::clamp(sum + add.zero_out, add.low, add.high));
}

}  // namespace

void run_add_generic(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = add_codes(add, a[i], b[i]);
}

}  // namespace npubin::exec::fast
