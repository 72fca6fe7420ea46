// Pooling of float32 images.
#include <algorithm>

#include "exec/fast/kernels_f32.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::PoolAttributes;

struct ImageSize {
  std::size_t n, h, w, c;
};

ImageSize size_of_image(const Shape& s) {
  const auto d = [&](std::size_t i) { return static_cast<std::size_t>(s[i]); };
  return {d(0), d(1), d(2), d(3)};
}

bool f32_image(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.inputs.empty() || node.outputs.size() != 1) return false;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  return in.type == DType::F32 && out.type == DType::F32 && in.shape.size() == 4 && out.shape.size() == 4;
}

class PoolStep : public Step {
 public:
  PoolStep(const graph::Node& node, const PoolAttributes& a, ImageSize in, ImageSize out, bool in_order)
      : node_(node), a_(a), in_(in), out_(out), in_order_(in_order && !maximum()) {}
  std::string kernel() const override { return "own pool"; }

  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    for (std::size_t n = 0; n < out_.n; ++n)
      for (std::size_t y = 0; y < out_.h; ++y)
        row(in + n * in_.h * in_.w * in_.c, y, out + (n * out_.h + y) * out_.w * out_.c, frame);
    if (a_.activation.function != graph::Activation::None)
      activate(a_.activation, out, out, out_.n * out_.h * out_.w * out_.c);
    return {};
  }
  // One row of the input, reduced over the window's rows.
  std::size_t scratch_bytes() const override { return in_.w * in_.c * sizeof(float); }

 private:
  bool maximum() const { return a_.algorithm == graph::PoolAlgorithm::Max; }

  void row(const float* in, std::size_t y, float* out, const Frame& frame) const {
    const std::size_t top = y * a_.stride_y, bottom = std::min(top + a_.size_y, in_.h + a_.padding.top);
    const std::size_t y0 = std::max<std::size_t>(top, a_.padding.top) - a_.padding.top;
    const std::size_t y1 = bottom - a_.padding.top;
    const float* rows = in + y0 * in_.w * in_.c;
    if (in_order_) return averages_in_order(rows, y1 - y0, out);
    if (y1 - y0 > 1) {
      float* const reduced = reinterpret_cast<float*>(frame.scratch);
      const std::size_t length = in_.w * in_.c;
      for (std::size_t v = 1; v < y1 - y0; ++v)
        binary(maximum() ? Binary::Max : Binary::Add, v == 1 ? rows : reduced, length, rows + v * length,
               length, reduced, length);
      rows = reduced;
    }
    for (std::size_t x = 0; x < out_.w; ++x, out += out_.c) {
      const auto [x0, count] = columns_at(x);
      if (in_.c == 1)
        *out = column(rows + x0, count, y1 - y0);
      else
        columns(rows + x0 * in_.c, count, y1 - y0, out);
    }
  }

  struct Columns {
    std::size_t first, count;
  };
  Columns columns_at(std::size_t x) const {
    const std::size_t left = x * a_.stride_x, right = std::min(left + a_.size_x, in_.w + a_.padding.left);
    const std::size_t first = std::max<std::size_t>(left, a_.padding.left) - a_.padding.left;
    return {first, right - a_.padding.left - first};
  }

  // Pixel by pixel, then divided: as the reference rounds.
  void averages_in_order(const float* rows, std::size_t count_y, float* out) const {
    for (std::size_t x = 0; x < out_.w; ++x, out += out_.c) {
      const auto [x0, count] = columns_at(x);
      const float* pixels = rows + x0 * in_.c;
      const auto divisor = static_cast<float>(area(count_y, count));
      if (in_.c == 1) {
        float sum = 0;
        for (std::size_t v = 0; v < count_y; ++v)
          for (std::size_t u = 0; u < count; ++u) sum += pixels[v * in_.w + u];
        *out = sum / divisor;
        continue;
      }
      sum_pixels(pixels, count, in_.c, out, in_.c);
      for (std::size_t v = 1; v < count_y; ++v)
        for (std::size_t u = 0; u < count; ++u) add(out, pixels + (v * in_.w + u) * in_.c, out, in_.c);
      binary(Binary::Div, out, in_.c, &divisor, 1, out, in_.c);
    }
  }

  // Planes have one channel: a call for each pixel would cost more than the pixel.
  float column(const float* pixels, std::size_t count, std::size_t rows) const {
    float result = pixels[0];
    for (std::size_t k = 1; k < count; ++k)
      result = maximum() ? std::max(result, pixels[k]) : result + pixels[k];
    return maximum() ? result : result / static_cast<float>(area(rows, count));
  }

  std::size_t area(std::size_t rows, std::size_t count) const {
    return a_.padding_counts ? std::size_t{a_.size_y} * a_.size_x : rows * count;
  }

  void columns(const float* pixels, std::size_t count, std::size_t rows, float* out) const {
    if (count == 2) {
      binary(maximum() ? Binary::Max : Binary::Add, pixels, in_.c, pixels + in_.c, in_.c, out, in_.c);
    } else if (maximum()) {
      max_pixels(pixels, count, in_.c, out, in_.c);
    } else {
      sum_pixels(pixels, count, in_.c, out, in_.c);
    }
    if (maximum()) return;
    scale(1.0f / static_cast<float>(area(rows, count)), out, in_.c);
  }

  const graph::Node& node_;
  PoolAttributes a_;
  ImageSize in_, out_;
  bool in_order_;
};

// Every window touches the image: no special case of either rule. Where padding counts, what lies beyond the
// trailing padding would not.
bool plain_windows(const PoolAttributes& a, const ImageSize& in, const ImageSize& out) {
  const bool cut = a.algorithm == graph::PoolAlgorithm::Max || !a.padding_counts;
  const auto fits = [cut](std::size_t size, std::size_t outputs, std::size_t stride, std::size_t window,
                          std::size_t before, std::size_t after) {
    return window > before && (outputs - 1) * stride < size + before &&
           (cut || (outputs - 1) * stride + window <= size + before + after);
  };
  return a.stride_x != 0 && a.stride_y != 0 &&
         fits(in.h, out.h, a.stride_y, a.size_y, a.padding.top, a.padding.bottom) &&
         fits(in.w, out.w, a.stride_x, a.size_x, a.padding.left, a.padding.right);
}

}  // namespace

std::unique_ptr<Step> make_pool(const Draft& draft, const DraftNode& entry) {
  if (entry.node.op != Op::Pool2d || !f32_image(draft, entry)) return nullptr;
  PoolAttributes a = entry.node.attr<PoolAttributes>();
  ImageSize in = size_of_image(draft.value(entry.node.inputs[0]).shape);
  ImageSize out = size_of_image(draft.value(entry.node.outputs[0]).shape);
  if (a.layout == graph::DataLayout::Nchw) {
    in = {in.n * in.h, in.w, in.c, 1};  // n c h w: as many planes, of one channel each
    out = {out.n * out.h, out.w, out.c, 1};
  }
  if (a.stride_x == 0 && a.stride_y == 0) a.stride_y = a.stride_x = 1;  // Arm NN: one window
  if (a.algorithm == graph::PoolAlgorithm::L2 || !plain_windows(a, in, out)) return nullptr;
  return std::make_unique<PoolStep>(entry.node, a, in, out, entry.in_order);
}

}  // namespace npubin::exec::fast
