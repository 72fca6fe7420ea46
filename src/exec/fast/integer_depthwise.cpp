// 8-bit depthwise convolutions with one output per input channel. A row of output pixels is one run of bytes,
// whatever the number of channels: the vector kernel's lanes are all in use.
#include <algorithm>
#include <numeric>

#include "exec/fast/integer_layer.h"
#include "exec/fast/integer_rows.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::DepthwiseWeights;

// For kernels of 64 outputs. start: by channel.
void pack_blocks(IntegerDepthwise& d, const IntegerLayer& layer, const std::vector<std::int8_t>& weights,
                 const std::vector<std::int32_t>& start) {
  d.blocks = d.channels / std::gcd(d.channels, std::size_t{64});
  const std::size_t quads = (d.taps + 3) / 4;
  std::vector<std::size_t> channel_at(d.blocks * 64);
  d.quads.resize(channel_at.size() * quads * 4, 0);
  for (std::size_t i = 0; i < channel_at.size(); ++i) {
    const std::size_t c = (i / 64 * 64 + interleaved_place(i % 64 / 16, i % 16)) % d.channels;
    channel_at[i] = c;
    d.start_blocks.push_back(start[c]);
    for (std::size_t t = 0; t < d.taps; ++t)
      d.quads[(i / 64 * quads + t / 4) * 256 + i % 64 * 4 + t % 4] = weights[t * d.channels + c];
  }
  d.requantization_blocks = requantization_of(layer, channel_at);
}

// For kernels that go on with any channel.
void pack_places(IntegerDepthwise& d, const IntegerLayer& layer, const std::vector<std::int8_t>& weights,
                 const std::vector<std::int32_t>& start) {
  std::vector<std::size_t> channel_at(d.places());
  d.pairs.resize((d.taps + 1) / 2 * d.places() * 2, 0);
  for (std::size_t i = 0; i < d.places(); ++i) {
    const std::size_t c = channel_at[i] = i % d.channels;
    d.start.push_back(start[c]);
    for (std::size_t t = 0; t < d.taps; ++t)
      d.pairs[(t / 2 * d.places() + i) * 2 + t % 2] = weights[t * d.channels + c];
  }
  d.requantization = requantization_of(layer, channel_at);
}

// weights: [tap][channel]; the second part's taps follow those of the first. In the order that this machine's
// kernel reads.
IntegerDepthwise pack_depthwise(IntegerLayer& layer, const SplitWeights& weights, std::size_t taps,
                                std::size_t channels) {
  IntegerDepthwise d;
  d.taps = taps * weights.parts();
  d.channels = channels;
  std::vector<std::int32_t> start(channels);
  std::vector<ChannelWeights> known(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t t = 0; t < taps; ++t) known[c].add(weights[t * channels + c]);
    start[c] = layer.start(c, known[c].sum);
  }
  if (!layer.scales.empty()) layer.find_doubts(known, taps);
  std::vector<std::int8_t> all(weights.first.get(), weights.first.get() + taps * channels);
  if (weights.rest) all.insert(all.end(), weights.rest.get(), weights.rest.get() + taps * channels);
  (integer_kernels().depthwise_in_blocks ? pack_blocks : pack_places)(d, layer, all, start);
  return d;
}

// Threads take whole output rows.
class DepthwiseStep : public Step {
 public:
  // weights: [tap][channel].
  DepthwiseStep(const graph::Node& node, const IntegerWindow& window, IntegerLayer layer,
                const SplitWeights& weights, std::size_t batches, int threads)
      : node_(node),
        threads_(threads),
        window_(window),
        layout_(window, true, static_cast<std::int8_t>(layer.input_zero)),
        depthwise_(pack_depthwise(layer, weights, window.taps(), window.channels)),
        batches_(batches),
        kernels_(integer_kernels()) {
    if (layer.doubts.empty()) return;
    numbers_ = std::move(layer.numbers);
    for (std::size_t i = 0; i < window.taps() * window.channels; ++i)
      weights_.push_back(static_cast<std::int16_t>(weights[i]));
  }

  std::string kernel() const override { return std::string("own int8 depthwise, ") + kernels_.instructions; }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    const std::size_t row = window_.out_w * window_.channels;
    for (std::size_t n = 0; n < batches_; ++n) {
      const std::int8_t* in =
          frame.in<std::int8_t>(node_.inputs[0]) + n * window_.in_h * window_.in_w * window_.channels;
      std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]) + n * window_.out_h * row;
      parallel_ranges(threads_, window_.out_h, [&](std::size_t first, std::size_t last, std::size_t thread) {
        std::byte* scratch = frame.scratch + thread * scratch_per_thread();
        RowRing ring(layout_, kernels_, in, scratch + pointer_bytes());
        const auto taps = reinterpret_cast<const std::uint8_t**>(scratch);
        for (std::size_t y = first; y < last; ++y) {
          point(ring, y, taps);
          compute(taps, row, out + y * row);
        }
      });
    }
    return {};
  }

 private:
  std::size_t pointer_bytes() const { return rounded_up(depthwise_.taps * sizeof(void*), 64); }
  std::size_t scratch_per_thread() const { return pointer_bytes() + layout_.ring_bytes(); }

  void compute(const std::uint8_t* const* taps, std::size_t row, std::int8_t* out) const {
    if (weights_.empty()) return kernels_.depthwise(depthwise_, taps, row, out, nullptr);
    struct Context {
      const DepthwiseStep& self;
      const std::uint8_t* const* taps;
      std::int8_t* out;
    } context{*this, taps, out};
    Doubts doubts;
    doubts.context = &context;
    doubts.settle = [](void* data, const std::uint32_t* outputs, std::size_t count) {
      const Context& c = *static_cast<const Context*>(data);
      settle_depthwise(
          {c.self.numbers_, c.self.weights_.data(), c.self.window_.channels, c.self.window_.taps()}, c.taps,
          {outputs, count}, c.out);
    };
    kernels_.depthwise(depthwise_, taps, row, out, &doubts);
    doubts.flush();
  }

  void point(RowRing& ring, std::size_t y, const std::uint8_t** taps) const {
    const std::uint8_t** const all = taps;
    for (std::size_t ky = 0; ky < window_.kernel_y; ++ky) {
      const std::uint8_t* row =
          ring.row(y * window_.a.stride_y + ky * window_.a.dilation_y - window_.a.padding.top);
      for (std::size_t kx = 0; kx < window_.kernel_x; ++kx) *taps++ = row + layout_.tap_offset(kx);
    }
    if (depthwise_.taps > window_.taps()) std::copy_n(all, window_.taps(), taps);
  }

  const graph::Node& node_;
  int threads_;
  IntegerWindow window_;
  RowLayout layout_;
  IntegerDepthwise depthwise_;
  std::size_t batches_;
  const IntegerKernels& kernels_;
  ReferenceNumbers numbers_;           // of Arm NN's rules
  std::vector<std::int16_t> weights_;  // [tap][channel], where there are doubts
};

// As [tap][channel]. Arm NN's [1,I,H,W] is turned; [1,H,W,I] lies so.
SplitWeights by_tap(const graph::Value& value, bool channels_first, std::size_t taps, std::size_t channels) {
  SplitWeights weights = split_weights(*value.constant, value.quantization.zero_point());
  if (!channels_first) return weights;
  std::vector<std::size_t> order(taps * channels);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i % channels * taps + i / channels;
  return reordered(weights, order);
}

}  // namespace

std::unique_ptr<Step> make_integer_depthwise(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::DepthwiseConv2d || !takes_integers(draft, entry) || single_channel(draft, node))
    return nullptr;
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const bool channels_first = a.depthwise_weights == DepthwiseWeights::Mihw;
  const IntegerWindow window =
      window_of(in, out, weights.dim(channels_first ? 2 : 1), weights.dim(channels_first ? 3 : 2), a);
  return std::make_unique<DepthwiseStep>(
      node, window, integer_layer(draft, entry, window.channels),
      by_tap(draft.value(node.inputs[1]), channels_first, window.taps(), window.channels), to_size(in[0]),
      draft.threads);
}

}  // namespace npubin::exec::fast
