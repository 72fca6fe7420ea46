// Portable forms of the 8-bit kernels: what every machine runs, and what the vector forms are tested against.
#include <algorithm>
#include <cmath>

#include "exec/fast/integer_kernels.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {

std::int8_t requantized_exactly(std::int32_t sum, const Requantization& r, std::size_t place) {
  if (!r.real_scale.empty()) {
    const float rounded =
        std::round(static_cast<float>(sum) * r.real_scale[place]) + static_cast<float>(r.zero_point);
    return static_cast<std::int8_t>(
        std::clamp(rounded, static_cast<float>(r.low), static_cast<float>(r.high)));
  }
  const std::int32_t shifted = tflite::shift_left(sum, r.left_shift[place]);
  const std::int32_t code = tflite::rdp(tflite::srdhm(shifted, r.mantissa[place]), r.right_shift[place]);
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(std::int64_t{code} + r.zero_point, r.low, r.high));
}

bool in_doubt(std::int32_t sum, const Requantization& r, std::size_t place) {
  if (r.doubt.empty()) return false;
  const float real = static_cast<float>(sum) * r.real_scale[place];
  const float code = real + static_cast<float>(r.zero_point);
  // Beyond the last code it makes no difference.
  if (code < static_cast<float>(r.low) - 1 || code > static_cast<float>(r.high) + 1) return false;
  return std::abs(real - std::nearbyint(real)) + r.doubt[place] > 0.5f;
}

namespace {

void finish(std::int32_t sum, const Requantization& r, std::size_t place, std::int8_t* out,
            std::size_t output, Doubts* doubts) {
  out[output] = requantized_exactly(sum, r, place);
  if (in_doubt(sum, r, place)) doubts->add(output);
}

void run_product(const IntegerProduct& product, const ProductCall& call) {
  const std::size_t panel_bytes = product.segments * product.depth * kPanel;
  for (std::size_t p = 0; p < call.pixels; ++p)
    for (std::size_t panel = call.first_panel; panel < call.last_panel; ++panel) {
      std::uint32_t sums[kPanel];
      for (std::size_t c = 0; c < kPanel; ++c)
        sums[c] = static_cast<std::uint32_t>(product.start[panel * kPanel + c]);
      const std::int8_t* weights = product.weights.data() + panel * panel_bytes;
      for (std::size_t s = 0; s < product.segments; ++s) {
        const std::uint8_t* source = call.segments[s] + p * call.step;
        for (std::size_t k = 0; k < product.depth; k += 4, weights += 4 * kPanel)
          for (std::size_t c = 0; c < kPanel; ++c) {
            std::int32_t quad = 0;
            for (std::size_t b = 0; b < 4; ++b) quad += source[k + b] * weights[c * 4 + b];
            sums[c] += static_cast<std::uint32_t>(quad);
          }
      }
      if (call.doubts != nullptr) call.doubts->make_room();
      const std::size_t channel = panel * kPanel, here = std::min(kPanel, product.outputs - channel);
      for (std::size_t c = 0; c < here; ++c)
        finish(static_cast<std::int32_t>(sums[c]), product.requantization, channel + c, call.out,
               p * product.outputs + channel + c, call.doubts);
    }
}

void run_depthwise(const IntegerDepthwise& d, const std::uint8_t* const* taps, std::size_t count,
                   std::int8_t* out, Doubts* doubts) {
  for (std::size_t i = 0; i < count;) {
    const std::size_t channel = i % d.channels, here = std::min({kPanel, d.channels - channel, count - i});
    std::uint32_t sums[kPanel] = {};
    for (std::size_t c = 0; c < here; ++c) sums[c] = static_cast<std::uint32_t>(d.start[channel + c]);
    for (std::size_t t = 0; t < d.taps; ++t) {
      const std::int8_t* weights = d.pairs.data() + (t / 2 * d.places() + channel) * 2 + t % 2;
      for (std::size_t c = 0; c < here; ++c)
        sums[c] += static_cast<std::uint32_t>(taps[t][i + c] * weights[c * 2]);
    }
    if (doubts != nullptr) doubts->make_room();
    for (std::size_t c = 0; c < here; ++c)
      finish(static_cast<std::int32_t>(sums[c]), d.requantization, channel + c, out, i + c, doubts);
    i += here;
  }
}

void flip(const std::int8_t* from, std::size_t from_step, std::uint8_t* to, std::size_t to_step,
          std::size_t size, std::size_t pixels) {
  for (std::size_t p = 0; p < pixels; ++p, from += from_step, to += to_step)
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(from[i] + 128);
}

std::int8_t add_codes(const IntegerAdd& add, std::int32_t a, std::int32_t b) {
  constexpr int kLeftShift = 20;
  const std::int32_t left =
      tflite::rdp(tflite::srdhm((a - add.zero_a) * (1 << kLeftShift), add.mantissa_a), add.right_a);
  const std::int32_t right =
      tflite::rdp(tflite::srdhm((b - add.zero_b) * (1 << kLeftShift), add.mantissa_b), add.right_b);
  const std::int32_t sum = tflite::rdp(tflite::srdhm(left + right, add.mantissa_out), add.right_out);
  return static_cast<std::int8_t>(std::clamp(sum + add.zero_out, add.low, add.high));
}

void run_add(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
             std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = add_codes(add, a[i], b[i]);
}

// Plain multiplications and additions: what is tried beforehand is what runs here.
void run_add_quickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                     std::size_t count) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves no fraction, halves to even
  const auto low = static_cast<float>(add.low), high = static_cast<float>(add.high);
  const float sure = 0.5f - add.doubt;
  for (std::size_t i = 0; i < count; ++i) {
    const float real =
        static_cast<float>(a[i]) * add.factor_a + (static_cast<float>(b[i]) * add.factor_b + add.constant);
    const float cut = std::min(std::max(real, low), high);
    const float code = cut + kRound - kRound;
    out[i] = std::abs(cut - code) > sure ? add_codes(add, a[i], b[i]) : static_cast<std::int8_t>(code);
  }
}

}  // namespace

const IntegerKernels& generic_kernels() {
  static constexpr IntegerKernels kKernels{"portable", false,   run_product,    run_depthwise,
                                           flip,       run_add, run_add_quickly};
  return kKernels;
}

}  // namespace npubin::exec::fast
