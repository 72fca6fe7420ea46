// Between real numbers on the host and quantised ones on the device (hef spec 4a).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace npubin::vision {

// real = (q - zero_point) * scale, in float32; reals are kept within [limit_min, limit_max] when quantised.
struct HostQuantization {
  float zero_point = 0;
  float scale = 1;
  float limit_min = 0;
  float limit_max = 0;

  // Scale 1 and zero point 0: values are cast, and never clipped to the limits.
  bool identity() const { return scale == 1.0f && zero_point == 0.0f; }
};

enum class Overflow : std::uint8_t {
  Saturate,  // the nearest code; the right result
  Wrap,      // modulo 2^8 or 2^16, as HailoRT on x86 (hef spec 5b)
};

// q = round_half_even(clip(x) / scale + zero_point).
void quantize(std::span<const float> from, std::uint8_t* to, const HostQuantization& q, Overflow overflow);
void quantize(std::span<const float> from, std::uint16_t* to, const HostQuantization& q, Overflow overflow);

inline float dequantize(std::uint32_t code, const HostQuantization& q) {
  return (static_cast<float>(code) - q.zero_point) * q.scale;
}
void dequantize(std::span<const std::uint8_t> from, float* to, const HostQuantization& q);
void dequantize(std::span<const std::uint16_t> from, float* to, const HostQuantization& q);

// One zero point and one scale per feature.
struct FeatureQuantization {
  std::vector<float> zero_points, scales;
};
// Element i belongs to feature i / run % features: run 1 where features are innermost (NHWC), the length of a
// feature's run otherwise (the row of NHCW, the plane of NCHW).
template <class T>
void dequantize_features(std::span<const T> from, float* to, const FeatureQuantization& q, std::size_t run);

// Frames of NHCW rows become NHWC rows of reals in one pass: to[row][x][f] =
// (from[row][f * padded_width + x] - zero_points[f]) * scales[f]. `streaming` writes past the caches, for
// frames that are larger than these.
struct NhcwToReal {
  std::size_t height = 0, width = 0, features = 0;  // of the host's frame
  std::size_t padded_width = 0, padded_features = 0;
  bool streaming = false;
};
void nhcw_to_real(const NhcwToReal& shape, const std::uint8_t* from, float* to, const FeatureQuantization& q);
void nhcw_to_real(const NhcwToReal& shape, const std::uint16_t* from, float* to,
                  const FeatureQuantization& q);

// The least code of 0..max_code whose de-quantised value reaches `threshold`, max_code + 1 where none does:
// `code >= result` says exactly what `dequantize(code) >= threshold` says.
std::uint32_t least_code_reaching(float threshold, const HostQuantization& q, std::uint32_t max_code);

}  // namespace npubin::vision
