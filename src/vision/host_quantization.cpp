#include "vision/host_quantization.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace npubin::vision {
namespace {

// Adding and subtracting 1.5 * 2^23 rounds a float of moderate size to an integer, half to even, without a
// call that the vectoriser does not know.
constexpr float kRounder = 12582912.0f;

template <class T>
void quantize_saturating(std::span<const float> from, T* to, const HostQuantization& q) {
  constexpr float kMax = std::numeric_limits<T>::max();
  const bool identity = q.identity();
  const float low = identity ? -std::numeric_limits<float>::max() : q.limit_min;
  const float high = identity ? std::numeric_limits<float>::max() : q.limit_max;
  for (std::size_t i = 0; i < from.size(); ++i) {
    // Written so that a NaN takes the lower bound.
    float x = from[i] > low ? from[i] : low;
    x = x < high ? x : high;
    float code = x / q.scale + q.zero_point;
    code = code > 0.0f ? code : 0.0f;
    code = code < kMax ? code : kMax;
    to[i] = static_cast<T>(static_cast<std::int32_t>((code + kRounder) - kRounder));
  }
}

template <class T>
void quantize_wrapping(std::span<const float> from, T* to, const HostQuantization& q) {
  const bool identity = q.identity();
  for (std::size_t i = 0; i < from.size(); ++i) {
    float x = from[i];
    if (!identity) x = std::min(std::max(x, q.limit_min), q.limit_max);
    const float code = std::nearbyint(identity ? x : x / q.scale + q.zero_point);
    // What the conversion instruction of x86 gives: 2^31 for anything that does not fit, whose low bits are
    // 0.
    const bool fits = code >= -2147483648.0f && code < 2147483648.0f;
    to[i] = static_cast<T>(fits ? static_cast<std::int32_t>(code) : 0);
  }
}

template <class T>
void dequantize_all(std::span<const T> from, float* to, const HostQuantization& q) {
  const float zero_point = q.zero_point, scale = q.scale;
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = (static_cast<float>(from[i]) - zero_point) * scale;
}

}  // namespace

void quantize(std::span<const float> from, std::uint8_t* to, const HostQuantization& q, Overflow overflow) {
  overflow == Overflow::Wrap ? quantize_wrapping(from, to, q) : quantize_saturating(from, to, q);
}
void quantize(std::span<const float> from, std::uint16_t* to, const HostQuantization& q, Overflow overflow) {
  overflow == Overflow::Wrap ? quantize_wrapping(from, to, q) : quantize_saturating(from, to, q);
}

void dequantize(std::span<const std::uint8_t> from, float* to, const HostQuantization& q) {
  dequantize_all(from, to, q);
}
void dequantize(std::span<const std::uint16_t> from, float* to, const HostQuantization& q) {
  dequantize_all(from, to, q);
}

template <class T>
void dequantize_features(std::span<const T> from, float* to, const FeatureQuantization& q, std::size_t run) {
  const std::size_t features = q.scales.size();
  if (run == 1) {
    for (std::size_t i = 0; i + features <= from.size(); i += features)
      for (std::size_t f = 0; f < features; ++f)
        to[i + f] = (static_cast<float>(from[i + f]) - q.zero_points[f]) * q.scales[f];
    return;
  }
  std::size_t feature = 0;
  for (std::size_t i = 0; i + run <= from.size(); i += run) {
    const float zero_point = q.zero_points[feature], scale = q.scales[feature];
    for (std::size_t k = i; k < i + run; ++k) to[k] = (static_cast<float>(from[k]) - zero_point) * scale;
    if (++feature == features) feature = 0;
  }
}
template void dequantize_features(std::span<const std::uint8_t>, float*, const FeatureQuantization&,
                                  std::size_t);
template void dequantize_features(std::span<const std::uint16_t>, float*, const FeatureQuantization&,
                                  std::size_t);

std::uint32_t least_code_reaching(float threshold, const HostQuantization& q, std::uint32_t max_code) {
  // (code - zero_point) * scale never falls with rising code for a positive scale, so the answer is found by
  // halving; a file with another scale is refused when the pipeline is prepared.
  std::uint32_t low = 0, high = max_code + 1;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (dequantize(middle, q) >= threshold)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace npubin::vision
