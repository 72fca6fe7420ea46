#include "vision/logits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace npubin::vision {

void softmax(std::span<float> values, std::size_t features, bool like_hailort) {
  if (features == 0) return;
  for (std::size_t i = 0; i + features <= values.size(); i += features) {
    const auto row = values.subspan(i, features);
    const float largest = like_hailort ? 0.0f : *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (float& value : row) {
      value = std::exp(value - largest);
      sum += value;
    }
    for (float& value : row) value /= sum;
  }
}

Result<Argmax> Argmax::prepare(const Layout& device, const FrameShape& shape, std::size_t element_bytes,
                               bool like_hailort) {
  switch (device.order) {
    case FrameOrder::Nhcw:
    case FrameOrder::Nhwc:
    case FrameOrder::F8cr:
    case FrameOrder::Nc:
      break;
    default:
      return refused(fmt::format("argmax over {} frames", to_string(device.order)),
                     "NHCW, NHWC, F8CR and NC are possible");
  }
  const FrameShape& d = device.shape;
  if (!element_count(d) || shape.height == 0 || shape.width == 0 || shape.features == 0 ||
      shape.height > d.height || shape.width > d.width || shape.features > d.features)
    return malformed({}, fmt::format("argmax of {}x{}x{} in a device frame of {}x{}x{}", shape.height,
                                     shape.width, shape.features, d.height, d.width, d.features));
  if (device.order == FrameOrder::F8cr && d.features % 8 != 0)
    return malformed({}, fmt::format("F8CR needs features in multiples of 8, not {}", d.features));
  Argmax out;
  out.device_ = device;
  out.shape_ = shape;
  out.element_bytes_ = element_bytes;
  out.scanned_ = shape.features;
  // HailoRT scans features % 8 of the last group of eight, none where that is 0 (hef spec 5b).
  if (like_hailort && device.order == FrameOrder::F8cr && shape.features % 8 == 0)
    out.scanned_ = shape.features - 8;
  return out;
}

std::size_t Argmax::index(std::size_t y, std::size_t x, std::size_t f) const {
  const FrameShape& d = device_.shape;
  switch (device_.order) {
    case FrameOrder::Nhcw:
      return (y * d.features + f) * d.width + x;
    case FrameOrder::F8cr:
      return (y * d.features + f / 8 * 8) * d.width + x * 8 + f % 8;
    default:
      return (y * d.width + x) * d.features + f;
  }
}

template <class T>
void Argmax::run_as(const std::byte* frame, std::span<std::uint32_t> out) const {
  const T* codes = reinterpret_cast<const T*>(frame);
  std::size_t pixel = 0;
  for (std::size_t y = 0; y < shape_.height; ++y)
    for (std::size_t x = 0; x < shape_.width; ++x) {
      std::uint32_t best = 0;
      T largest = 0;
      for (std::size_t f = 0; f < scanned_; ++f) {
        const T code = codes[index(y, x, f)];
        if (f == 0 || code > largest) {
          largest = code;
          best = static_cast<std::uint32_t>(f);
        }
      }
      out[pixel++] = best;
    }
}

void Argmax::run(const std::byte* frame, std::span<std::uint32_t> out) const {
  element_bytes_ == 1 ? run_as<std::uint8_t>(frame, out) : run_as<std::uint16_t>(frame, out);
}

}  // namespace npubin::vision
