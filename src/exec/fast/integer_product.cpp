// 8-bit convolutions and fully connected layers in integers, to the byte by TensorFlow Lite's rules; by Arm
// NN's too, where its reference's float32 sums decide, those are made (reference_sums.h).
#include <algorithm>

#include "exec/fast/integer_layer.h"
#include "exec/fast/integer_rows.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::Op;

constexpr std::size_t kPixelChunk = 96;  // most pixels of a pointwise layer that are made unsigned together
constexpr std::size_t kLeast = 6;        // fewer leave the vector kernel's registers empty

// weights as [output][segments][depth_in], each segment padded with zeros to `depth`; the second part's
// segments follow those of the first.
IntegerProduct pack_product(IntegerLayer& layer, const SplitWeights& weights, std::size_t outputs,
                            std::size_t segments, std::size_t depth_in) {
  IntegerProduct p;
  p.segments = weights.parts() * segments;
  p.depth = rounded_up(depth_in, 4);
  p.outputs = outputs;
  const std::size_t padded = rounded_up(outputs, kPanel);
  p.weights.resize(padded * p.segments * p.depth, 0);
  p.start.resize(padded, 0);
  std::vector<std::size_t> channels(padded);
  for (std::size_t o = 0; o < padded; ++o) channels[o] = o;
  std::vector<ChannelWeights> known(outputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    const auto pack = [&](const std::int8_t* part, std::size_t first) {
      for (std::size_t s = 0; s < segments; ++s)
        for (std::size_t k = 0; k < depth_in; ++k) {
          const std::size_t quad = (first + s) * (p.depth / 4) + k / 4;
          p.weights[(o / kPanel * p.segments * (p.depth / 4) + quad) * 4 * kPanel + o % kPanel * 4 + k % 4] =
              part[(o * segments + s) * depth_in + k];
        }
    };
    pack(weights.first.get(), 0);
    if (weights.rest) pack(weights.rest.get(), segments);
    for (std::size_t i = o * segments * depth_in; i < (o + 1) * segments * depth_in; ++i)
      known[o].add(weights[i]);
    p.start[o] = layer.start(o, known[o].sum);
  }
  if (!layer.scales.empty()) layer.find_doubts(known, segments * depth_in);
  p.requantization = requantization_of(layer, channels);
  return p;
}

// A product with what settles its doubts.
class SettledProduct {
 public:
  // segments: of the source. call.segments names them once for every part of the weights.
  SettledProduct(IntegerLayer layer, const ReferenceProduct& reference, std::size_t segments)
      : reference_(reference),
        segments_(segments),
        product_(pack_product(layer, {reference.weights, reference.rest}, reference.outputs, segments,
                              reference.taps / segments * reference.channels)),
        numbers_(std::make_unique<ReferenceNumbers>(std::move(layer.numbers))),
        kernels_(integer_kernels()) {
    reference_.numbers = numbers_.get();
    doubts_ = !product_.requantization.doubt.empty();
  }

  const IntegerProduct& product() const { return product_; }
  std::size_t segments() const { return segments_; }
  const IntegerKernels& kernels() const { return kernels_; }
  std::size_t panels() const { return (product_.outputs + kPanel - 1) / kPanel; }
  // Per thread.
  std::size_t scratch_bytes() const { return doubts_ ? whole_lines(reference_.scratch_bytes()) : 0; }

  void run(ProductCall call, std::byte* scratch) const {
    if (!doubts_) return kernels_.product(product_, call);
    struct Context {
      const SettledProduct& self;
      const ProductCall& call;
      float* scratch;
    } context{*this, call, reinterpret_cast<float*>(scratch)};
    Doubts doubts;
    doubts.context = &context;
    doubts.settle = [](void* data, const std::uint32_t* outputs, std::size_t count) {
      const Context& c = *static_cast<const Context*>(data);
      c.self.reference_.settle(c.call, c.self.segments_, outputs, count, c.scratch);
    };
    call.doubts = &doubts;
    kernels_.product(product_, call);
    doubts.flush();
  }

 private:
  ReferenceProduct reference_;
  std::size_t segments_;
  IntegerProduct product_;
  std::unique_ptr<ReferenceNumbers> numbers_;  // steps are moved about
  const IntegerKernels& kernels_;
  bool doubts_ = false;
};

// One pixel in, one pixel out. Threads take pixels, or where there are few of them, outputs.
class PointwiseStep : public Step {
 public:
  PointwiseStep(const graph::Node& node, SettledProduct product, std::size_t pixels, std::size_t depth,
                int threads)
      : node_(node),
        threads_(threads),
        product_(std::move(product)),
        pixels_(pixels),
        depth_(depth),
        chunk_(std::clamp(rounded_up(pixels / static_cast<std::size_t>(threads), kLeast), kLeast,
                          kPixelChunk)) {}

  std::string kernel() const override {
    return std::string("own int8 product, ") + product_.kernels().instructions;
  }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    const std::size_t chunks = (pixels_ + chunk_ - 1) / chunk_, panels = product_.panels();
    if (chunks < static_cast<std::size_t>(threads_)) {
      const std::size_t groups = (panels + kPanelsTogether - 1) / kPanelsTogether;
      parallel_ranges(threads_, groups, [&](std::size_t first, std::size_t last, std::size_t thread) {
        pixels(frame, {0, chunks}, {first * kPanelsTogether, std::min(last * kPanelsTogether, panels)},
               thread);
      });
    } else {
      parallel_ranges(threads_, chunks, [&](std::size_t first, std::size_t last, std::size_t thread) {
        pixels(frame, {first, last}, {0, panels}, thread);
      });
    }
    return {};
  }

 private:
  struct Part {
    std::size_t first, last;
  };

  void pixels(const Frame& frame, Part chunks, Part panels, std::size_t thread) const {
    const std::int8_t* in = frame.in<std::int8_t>(node_.inputs[0]);
    std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]);
    std::byte* const scratch = frame.scratch + thread * scratch_per_thread();
    auto* const source = reinterpret_cast<std::uint8_t*>(scratch + product_.scratch_bytes());
    for (std::size_t p = chunks.first * chunk_; p < std::min(chunks.last * chunk_, pixels_); p += chunk_) {
      const std::size_t here = std::min(chunk_, pixels_ - p);
      product_.kernels().flip(in + p * depth_, 0, source, 0, here * depth_, 1);
      const std::uint8_t* const segments[] = {source, source};
      product_.run({segments, depth_, here, panels.first, panels.last, out + p * product_.product().outputs},
                   scratch);
    }
  }

  std::size_t scratch_per_thread() const {
    return product_.scratch_bytes() + rounded_up(std::min(chunk_, pixels_) * depth_ + kSlack, 64);
  }

  const graph::Node& node_;
  int threads_;
  SettledProduct product_;
  std::size_t pixels_, depth_, chunk_;
};

// Threads take whole output rows.
class ConvolutionStep : public Step {
 public:
  ConvolutionStep(const graph::Node& node, const IntegerWindow& window, SettledProduct product,
                  std::size_t batches, std::int8_t input_zero, int threads)
      : node_(node),
        threads_(threads),
        window_(window),
        layout_(window, false, input_zero),
        product_(std::move(product)),
        batches_(batches) {}

  std::string kernel() const override {
    return std::string("own int8 convolution, ") + product_.kernels().instructions;
  }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    const std::size_t out_row = window_.out_w * product_.product().outputs;
    for (std::size_t n = 0; n < batches_; ++n) {
      const std::int8_t* in =
          frame.in<std::int8_t>(node_.inputs[0]) + n * window_.in_h * window_.in_w * window_.channels;
      std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]) + n * window_.out_h * out_row;
      parallel_ranges(threads_, window_.out_h, [&](std::size_t first, std::size_t last, std::size_t thread) {
        std::byte* scratch = frame.scratch + thread * scratch_per_thread();
        std::byte* ring_memory = scratch + product_.scratch_bytes() + pointer_bytes();
        RowRing ring(layout_, product_.kernels(), in, ring_memory);
        const auto segments = reinterpret_cast<const std::uint8_t**>(scratch + product_.scratch_bytes());
        for (std::size_t y = first; y < last; ++y) {
          point(ring, y, segments);
          product_.run(
              {segments, layout_.pixel_step(), window_.out_w, 0, product_.panels(), out + y * out_row},
              scratch);
        }
      });
    }
    return {};
  }

 private:
  std::size_t pointer_bytes() const { return rounded_up(product_.product().segments * sizeof(void*), 64); }
  std::size_t scratch_per_thread() const {
    return product_.scratch_bytes() + pointer_bytes() + layout_.ring_bytes();
  }

  // Neighbouring taps of a row are one segment, unless dilation leaves holes between them.
  void point(RowRing& ring, std::size_t y, const std::uint8_t** segments) const {
    const std::uint8_t** const all = segments;
    const std::size_t per_row = product_.segments() / window_.kernel_y;
    for (std::size_t ky = 0; ky < window_.kernel_y; ++ky) {
      const std::uint8_t* row =
          ring.row(y * window_.a.stride_y + ky * window_.a.dilation_y - window_.a.padding.top);
      for (std::size_t k = 0; k < per_row; ++k) *segments++ = row + layout_.tap_offset(k);
    }
    if (product_.product().segments > product_.segments()) std::copy_n(all, product_.segments(), segments);
  }

  const graph::Node& node_;
  int threads_;
  IntegerWindow window_;
  RowLayout layout_;
  SettledProduct product_;
  std::size_t batches_;
};

// weights: [output][kernel_y][kernel_x][channel].
std::unique_ptr<Step> convolution_step(const Draft& draft, const graph::Node& node,
                                       const IntegerWindow& window, IntegerLayer layer,
                                       const SplitWeights& weights, bool pixels_first) {
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const std::size_t batches = to_size(in[0]), outputs = to_size(out[3]);
  const auto input_zero = static_cast<std::int8_t>(layer.input_zero);
  // Neighbouring taps of a row are one segment, unless dilation leaves holes between them.
  const bool joined = window.a.dilation_x == 1;
  SettledProduct product(
      std::move(layer),
      {nullptr, weights.first, weights.rest, outputs, window.taps(), window.channels, pixels_first},
      joined ? window.kernel_y : window.taps());
  if (window.pointwise())
    return std::make_unique<PointwiseStep>(node, std::move(product), batches * window.out_h * window.out_w,
                                           window.channels, draft.threads);
  return std::make_unique<ConvolutionStep>(node, window, std::move(product), batches, input_zero,
                                           draft.threads);
}

SplitWeights weights_of(const Draft& draft, const graph::Node& node) {
  const graph::Value& value = draft.value(node.inputs[1]);
  return split_weights(*value.constant, value.quantization.zero_point());
}

std::unique_ptr<Step> make_convolution(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const std::size_t outputs = to_size(out[3]);
  const IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), a);
  return convolution_step(draft, node, window, integer_layer(draft, entry, outputs), weights_of(draft, node),
                          entry.pixels_first);
}

// Depthwise over one input channel is a convolution: weights [1,kh,kw,outputs] become [outputs,kh,kw,1]; Arm
// NN's [outputs,1,kh,kw] lie so.
std::unique_ptr<Step> make_single_channel(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!single_channel(draft, node)) return nullptr;
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const std::size_t outputs = to_size(out[3]);
  const bool taps_last = a.depthwise_weights == graph::DepthwiseWeights::Mihw;
  const IntegerWindow window =
      window_of(in, out, weights.dim(taps_last ? 2 : 1), weights.dim(taps_last ? 3 : 2), a);
  IntegerLayer layer = integer_layer(draft, entry, outputs);
  const SplitWeights given = weights_of(draft, node);
  if (taps_last) return convolution_step(draft, node, window, std::move(layer), given, true);
  std::vector<std::size_t> order(window.taps() * outputs);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i % window.taps() * outputs + i / window.taps();
  return convolution_step(draft, node, window, std::move(layer), reordered(given, order), true);
}

std::unique_ptr<Step> make_fully_connected(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const std::size_t outputs = to_size(weights.dim(0)), depth = to_size(weights.dim(1));
  const std::size_t rows = to_size(count_of(draft.value(node.outputs[0]).shape)) / outputs;
  const SplitWeights split = weights_of(draft, node);
  SettledProduct product(integer_layer(draft, entry, outputs),
                         {nullptr, split.first, split.rest, outputs, 1, depth, false}, 1);
  return std::make_unique<PointwiseStep>(node, std::move(product), rows, depth, draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer_product(const Draft& draft, const DraftNode& entry) {
  if (!takes_integers(draft, entry)) return nullptr;
  switch (entry.node.op) {
    case Op::Conv2d:
      return make_convolution(draft, entry);
    case Op::DepthwiseConv2d:
      return make_single_channel(draft, entry);
    default:
      return make_fully_connected(draft, entry);
  }
}

}  // namespace npubin::exec::fast
