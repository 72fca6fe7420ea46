// MAX_POOL_2D and AVERAGE_POOL_2D of codes by TensorFlow Lite's rules (tflite spec 6), and maxima by Arm
// NN's.
#include <algorithm>
#include <cstring>

#include "exec/fast/kernels_pool.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {
namespace {

using graph::PoolAttributes;

struct Length {
  std::size_t in, out, stride, window, before;

  // Inside the image: [first, last).
  std::size_t first(std::size_t o) const { return std::max(o * stride, before) - before; }
  std::size_t last(std::size_t o) const { return std::min(o * stride + window, in + before) - before; }
  // Every window touches the image.
  bool plain() const { return stride != 0 && window > before && (out - 1) * stride < in + before; }
};

template <class T>
class IntegerPoolStep : public Step {
 public:
  IntegerPoolStep(const graph::Node& node, Length y, Length x, std::size_t batches, std::size_t channels,
                  tflite::Range<T> range, int threads)
      : node_(node),
        maximum_(node.attr<PoolAttributes>().algorithm == graph::PoolAlgorithm::Max),
        y_(y),
        x_(x),
        batches_(batches),
        channels_(channels),
        range_(range) {
    constexpr std::size_t kWorthThreads = 32768;  // codes
    threads_ = batches * y.in * x.in * channels < kWorthThreads ? 1 : threads;
  }
  std::string kernel() const override { return sizeof(T) == 2 ? "own int16 pool" : "own int8 pool"; }
  std::size_t scratch_bytes() const override { return sums_bytes() * static_cast<std::size_t>(threads_); }

  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    T* out = frame.out<T>(node_.outputs[0]);
    parallel_ranges(
        threads_, batches_ * y_.out, [&](std::size_t first, std::size_t last, std::size_t thread) {
          auto* const sums = reinterpret_cast<std::int32_t*>(frame.scratch + thread * sums_bytes());
          for (std::size_t r = first; r < last; ++r) {
            const T* image = in + r / y_.out * y_.in * x_.in * channels_;
            T* row = out + r * x_.out * channels_;
            maximum_ ? maximum_row(image, r % y_.out, row) : average_row(image, r % y_.out, sums, row);
          }
        });
    return {};
  }

 private:
  std::size_t sums_bytes() const { return whole_lines(channels_ * sizeof(std::int32_t)); }

  // Windows that lie inside the row go to the kernel together, those over its edges one by one.
  void maximum_row(const T* in, std::size_t y, T* out) const {
    const std::size_t y0 = y_.first(y), y1 = y_.last(y);
    MaximumWindow window{channels_,  y1 - y0,    0, x_.in * channels_, x_.stride * channels_,
                         range_.low, range_.high};
    for (std::size_t x = 0; x < x_.out;) {
      const std::size_t x0 = x_.first(x), x1 = x_.last(x);
      window.columns = x1 - x0;
      std::size_t end = x + 1;
      while (end < x_.out && x_.first(end) == x0 + (end - x) * x_.stride &&
             x_.last(end) - x_.first(end) == x1 - x0)
        ++end;
      largest(window, in + (y0 * x_.in + x0) * channels_, end - x, out + x * channels_);
      x = end;
    }
  }

  void average_row(const T* in, std::size_t y, std::int32_t* sums, T* out) const {
    const std::size_t y0 = y_.first(y), y1 = y_.last(y);
    for (std::size_t x = 0; x < x_.out; ++x, out += channels_) {
      const std::size_t x0 = x_.first(x), x1 = x_.last(x);
      std::memset(sums, 0, channels_ * sizeof(std::int32_t));
      for (std::size_t v = y0; v < y1; ++v)
        for (std::size_t u = x0; u < x1; ++u) accumulate(in + (v * x_.in + u) * channels_, sums, channels_);
      average(sums, {static_cast<std::int32_t>((y1 - y0) * (x1 - x0)), range_.low, range_.high}, out,
              channels_);
    }
  }

  const graph::Node& node_;
  bool maximum_;
  Length y_, x_;
  std::size_t batches_, channels_;
  tflite::Range<T> range_;
  int threads_ = 1;
};

// What is decoded and encoded again is the code that it was.
bool keeps_codes(const graph::Value& in, const graph::Value& out) {
  const Quantization& q = in.quantization;
  return q == out.quantization && q.present() && !q.per_axis() && q.scale() > 1e-30f && q.scale() < 1e30f;
}

template <class T>
std::unique_ptr<Step> pool_step(const Draft& draft, const graph::Node& node) {
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  const auto& a = node.attr<PoolAttributes>();
  const Length y{to_size(in.shape[1]), to_size(out.shape[1]), a.stride_y, a.size_y, a.padding.top};
  const Length x{to_size(in.shape[2]), to_size(out.shape[2]), a.stride_x, a.size_x, a.padding.left};
  // Sums stay below 2^24.
  constexpr std::size_t kLargestArea = (std::size_t{1} << 24) / (std::size_t{1} << (8 * sizeof(T))) - 1;
  if (!y.plain() || !x.plain() ||
      (a.algorithm == graph::PoolAlgorithm::Average && y.window * x.window > kLargestArea))
    return nullptr;
  return std::make_unique<IntegerPoolStep<T>>(node, y, x, to_size(in.shape[0]), to_size(in.shape[3]),
                                              tflite::activation_range<T>(a.activation, out.quantization),
                                              draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer_pool(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::Pool2d || !entry.post.empty()) return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  const auto& a = node.attr<PoolAttributes>();
  if (in.type != out.type || in.shape.size() != 4 || out.shape.size() != 4 ||
      a.layout != graph::DataLayout::Nhwc || a.algorithm == graph::PoolAlgorithm::L2)
    return nullptr;
  // Arm NN's averages are of float32. Its maxima are of decoded codes, in the order of the codes themselves.
  if (node.rules == graph::Rules::ArmNn &&
      (a.algorithm != graph::PoolAlgorithm::Max || !keeps_codes(in, out)))
    return nullptr;
  switch (in.type) {
    case DType::I8:
      return pool_step<std::int8_t>(draft, node);
    case DType::U8:
      return pool_step<std::uint8_t>(draft, node);
    case DType::I16:
      return pool_step<std::int16_t>(draft, node);
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
