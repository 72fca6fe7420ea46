#include "exec/fast/reference_sums.h"

#include <algorithm>
#include <cmath>

#include "exec/fast/kernels_i8.h"

namespace npubin::exec::fast {
namespace {

// Sums that are made side by side: each one waits for its own additions.
constexpr std::size_t kSums = 8;
// Products of one sum that are kept at a time, about.
constexpr std::size_t kProducts = 1024;

// encode() of the reference.
std::int8_t encoded(float sum, std::size_t channel, const ReferenceNumbers& n) {
  const float value = n.bias.empty() ? sum : sum + n.bias[channel];
  const auto code = static_cast<float>(std::round(static_cast<double>(value / n.out_scale)) +
                                       static_cast<double>(n.out_zero));
  return static_cast<std::int8_t>(
      std::min(std::max(code, static_cast<float>(n.low)), static_cast<float>(n.high)));
}

// products[s]: [taps][block]. Adds `channels` of each tap, channel by channel.
void add_up(const float* const (&products)[kSums], std::size_t taps, std::size_t block, std::size_t channels,
            float (&sums)[kSums]) {
  float total[kSums];
  std::copy_n(sums, kSums, total);
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t t = 0; t < taps; ++t)
      for (std::size_t s = 0; s < kSums; ++s) total[s] += products[s][t * block + c];
  std::copy_n(total, kSums, sums);
}

}  // namespace

std::size_t ReferenceProduct::taps_together() const {
  return pixels_first ? 1 : taps;
}

std::size_t ReferenceProduct::block() const {
  return std::min(channels, std::max<std::size_t>(kProducts / taps_together(), 16));
}

std::size_t ReferenceProduct::scratch_bytes() const {
  return kSums * taps_together() * block() * sizeof(float);
}

void ReferenceProduct::settle(const ProductCall& call, std::size_t segments, const std::uint32_t* which,
                              std::size_t count, float* scratch) const {
  const std::size_t per_segment = taps / segments, together = taps_together(), width = block();
  const float* products[kSums];
  for (std::size_t s = 0; s < kSums; ++s) products[s] = scratch + s * together * width;
  for (std::size_t first = 0; first < count; first += kSums, which += kSums) {
    const std::size_t here = std::min(kSums, count - first);
    float sums[kSums] = {};
    // Tap t of the sum s, channels from c on.
    const auto decode = [&](std::size_t s, std::size_t t, std::size_t c, std::size_t wide, float* to) {
      const std::size_t pixel = which[s] / outputs, output = which[s] % outputs;
      decoded_products({call.segments[t / per_segment] + t % per_segment * channels + pixel * call.step + c,
                        weights.get() + (output * taps + t) * channels + c,
                        rest ? rest.get() + (output * taps + t) * channels + c : nullptr,
                        numbers->in_zero + 128, numbers->in_scale, numbers->weight_scales[output]},
                       wide, to);
    };
    for (std::size_t tap = 0; tap < taps; tap += together)
      for (std::size_t c = 0; c < channels; c += width) {
        const std::size_t wide = std::min(width, channels - c);
        for (std::size_t s = 0; s < here; ++s)
          for (std::size_t t = 0; t < together; ++t)
            decode(s, tap + t, c, wide, scratch + (s * together + t) * width);
        add_up(products, together, width, wide, sums);
      }
    for (std::size_t s = 0; s < here; ++s)
      call.out[which[s]] = encoded(sums[s], which[s] % outputs, *numbers);
  }
}

void settle_depthwise(const ReferenceDepthwise& layer, const std::uint8_t* const* sources,
                      std::span<const std::uint32_t> which, std::int8_t* out) {
  const ReferenceNumbers& n = layer.numbers;
  const std::int32_t zero = n.in_zero + 128;
  for (std::size_t output : which) {
    const std::size_t channel = output % layer.channels;
    float sum = 0;
    for (std::size_t t = 0; t < layer.taps; ++t) {
      const float weight = static_cast<float>(layer.weights[t * layer.channels + channel]);
      const float x = static_cast<float>(sources[t][output] - zero) * n.in_scale;
      sum += weight * n.weight_scales[channel] * x;
    }
    out[output] = encoded(sum, channel, n);
  }
}

}  // namespace npubin::exec::fast
