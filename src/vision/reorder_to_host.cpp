#include <algorithm>
#include <cstring>

#include "vision/reorder_kernels.h"

namespace npubin::vision {
namespace {

template <class T>
void crop_pixels(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  for (std::size_t row = 0; row < d.height; ++row)
    for (std::size_t x = 0; x < d.width; ++x)
      std::memcpy(elements<T>(target) + (row * d.width + x) * d.features,
                  elements<T>(source) + (row * s.width + x) * s.features, d.features * sizeof(T));
}

template <class T>
void crop_rows(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  if (s.features != d.features) return crop_pixels<T>(plan, source, target);
  const std::size_t from = std::size_t{s.width} * s.features, to = std::size_t{d.width} * d.features;
  for (std::size_t row = 0; row < d.height; ++row)
    std::memcpy(elements<T>(target) + row * to, elements<T>(source) + row * from, to * sizeof(T));
}

template <class T>
void crop_feature_rows(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  for (std::size_t row = 0; row < d.height; ++row)
    for (std::size_t f = 0; f < d.features; ++f)
      std::memcpy(elements<T>(target) + (row * d.features + f) * d.width,
                  elements<T>(source) + (row * s.features + f) * s.width, d.width * sizeof(T));
}

// dst[row][x][f] = src[row][f * Ws + x], in squares that stay in the first-level cache.
template <class T>
void nhcw_to_nhwc(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  constexpr std::size_t kSquare = 32;
  for (std::size_t row = 0; row < d.height; ++row) {
    const T* from = elements<T>(source) + row * s.features * s.width;
    T* to = elements<T>(target) + row * d.width * d.features;
    for (std::size_t x0 = 0; x0 < d.width; x0 += kSquare) {
      const std::size_t x1 = std::min<std::size_t>(x0 + kSquare, d.width);
      for (std::size_t f = 0; f < d.features; ++f)
        for (std::size_t x = x0; x < x1; ++x) to[x * d.features + f] = from[f * s.width + x];
    }
  }
}

template <class T>
void nhcw_to_nchw(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  for (std::size_t f = 0; f < d.features; ++f)
    for (std::size_t row = 0; row < d.height; ++row)
      std::memcpy(elements<T>(target) + (f * d.height + row) * d.width,
                  elements<T>(source) + (row * s.features + f) * s.width, d.width * sizeof(T));
}

template <class T>
void from_f8cr(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  for (std::size_t row = 0; row < d.height; ++row)
    for (std::size_t group = 0; group < d.features; group += 8) {
      const std::size_t count = std::min<std::size_t>(8, d.features - group);
      for (std::size_t x = 0; x < d.width; ++x)
        std::memcpy(elements<T>(target) + (row * d.width + x) * d.features + group,
                    elements<T>(source) + (row * s.features + group) * s.width + x * 8, count * sizeof(T));
    }
}

}  // namespace

using u8 = std::uint8_t;
using u16 = std::uint16_t;
const KernelPair kCropRows{crop_rows<u8>, crop_rows<u16>};
const KernelPair kCropFeatureRows{crop_feature_rows<u8>, crop_feature_rows<u16>};
const KernelPair kCropPixels{crop_pixels<u8>, crop_pixels<u16>};
const KernelPair kNhcwToNhwc{nhcw_to_nhwc<u8>, nhcw_to_nhwc<u16>};
const KernelPair kNhcwToNchw{nhcw_to_nchw<u8>, nhcw_to_nchw<u16>};
const KernelPair kFromF8cr{from_f8cr<u8>, from_f8cr<u16>};

void transpose_cells(const std::byte* source, std::byte* target, std::size_t height, std::size_t width,
                     std::size_t cell_bytes) {
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      std::memcpy(target + (x * height + y) * cell_bytes, source + (y * width + x) * cell_bytes, cell_bytes);
}

}  // namespace npubin::vision
