// 8-bit convolutions and fully connected layers in integers: by TensorFlow Lite's rules to the byte, by Arm
// NN's within one step (its reference sums in float32).
#include <algorithm>

#include "exec/fast/integer_layer.h"
#include "exec/fast/integer_rows.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::Op;

constexpr std::size_t kChunk = 96;  // most pixels of a pointwise layer that are made unsigned together
constexpr std::size_t kLeast = 6;   // fewer leave the vector kernel's registers empty

// weights as [output][segments][depth_in], each segment padded with zeros to `depth`.
IntegerProduct pack_product(const IntegerLayer& layer, const std::int8_t* weights, std::size_t outputs,
                            std::size_t segments, std::size_t depth_in) {
  IntegerProduct p;
  p.segments = segments;
  p.depth = rounded_up(depth_in, 4);
  p.outputs = outputs;
  const std::size_t padded = rounded_up(outputs, kPanel);
  p.weights.resize(padded * segments * p.depth, 0);
  p.start.resize(padded, 0);
  std::vector<std::size_t> channels(padded);
  for (std::size_t o = 0; o < padded; ++o) channels[o] = o;
  for (std::size_t o = 0; o < outputs; ++o) {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < segments; ++s)
      for (std::size_t k = 0; k < depth_in; ++k) {
        const std::int8_t w = weights[(o * segments + s) * depth_in + k];
        sum += w;
        const std::size_t quad = s * (p.depth / 4) + k / 4;
        p.weights[(o / kPanel * segments * (p.depth / 4) + quad) * 4 * kPanel + o % kPanel * 4 + k % 4] = w;
      }
    p.start[o] = layer.start(o, sum);
  }
  p.requantization = requantization_of(layer, channels);
  return p;
}

// One pixel in, one pixel out.
class PointwiseStep : public Step {
 public:
  PointwiseStep(const graph::Node& node, IntegerProduct product, std::size_t pixels, std::size_t depth,
                int threads)
      : node_(node),
        threads_(threads),
        product_(std::move(product)),
        pixels_(pixels),
        depth_(depth),
        chunk_(std::clamp(rounded_up(pixels / static_cast<std::size_t>(threads), kLeast), kLeast, kChunk)),
        kernels_(integer_kernels()) {}

  std::string kernel() const override { return std::string("own int8 product, ") + kernels_.instructions; }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    const std::int8_t* in = frame.in<std::int8_t>(node_.inputs[0]);
    std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]);
    parallel_ranges(
        threads_, (pixels_ + chunk_ - 1) / chunk_,
        [&](std::size_t first, std::size_t last, std::size_t thread) {
          const auto source = reinterpret_cast<std::uint8_t*>(frame.scratch + thread * scratch_per_thread());
          for (std::size_t p = first * chunk_; p < std::min(last * chunk_, pixels_); p += chunk_) {
            const std::size_t here = std::min(chunk_, pixels_ - p);
            kernels_.flip(in + p * depth_, 0, source, 0, here * depth_, 1);
            kernels_.product(product_, &source, depth_, here, out + p * product_.outputs);
          }
        });
    return {};
  }

 private:
  std::size_t scratch_per_thread() const {
    return rounded_up(std::min(chunk_, pixels_) * depth_ + kSlack, 64);
  }

  const graph::Node& node_;
  int threads_;
  IntegerProduct product_;
  std::size_t pixels_, depth_, chunk_;
  const IntegerKernels& kernels_;
};

// Threads take whole output rows.
class ConvolutionStep : public Step {
 public:
  ConvolutionStep(const graph::Node& node, const IntegerWindow& window, IntegerProduct product,
                  std::size_t batches, std::int8_t input_zero, int threads)
      : node_(node),
        threads_(threads),
        window_(window),
        layout_(window, false, input_zero),
        product_(std::move(product)),
        batches_(batches),
        kernels_(integer_kernels()) {}

  std::string kernel() const override {
    return std::string("own int8 convolution, ") + kernels_.instructions;
  }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    for (std::size_t n = 0; n < batches_; ++n) {
      const std::int8_t* in =
          frame.in<std::int8_t>(node_.inputs[0]) + n * window_.in_h * window_.in_w * window_.channels;
      std::int8_t* out =
          frame.out<std::int8_t>(node_.outputs[0]) + n * window_.out_h * window_.out_w * product_.outputs;
      parallel_ranges(threads_, window_.out_h, [&](std::size_t first, std::size_t last, std::size_t thread) {
        std::byte* scratch = frame.scratch + thread * scratch_per_thread();
        RowRing ring(layout_, kernels_, in, scratch + pointer_bytes());
        const auto segments = reinterpret_cast<const std::uint8_t**>(scratch);
        for (std::size_t y = first; y < last; ++y) {
          point(ring, y, segments);
          kernels_.product(product_, segments, layout_.pixel_step(), window_.out_w,
                           out + y * window_.out_w * product_.outputs);
        }
      });
    }
    return {};
  }

 private:
  std::size_t pointer_bytes() const { return rounded_up(product_.segments * sizeof(void*), 64); }
  std::size_t scratch_per_thread() const { return pointer_bytes() + layout_.ring_bytes(); }

  // Neighbouring taps of a row are one segment, unless dilation leaves holes between them.
  void point(RowRing& ring, std::size_t y, const std::uint8_t** segments) const {
    const std::size_t per_row = product_.segments / window_.kernel_y;
    for (std::size_t ky = 0; ky < window_.kernel_y; ++ky) {
      const std::uint8_t* row =
          ring.row(y * window_.a.stride_y + ky * window_.a.dilation_y - window_.a.padding.top);
      for (std::size_t k = 0; k < per_row; ++k) *segments++ = row + layout_.tap_offset(k);
    }
  }

  const graph::Node& node_;
  int threads_;
  IntegerWindow window_;
  RowLayout layout_;
  IntegerProduct product_;
  std::size_t batches_;
  const IntegerKernels& kernels_;
};

// weights: [output][kernel_y][kernel_x][channel].
std::unique_ptr<Step> convolution_step(const Draft& draft, const graph::Node& node,
                                       const IntegerWindow& window, const IntegerLayer& layer,
                                       const std::int8_t* weights, std::size_t outputs) {
  const std::size_t batches = to_size(draft.value(node.inputs[0]).shape[0]);
  if (window.pointwise())
    return std::make_unique<PointwiseStep>(node, pack_product(layer, weights, outputs, 1, window.channels),
                                           batches * window.out_h * window.out_w, window.channels,
                                           draft.threads);
  const bool joined = window.a.dilation_x == 1;
  IntegerProduct product = pack_product(layer, weights, outputs, joined ? window.kernel_y : window.taps(),
                                        joined ? window.kernel_x * window.channels : window.channels);
  return std::make_unique<ConvolutionStep>(node, window, std::move(product), batches,
                                           static_cast<std::int8_t>(layer.input_zero), draft.threads);
}

std::unique_ptr<Step> make_convolution(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  if (a.layout != graph::DataLayout::Nhwc || weights.dim(3) != in[3]) return nullptr;  // groups
  const std::size_t outputs = to_size(out[3]);
  const IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), a);
  return convolution_step(draft, node, window, integer_layer(draft, node, a.activation, outputs),
                          weights.as<std::int8_t>().data(), outputs);
}

// Depthwise over one input channel is a convolution: weights [1,kh,kw,outputs] become [outputs,kh,kw,1].
std::unique_ptr<Step> make_single_channel(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const std::size_t outputs = to_size(out[3]);
  if (a.layout != graph::DataLayout::Nhwc || a.depthwise_weights == graph::DepthwiseWeights::Mihw ||
      in[3] != 1 || to_size(weights.dim(3)) != outputs)
    return nullptr;
  const IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), a);
  const auto codes = weights.as<std::int8_t>();
  std::vector<std::int8_t> turned(codes.size());
  for (std::size_t t = 0; t < window.taps(); ++t)
    for (std::size_t o = 0; o < outputs; ++o) turned[o * window.taps() + t] = codes[t * outputs + o];
  return convolution_step(draft, node, window, integer_layer(draft, node, a.activation, outputs),
                          turned.data(), outputs);
}

std::unique_ptr<Step> make_fully_connected(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<graph::FullyConnectedAttributes>();
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  if (!a.weights_transposed || weights.rank() != 2 || weights.dim(0) == 0) return nullptr;
  const std::size_t outputs = to_size(weights.dim(0)), depth = to_size(weights.dim(1));
  const std::size_t rows = to_size(count_of(draft.value(node.outputs[0]).shape)) / outputs;
  const IntegerLayer layer = integer_layer(draft, node, a.activation, outputs);
  return std::make_unique<PointwiseStep>(
      node, pack_product(layer, weights.as<std::int8_t>().data(), outputs, 1, depth), rows, depth,
      draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer_product(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  switch (node.op) {
    case Op::Conv2d:
      return integer_operands(draft, entry) ? make_convolution(draft, node) : nullptr;
    case Op::DepthwiseConv2d:
      return integer_operands(draft, entry) ? make_single_channel(draft, node) : nullptr;
    case Op::FullyConnected:
      return integer_operands(draft, entry) ? make_fully_connected(draft, node) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
