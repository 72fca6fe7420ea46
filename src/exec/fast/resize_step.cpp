// Bilinear resizing of float32, channels last or in planes, and of int8 by TensorFlow Lite's rules: rows are
// stretched once, then blended with their neighbours.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "exec/fast/kernels_resize.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ResizeAttributes;

// Channels last; planes are as many images of one channel.
struct PlanesSize {
  std::size_t images, h, w, c;
};

PlanesSize size_of_planes(const Shape& s, graph::DataLayout layout) {
  const auto d = [&](std::size_t i) { return to_size(s[i]); };
  if (layout == graph::DataLayout::Nchw) return {d(0) * d(1), d(2), d(3), 1};
  return {d(0), d(1), d(2), d(3)};
}

template <class Weight>
using Taps = std::vector<ColumnTap<Weight>>;

// Where an output index falls between two input indices (armnn spec 3, ResizeBilinear; TensorFlow Lite
// agrees).
std::optional<Taps<float>> taps_of(std::size_t in, std::size_t out, const ResizeAttributes& a, float) {
  if (a.align_corners && a.half_pixel_centers) return std::nullopt;
  const float scale = a.align_corners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                                 : static_cast<float>(in) / static_cast<float>(out);
  Taps<float> taps(out);
  for (std::size_t o = 0; o < out; ++o) {
    const auto index = static_cast<float>(o);
    const float source = a.half_pixel_centers ? (index + 0.5f) * scale - 0.5f : index * scale;
    const float floor = std::floor(source);
    taps[o].low = std::min(floor > 0 ? static_cast<std::size_t>(floor) : 0, in - 1);
    taps[o].high = std::min(floor < 0 ? 0 : taps[o].low + 1, in - 1);
    taps[o].weight = source - floor;
  }
  return taps;
}

// Ten fraction bits (tflite spec 6); nullopt where sums might leave 32 bits.
std::optional<Taps<std::int32_t>> taps_of(std::size_t in_size, std::size_t out_size,
                                          const ResizeAttributes& a, std::int32_t) {
  const auto in = static_cast<std::int64_t>(in_size), out = static_cast<std::int64_t>(out_size);
  std::int64_t scale = (1024 * in + out / 2) / out;
  if (a.align_corners && out > 1) scale = (1024 * (in - 1) + (out - 1) / 2) / (out - 1);
  Taps<std::int32_t> taps;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t v = i * scale + (a.half_pixel_centers ? scale / 2 - 512 : 0);
    const std::int64_t low = std::min(std::max<std::int64_t>(v / 1024, 0), in - 1);
    const std::int64_t high = std::max<std::int64_t>(std::min((v + 1023) / 1024, in - 1), 0);
    const std::int64_t weight = v - 1024 * low;
    if (weight < -1024 || weight > 2048) return std::nullopt;
    taps.push_back({to_size(low), to_size(high), static_cast<std::int32_t>(weight)});
  }
  return taps;
}

// T: of the image; Sum: of stretched rows, and of weights.
template <class T, class Sum>
class ResizeStep : public Step {
 public:
  ResizeStep(const graph::Node& node, PlanesSize in, PlanesSize out, Taps<Sum> rows, Taps<Sum> columns,
             int threads)
      : node_(node), in_(in), out_(out), rows_(std::move(rows)), columns_(std::move(columns)) {
    constexpr std::size_t kWorthThreads = 65536;  // elements
    threads_ = out.images * out.h * out.w * out.c < kWorthThreads ? 1 : threads;
    for (ColumnTap<Sum>& tap : columns_) {
      tap.low *= in.c;
      tap.high *= in.c;
    }
  }
  std::string kernel() const override { return "own resize"; }
  std::size_t scratch_bytes() const override { return 2 * row_bytes() * static_cast<std::size_t>(threads_); }

  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    T* out = frame.out<T>(node_.outputs[0]);
    parallel_ranges(threads_, out_.images * out_.h,
                    [&](std::size_t first, std::size_t last, std::size_t thread) {
                      rows(in, first, last, frame.scratch + 2 * row_bytes() * thread, out);
                    });
    return {};
  }

 private:
  std::size_t row_bytes() const { return whole_lines(out_.w * out_.c * sizeof(Sum)); }

  // Rows first..last of all images, one after the other.
  void rows(const T* in, std::size_t first, std::size_t last, std::byte* scratch, T* out) const {
    const std::size_t length = out_.w * out_.c;
    constexpr std::size_t kNone = ~std::size_t{0};
    std::array<std::size_t, 2> held{kNone, kNone};
    const auto slot = [&](std::size_t k) { return reinterpret_cast<Sum*>(scratch + k * row_bytes()); };
    // The slot that holds a stretched row; the one of row `keep` stays.
    const auto stretched = [&](std::size_t row, std::size_t keep) {
      for (std::size_t k = 0; k < 2; ++k)
        if (held[k] == row) return k;
      const std::size_t k = held[0] == keep ? 1 : 0;
      held[k] = row;
      blend_columns(in + row * in_.w * in_.c, columns_.data(), out_.w, in_.c, slot(k));
      return k;
    };
    for (std::size_t r = first; r < last; ++r) {
      const ColumnTap<Sum>& tap = rows_[r % out_.h];
      const std::size_t image = r / out_.h * in_.h;
      const std::size_t low = stretched(image + tap.low, image + tap.high);
      const std::size_t high = stretched(image + tap.high, image + tap.low);
      blend_rows(slot(low), slot(high), tap.weight, out + r * length, length);
    }
  }

  const graph::Node& node_;
  PlanesSize in_, out_;
  Taps<Sum> rows_, columns_;
  int threads_;
};

template <class T, class Sum>
std::unique_ptr<Step> resize_step(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<ResizeAttributes>();
  const PlanesSize in = size_of_planes(draft.value(node.inputs[0]).shape, a.layout);
  const PlanesSize out = size_of_planes(draft.value(node.outputs[0]).shape, a.layout);
  if (in.h == 0 || in.w == 0 || out.h == 0 || out.w == 0) return nullptr;
  auto rows = taps_of(in.h, out.h, a, Sum{}), columns = taps_of(in.w, out.w, a, Sum{});
  if (!rows || !columns) return nullptr;
  return std::make_unique<ResizeStep<T, Sum>>(node, in, out, *std::move(rows), *std::move(columns),
                                              draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_resize(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::Resize || !entry.post.empty() ||
      node.attr<ResizeAttributes>().method != graph::ResizeMethod::Bilinear)
    return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  if (in.type != out.type || in.shape.size() != 4 || out.shape.size() != 4) return nullptr;
  if (in.type == DType::F32) return resize_step<float, float>(draft, node);
  const bool codes = in.type == DType::I8 && node.rules == graph::Rules::Tflite &&
                     node.attr<ResizeAttributes>().layout == graph::DataLayout::Nhwc;
  return codes ? resize_step<std::int8_t, std::int32_t>(draft, node) : nullptr;
}

}  // namespace npubin::exec::fast
