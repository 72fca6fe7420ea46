#include <algorithm>
#include <cstring>

#include "vision/reorder_kernels.h"

namespace npubin::vision {
namespace {

// Kernels that skip padding while writing start from a zero frame.
void clear(const ReorderPlan& plan, std::byte* target) {
  std::memset(target, 0, plan.target_bytes);
}

template <class T>
void pad_pixels(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row)
    for (std::size_t x = 0; x < s.width; ++x)
      std::memcpy(elements<T>(target) + (row * d.width + x) * d.features,
                  elements<T>(source) + (row * s.width + x) * s.features, s.features * sizeof(T));
}

template <class T>
void pad_rows(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  if (s.features != d.features) return pad_pixels<T>(plan, source, target);
  const std::size_t from = std::size_t{s.width} * s.features, to = std::size_t{d.width} * d.features;
  if (from == to && s.height == d.height && plan.source_bytes == plan.target_bytes) {
    std::memcpy(target, source, plan.source_bytes);
    return;
  }
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row)
    std::memcpy(elements<T>(target) + row * to, elements<T>(source) + row * from, from * sizeof(T));
}

template <class T>
void pad_feature_rows(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row)
    for (std::size_t f = 0; f < s.features; ++f)
      std::memcpy(elements<T>(target) + (row * d.features + f) * d.width,
                  elements<T>(source) + (row * s.features + f) * s.width, s.width * sizeof(T));
}

// dst[row][f][x] = src[row][x][f], with the source's row pitch given.
template <class T>
void interleaved_to_rows(const ReorderPlan& plan, const std::byte* source, std::byte* target,
                         std::size_t pitch) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row) {
    const T* from = elements<T>(source) + row * pitch;
    T* to = elements<T>(target) + row * d.features * d.width;
    for (std::size_t f = 0; f < s.features; ++f)
      for (std::size_t x = 0; x < s.width; ++x) to[f * d.width + x] = from[x * s.features + f];
  }
}

template <class T>
void nhwc_to_nhcw(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  interleaved_to_rows<T>(plan, source, target,
                         std::size_t{plan.source.shape.width} * plan.source.shape.features);
}

std::size_t rgb4_pitch(const FrameShape& shape) {
  return (std::size_t{shape.width} * shape.features + 3) / 4 * 4;
}

template <class T>
void rgb4_to_nhcw(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  interleaved_to_rows<T>(plan, source, target, rgb4_pitch(plan.source.shape));
}

// HailoRT copies the aligned row, padding included (hef spec 4b); here padding stays zero.
template <class T>
void rgb4_to_nhwc(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  const std::size_t from = rgb4_pitch(s), to = std::size_t{d.width} * d.features;
  for (std::size_t row = 0; row < s.height; ++row)
    std::memcpy(elements<T>(target) + row * to, elements<T>(source) + row * from,
                std::size_t{s.width} * s.features * sizeof(T));
}

template <class T>
void nchw_to_nhcw(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t f = 0; f < s.features; ++f)
    for (std::size_t row = 0; row < s.height; ++row)
      std::memcpy(elements<T>(target) + (row * d.features + f) * d.width,
                  elements<T>(source) + (f * s.height + row) * s.width, s.width * sizeof(T));
}

// dst = row * W * C + group_start * W + x * 8 + f % 8.
template <class T>
void to_f8cr(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row)
    for (std::size_t group = 0; group < s.features; group += 8) {
      const std::size_t count = std::min<std::size_t>(8, s.features - group);
      for (std::size_t x = 0; x < s.width; ++x)
        std::memcpy(elements<T>(target) + (row * d.features + group) * d.width + x * 8,
                    elements<T>(source) + (row * s.width + x) * s.features + group, count * sizeof(T));
    }
}

template <class T>
void to_rgb888(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  for (std::size_t row = 0; row < s.height; ++row)
    for (std::size_t x = 0; x < s.width; ++x) {
      const T* from = elements<T>(source) + (row * s.width + x) * 3;
      T* to = elements<T>(target) + (row * d.width + x) * 4;
      to[0] = from[2];
      to[1] = from[1];
      to[2] = from[0];
    }
}

// The model counts a frame of 4:2:0 as height * features / 3 pairs of rows, each pair with its chroma.
std::size_t row_pairs(const FrameShape& shape) {
  return std::size_t{shape.height} * shape.features / 3;
}

// A row of the device: `count` elements, then zeros up to `padded`.
template <class T>
T* put_row(T* to, const T* from, std::size_t count, std::size_t padded) {
  std::memcpy(to, from, count * sizeof(T));
  std::memset(to + count, 0, (padded - count) * sizeof(T));
  return to + padded;
}

template <class T>
void semi_planar_to_device(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  const std::size_t pairs = row_pairs(s);
  const T* luma = elements<T>(source);
  const T* chroma = luma + pairs * 2 * s.width;
  T* to = elements<T>(target);
  for (std::size_t i = 0; i < pairs; ++i, luma += 2 * std::size_t{s.width}, chroma += s.width) {
    to = put_row(to, luma, s.width, d.width);
    to = put_row(to, luma + s.width, s.width, d.width);
    to = put_row(to, chroma, s.width, d.width);
  }
}

template <class T>
void planar_to_device(const ReorderPlan& plan, const std::byte* source, std::byte* target) {
  const FrameShape &s = plan.source.shape, &d = plan.target.shape;
  clear(plan, target);
  const std::size_t pairs = row_pairs(s), half = s.width / 2, padded_half = d.width / 2;
  const T* luma = elements<T>(source);
  const T* u = luma + pairs * 2 * s.width;
  const T* v = u + pairs * half;
  T* to = elements<T>(target);
  for (std::size_t i = 0; i < pairs; ++i, luma += 2 * std::size_t{s.width}, u += half, v += half) {
    to = put_row(to, luma, s.width, d.width);
    to = put_row(to, luma + s.width, s.width, d.width);
    to = put_row(to, u, half, padded_half);
    to = put_row(to, v, half, padded_half);
  }
}

}  // namespace

using u8 = std::uint8_t;
using u16 = std::uint16_t;
const KernelPair kPadRows{pad_rows<u8>, pad_rows<u16>};
const KernelPair kPadFeatureRows{pad_feature_rows<u8>, pad_feature_rows<u16>};
const KernelPair kPadPixels{pad_pixels<u8>, pad_pixels<u16>};
const KernelPair kNhwcToNhcw{nhwc_to_nhcw<u8>, nhwc_to_nhcw<u16>};
const KernelPair kNchwToNhcw{nchw_to_nhcw<u8>, nchw_to_nhcw<u16>};
const KernelPair kToF8cr{to_f8cr<u8>, to_f8cr<u16>};
const KernelPair kToRgb888{to_rgb888<u8>, to_rgb888<u16>};
const KernelPair kSemiPlanarToDevice{semi_planar_to_device<u8>, semi_planar_to_device<u16>};
const KernelPair kPlanarToDevice{planar_to_device<u8>, planar_to_device<u16>};
const KernelPair kRgb4ToNhwc{rgb4_to_nhwc<u8>, rgb4_to_nhwc<u16>};
const KernelPair kRgb4ToNhcw{rgb4_to_nhcw<u8>, rgb4_to_nhcw<u16>};

}  // namespace npubin::vision
