// RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR. tflite spec 6.
#include <cmath>
#include <cstring>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::ResizeAttributes;

// Between which rows (or columns) an output row lies; `weight` is the share of the higher one.
template <class W>
struct Tap {
  std::int64_t low, high;
  W weight;
};

WorkVector<Tap<float>> float_taps(std::int64_t in, std::int64_t out, const ResizeAttributes& a) {
  float scale = static_cast<float>(in) / static_cast<float>(out);
  if (a.align_corners && out > 1) scale = static_cast<float>(in - 1) / static_cast<float>(out - 1);
  WorkVector<Tap<float>> taps;
  for (std::int64_t i = 0; i < out; ++i) {
    const auto place = static_cast<float>(i);
    const float v = a.half_pixel_centers ? (place + 0.5f) * scale - 0.5f : place * scale;
    const auto floor = static_cast<std::int64_t>(std::floor(v));
    taps.push_back({std::max<std::int64_t>(floor, 0),
                    std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(v)), 0, in - 1),
                    v - std::floor(v)});
    if (v < 0)
      taps.back() = {0, std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(v)), 0, in - 1), v};
    taps.back().low = std::min(taps.back().low, in - 1);
  }
  return taps;
}

// Ten fraction bits; divisions truncate.
WorkVector<Tap<std::int64_t>> code_taps(std::int64_t in, std::int64_t out, const ResizeAttributes& a) {
  std::int64_t scale = (1024 * in + out / 2) / out;
  if (a.align_corners && out > 1) scale = (1024 * (in - 1) + (out - 1) / 2) / (out - 1);
  WorkVector<Tap<std::int64_t>> taps;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t v = i * scale + (a.half_pixel_centers ? scale / 2 - 512 : 0);
    const std::int64_t low = std::min(std::max<std::int64_t>(v / 1024, 0), in - 1);
    taps.push_back({low, std::max<std::int64_t>(std::min((v + 1023) / 1024, in - 1), 0), v - 1024 * low});
  }
  return taps;
}

WorkVector<std::int64_t> nearest(std::int64_t in, std::int64_t out, const ResizeAttributes& a) {
  const bool aligned = a.align_corners && out > 1;
  const float scale = aligned ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float offset = a.half_pixel_centers ? 0.5f : 0.0f;
  WorkVector<std::int64_t> places;
  for (std::int64_t i = 0; i < out; ++i) {
    const float v = (static_cast<float>(i) + offset) * scale;
    const float picked = a.align_corners ? std::round(v) : std::floor(v);
    places.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(picked), 0, in - 1));
  }
  return places;
}

float blend(const float* corner[4], std::int64_t c, float y, float x) {
  return corner[0][c] * (1 - y) * (1 - x) + corner[1][c] * (1 - y) * x + corner[2][c] * y * (1 - x) +
         corner[3][c] * y * x;
}

std::int8_t blend(const std::int8_t* corner[4], std::int64_t c, std::int64_t y, std::int64_t x) {
  const std::int64_t sum = corner[0][c] * (1024 - y) * (1024 - x) + corner[1][c] * (1024 - y) * x +
                           corner[2][c] * y * (1024 - x) + corner[3][c] * y * x;
  return clamp_to<std::int8_t>((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
}

template <class T, class W>
void bilinear(const KernelCall& call, const WorkVector<Tap<W>>& rows, const WorkVector<Tap<W>>& columns) {
  const Shape &in = call.input(0).shape(), &out = call.output().shape();
  const T* from = call.input(0).as<T>().data();
  T* to = call.output().template as_mutable<T>().data();
  const auto pixel = [&](std::int64_t n, std::int64_t y, std::int64_t x) {
    return from + ((n * in[1] + y) * in[2] + x) * in[3];
  };
  for (std::int64_t n = 0; n < out[0]; ++n)
    for (const Tap<W>& row : rows)
      for (const Tap<W>& column : columns) {
        const T* corner[4] = {pixel(n, row.low, column.low), pixel(n, row.low, column.high),
                              pixel(n, row.high, column.low), pixel(n, row.high, column.high)};
        for (std::int64_t c = 0; c < out[3]; ++c) *to++ = blend(corner, c, row.weight, column.weight);
      }
}

}  // namespace

Result<void> run_resize(const KernelCall& call) {
  const auto& a = call.node.attr<ResizeAttributes>();
  const Tensor& in = call.input(0);
  const Shape &from = in.shape(), &to = call.output().shape();
  if (a.method == graph::ResizeMethod::Bilinear) {
    if (in.type() == DType::F32)
      bilinear<float>(call, float_taps(from[1], to[1], a), float_taps(from[2], to[2], a));
    else
      bilinear<std::int8_t>(call, code_taps(from[1], to[1], a), code_taps(from[2], to[2], a));
    return {};
  }
  const std::size_t bytes = static_cast<std::size_t>(from[3]) * size_of(in.type());
  if (bytes == 0) return {};
  std::byte* out = call.output().mutable_data();
  const auto rows = nearest(from[1], to[1], a), columns = nearest(from[2], to[2], a);
  for (std::int64_t n = 0; n < to[0]; ++n)
    for (std::int64_t y : rows)
      for (std::int64_t x : columns) {
        std::memcpy(out, in.data() + static_cast<std::size_t>((n * from[1] + y) * from[2] + x) * bytes,
                    bytes);
        out += bytes;
      }
  return {};
}

}  // namespace npubin::exec::tflite
