// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D. tflite spec 6.
#include <cmath>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::PoolAlgorithm;
using graph::PoolAttributes;

// Calls f(first, last) with the part of every window that lies inside the picture; last is exclusive.
template <class T, class Window>
void pool(const KernelCall& call, Window window) {
  const auto& a = call.node.attr<PoolAttributes>();
  const Shape &in = call.input(0).shape(), &out = call.output().shape();
  const auto from = call.input(0).as<T>();
  auto to = call.output().template as_mutable<T>();
  std::size_t place = 0;
  for (std::int64_t n = 0; n < out[0]; ++n)
    for (std::int64_t y = 0; y < out[1]; ++y)
      for (std::int64_t x = 0; x < out[2]; ++x) {
        const std::int64_t top = y * a.stride_y - a.padding.top, left = x * a.stride_x - a.padding.left;
        const std::int64_t y0 = std::max<std::int64_t>(top, 0),
                           y1 = std::min<std::int64_t>(top + a.size_y, in[1]);
        const std::int64_t x0 = std::max<std::int64_t>(left, 0),
                           x1 = std::min<std::int64_t>(left + a.size_x, in[2]);
        for (std::int64_t c = 0; c < out[3]; ++c) {
          auto state = window.start();
          for (std::int64_t iy = y0; iy < y1; ++iy)
            for (std::int64_t ix = x0; ix < x1; ++ix)
              window.add(state, from[static_cast<std::size_t>(((n * in[1] + iy) * in[2] + ix) * in[3] + c)]);
          to[place++] = window.finish(state, std::max<std::int64_t>((y1 - y0) * (x1 - x0), 0));
        }
      }
}

template <class T>
struct CodeMean {
  Range<T> range;
  std::int64_t start() const { return 0; }
  void add(std::int64_t& sum, T q) const { sum += q; }
  T finish(std::int64_t sum, std::int64_t count) const {
    if (count == 0) return range.clamp(0);
    return range.clamp(sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count);
  }
};
struct FloatMean {
  FloatRange range;
  float start() const { return 0; }
  void add(float& sum, float x) const { sum += x; }
  float finish(float sum, std::int64_t count) const {
    return range.clamp(count == 0 ? 0 : sum / static_cast<float>(count));
  }
};
struct FloatNorm {
  FloatRange range;
  float start() const { return 0; }
  void add(float& sum, float x) const { sum += x * x; }
  float finish(float sum, std::int64_t count) const {
    return range.clamp(count == 0 ? 0 : std::sqrt(sum / static_cast<float>(count)));
  }
};
template <class T, class R>
struct Largest {
  R range;
  T start() const { return std::numeric_limits<T>::lowest(); }
  void add(T& largest, T x) const { largest = std::max(largest, x); }
  T finish(T largest, std::int64_t) const { return range.clamp(largest); }
};

template <class T>
void pool_codes(const KernelCall& call) {
  const auto& a = call.node.attr<PoolAttributes>();
  const auto range = activation_range<T>(a.activation, call.output().quantization());
  if (a.algorithm == PoolAlgorithm::Average)
    pool<T>(call, CodeMean<T>{range});
  else
    pool<T>(call, Largest<T, Range<T>>{range});
}

}  // namespace

Result<void> run_pool(const KernelCall& call) {
  const auto& a = call.node.attr<PoolAttributes>();
  switch (call.input(0).type()) {
    case DType::F32: {
      const FloatRange range = float_range(a.activation);
      if (a.algorithm == PoolAlgorithm::Average)
        pool<float>(call, FloatMean{range});
      else if (a.algorithm == PoolAlgorithm::L2)
        pool<float>(call, FloatNorm{range});
      else
        pool<float>(call, Largest<float, FloatRange>{range});
      break;
    }
    case DType::I8:
      pool_codes<std::int8_t>(call);
      break;
    case DType::U8:
      pool_codes<std::uint8_t>(call);
      break;
    default:
      pool_codes<std::int16_t>(call);
  }
  return {};
}

}  // namespace npubin::exec::tflite
