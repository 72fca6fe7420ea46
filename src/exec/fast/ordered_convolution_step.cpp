// Float32 convolutions, depthwise convolutions and fully connected layers that add in the order of Arm NN's
// reference, for codes: what is rounded to a code afterwards must be the reference's number to the bit.
#include <algorithm>
#include <cstring>

#include "exec/fast/kernels_ordered.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::DataLayout;
using graph::DepthwiseWeights;
using graph::Op;

constexpr std::size_t kOrderedChunk = 32;  // pixels that go over the weights together
constexpr std::size_t kBlock = 128;        // channels of a depthwise layer that are summed together

struct Image {
  std::size_t n = 1, h = 1, w = 1, c = 1;
  bool planes = false;  // channels before pixels
};

Image image_of(const Shape& s, DataLayout layout) {
  if (layout == DataLayout::Nhwc) return {to_size(s[0]), to_size(s[1]), to_size(s[2]), to_size(s[3]), false};
  return {to_size(s[0]), to_size(s[2]), to_size(s[3]), to_size(s[1]), true};
}

struct Layer {
  Image in, out;
  ConvAttributes a;
  std::size_t kernel_y = 1, kernel_x = 1;
  bool depthwise = false, pixels_first = false;
  std::vector<float> weights;  // [panel][depth][kOrderedPanel]; depthwise: [block][tap][channel]
  std::vector<float> bias;     // of whole panels; empty: none

  std::size_t taps() const { return kernel_y * kernel_x; }
  std::size_t depth() const { return depthwise ? taps() : taps() * in.c; }
  std::size_t panels() const { return (out.c + kOrderedPanel - 1) / kOrderedPanel; }
  // The input with its padding, channels last; of depthwise layers one channel for each output.
  std::size_t rows() const { return (out.h - 1) * a.stride_y + (kernel_y - 1) * a.dilation_y + 1; }
  std::size_t columns() const { return (out.w - 1) * a.stride_x + (kernel_x - 1) * a.dilation_x + 1; }
  std::size_t channels() const { return depthwise ? out.c : in.c; }
  // The input is that already.
  bool direct() const {
    return !in.planes && channels() == in.c && a.padding.top == 0 && a.padding.left == 0 && rows() <= in.h &&
           columns() <= in.w;
  }
  std::size_t row_step() const { return (direct() ? in.w : columns()) * channels(); }
};

class OrderedConvolutionStep : public Step {
 public:
  OrderedConvolutionStep(const graph::Node& node, Layer layer, int threads)
      : node_(node), layer_(std::move(layer)), threads_(threads) {
    const std::size_t channels = layer_.channels();
    const auto offset = [&](std::size_t tap) {
      return tap / layer_.kernel_x * layer_.a.dilation_y * layer_.row_step() +
             tap % layer_.kernel_x * layer_.a.dilation_x * channels;
    };
    const std::size_t taps = layer_.taps(), inner = layer_.depthwise ? 1 : channels;
    for (std::size_t k = 0; k < layer_.depth(); ++k)
      offsets_.push_back(layer_.pixels_first ? offset(k / inner) + k % inner : offset(k % taps) + k / taps);
  }

  std::string kernel() const override {
    return layer_.depthwise ? "own depthwise in order" : "own product in order";
  }
  std::size_t scratch_bytes() const override {
    return layer_.direct() ? 0 : whole_lines(layer_.rows() * layer_.row_step() * sizeof(float));
  }

  Result<void> run(const Frame& frame) const override {
    const Image &in = layer_.in, &out = layer_.out;
    for (std::size_t n = 0; n < in.n; ++n) {
      const float* image = frame.in<float>(node_.inputs[0]) + n * in.h * in.w * in.c;
      float* result = frame.out<float>(node_.outputs[0]) + n * out.h * out.w * out.c;
      if (!layer_.direct()) {
        pad(image, reinterpret_cast<float*>(frame.scratch));
        image = reinterpret_cast<const float*>(frame.scratch);
      }
      const std::size_t pixels = out.h * out.w;
      parallel_ranges(threads_, (pixels + kOrderedChunk - 1) / kOrderedChunk,
                      [&](std::size_t first, std::size_t last, std::size_t) {
                        for (std::size_t p = first * kOrderedChunk;
                             p < std::min(last * kOrderedChunk, pixels); p += kOrderedChunk)
                          compute(image, p, std::min(kOrderedChunk, pixels - p), result);
                      });
    }
    return {};
  }

 private:
  void pad(const float* from, float* to) const {
    const std::size_t rows = layer_.rows(), columns = layer_.columns();
    parallel_ranges(threads_, rows, [&](std::size_t first, std::size_t last, std::size_t) {
      for (std::size_t y = first; y < last; ++y) {
        float* row = to + y * layer_.row_step();
        // Before the image the difference wraps: then it is not inside either.
        const std::size_t v = y - layer_.a.padding.top;
        if (v >= layer_.in.h) {
          std::fill_n(row, layer_.row_step(), 0.0f);
          continue;
        }
        for (std::size_t x = 0; x < columns; ++x)
          pixel(from, v, x - layer_.a.padding.left, row + x * layer_.channels());
      }
    });
  }

  void pixel(const float* from, std::size_t v, std::size_t u, float* to) const {
    const Image& in = layer_.in;
    const std::size_t channels = layer_.channels();
    if (u >= in.w) {
      std::fill_n(to, channels, 0.0f);
    } else if (!in.planes && channels == in.c) {
      std::memcpy(to, from + (v * in.w + u) * in.c, channels * sizeof(float));
    } else {
      const std::size_t repeat = channels / in.c, step = in.planes ? in.h * in.w : 1;
      const float* const first = from + (v * in.w + u) * (in.planes ? 1 : in.c);
      for (std::size_t c = 0; c < channels; ++c) to[c] = first[c / repeat * step];
    }
  }

  void compute(const float* image, std::size_t first, std::size_t count, float* out) const {
    const float* pixels[kOrderedChunk];
    const Layer& l = layer_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t y = (first + i) / l.out.w, x = (first + i) % l.out.w;
      pixels[i] = image + y * l.a.stride_y * l.row_step() + x * l.a.stride_x * l.channels();
    }
    if (l.depthwise)
      channels(pixels, first, count, out);
    else
      products(pixels, first, count, out);
  }

  void products(const float* const* pixels, std::size_t first, std::size_t count, float* out) const {
    float sums[kOrderedChunk * kOrderedPanel];
    for (std::size_t panel = 0; panel < layer_.panels(); ++panel) {
      const std::size_t depth = layer_.depth();
      ordered_products({layer_.weights.data() + panel * depth * kOrderedPanel, offsets_.data(), depth},
                       pixels, count, sums);
      const std::size_t channel = panel * kOrderedPanel;
      for (std::size_t i = 0; i < count; ++i)
        store(sums + i * kOrderedPanel, std::min(kOrderedPanel, layer_.out.c - channel), first + i, channel,
              out);
    }
  }

  void channels(const float* const* pixels, std::size_t first, std::size_t count, float* out) const {
    float sums[kOrderedChunk * kBlock];
    const std::size_t taps = layer_.taps();
    for (std::size_t c = 0; c < layer_.out.c; c += kBlock) {
      const std::size_t here = std::min(kBlock, layer_.out.c - c);
      const float* moved[kOrderedChunk];
      for (std::size_t i = 0; i < count; ++i) moved[i] = pixels[i] + c;
      ordered_channels({layer_.weights.data() + c * taps, offsets_.data(), taps}, moved, count, here, sums);
      for (std::size_t i = 0; i < count; ++i) store(sums + i * here, here, first + i, c, out);
    }
  }

  // Sums of `count` channels of one pixel.
  void store(const float* sums, std::size_t count, std::size_t pixel, std::size_t channel, float* out) const {
    const Image& image = layer_.out;
    const std::size_t step = image.planes ? image.h * image.w : 1;
    out += image.planes ? channel * step + pixel : pixel * image.c + channel;
    const float* const bias = layer_.bias.empty() ? nullptr : layer_.bias.data() + channel;
    for (std::size_t c = 0; c < count; ++c) out[c * step] = bias == nullptr ? sums[c] : sums[c] + bias[c];
  }

  const graph::Node& node_;
  Layer layer_;
  int threads_;
  std::vector<std::size_t> offsets_;
};

// As the steps of a sum go, in panels. at(output, channel, tap): the element of the weights.
template <class At>
void pack_products(Layer& layer, std::span<const float> weights, At at) {
  layer.weights.assign(layer.panels() * layer.depth() * kOrderedPanel, 0.0f);
  for (std::size_t o = 0; o < layer.out.c; ++o)
    for (std::size_t k = 0; k < layer.depth(); ++k) {
      const std::size_t channel = layer.pixels_first ? k % layer.in.c : k / layer.taps(),
                        tap = layer.pixels_first ? k / layer.in.c : k % layer.taps();
      layer.weights[(o / kOrderedPanel * layer.depth() + k) * kOrderedPanel + o % kOrderedPanel] =
          weights[at(o, channel, tap)];
    }
}

void pack_channels(Layer& layer, std::span<const float> weights, DepthwiseWeights order) {
  const std::size_t taps = layer.taps(), multiplier = layer.out.c / layer.in.c;
  layer.weights.resize(taps * layer.out.c);
  for (std::size_t c = 0; c < layer.out.c; ++c) {
    const std::size_t block = c / kBlock * kBlock, wide = std::min(kBlock, layer.out.c - block);
    for (std::size_t t = 0; t < taps; ++t)
      layer.weights[block * taps + t * wide + c - block] =
          weights[order == DepthwiseWeights::Mihw ? (c % multiplier * layer.in.c + c / multiplier) * taps + t
                                                  : t * layer.out.c + c];
  }
}

void describe_convolution(const Draft& draft, const graph::Node& node, Layer& layer) {
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const std::span<const float> numbers = weights.as<float>();
  layer.a = node.attr<ConvAttributes>();
  layer.in = image_of(draft.value(node.inputs[0]).shape, layer.a.layout);
  layer.out = image_of(draft.value(node.outputs[0]).shape, layer.a.layout);
  layer.depthwise = node.op == Op::DepthwiseConv2d;
  const bool by_channel = layer.depthwise;
  // Of one input channel it is a convolution, and the vectors are full.
  layer.depthwise = by_channel && layer.in.c > 1;
  const bool taps_last =
      by_channel ? layer.a.depthwise_weights == DepthwiseWeights::Mihw : layer.a.layout == DataLayout::Nchw;
  layer.kernel_y = to_size(weights.dim(taps_last ? 2 : 1));
  layer.kernel_x = to_size(weights.dim(taps_last ? 3 : 2));
  if (layer.depthwise) return pack_channels(layer, numbers, layer.a.depthwise_weights);
  const std::size_t taps = layer.taps(), channels = layer.in.c, outputs = layer.out.c;
  if (by_channel)
    return pack_products(layer, numbers, [&](std::size_t o, std::size_t, std::size_t t) {
      return taps_last ? o * taps + t : t * outputs + o;
    });
  pack_products(layer, numbers, [&](std::size_t o, std::size_t c, std::size_t t) {
    return taps_last ? (o * channels + c) * taps + t : (o * taps + t) * channels + c;
  });
}

// Rows of the input stand as pixels of one line.
void describe_product(const Draft& draft, const graph::Node& node, Layer& layer) {
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const bool transposed = node.attr<graph::FullyConnectedAttributes>().weights_transposed;
  layer.in.c = to_size(weights.dim(transposed ? 1 : 0));
  layer.out.c = to_size(weights.dim(transposed ? 0 : 1));
  layer.in.w = layer.out.w = to_size(count_of(draft.value(node.outputs[0]).shape)) / layer.out.c;
  pack_products(layer, weights.as<float>(), [&](std::size_t o, std::size_t c, std::size_t) {
    return transposed ? o * layer.in.c + c : c * layer.out.c + o;
  });
}

bool takes(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.in_order || !entry.post.empty() || node.inputs.size() < 2) return false;
  if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::FullyConnected) return false;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    const graph::Value& value = draft.value(node.inputs[k]);
    if (value.type != DType::F32 || (k > 0 && !value.constant) || count_of(value.shape) == 0) return false;
  }
  return draft.value(node.outputs[0]).type == DType::F32 && count_of(draft.value(node.outputs[0]).shape) > 0;
}

}  // namespace

std::unique_ptr<Step> make_ordered_convolution(const Draft& draft, const DraftNode& entry) {
  if (!takes(draft, entry)) return nullptr;
  const graph::Node& node = entry.node;
  Layer layer;
  layer.pixels_first = entry.pixels_first;
  if (node.op == Op::FullyConnected)
    describe_product(draft, node, layer);
  else
    describe_convolution(draft, node, layer);
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const auto bias = draft.value(node.inputs[2]).constant->as<float>();
    layer.bias.assign(bias.begin(), bias.end());
  }
  return std::make_unique<OrderedConvolutionStep>(node, std::move(layer), draft.threads);
}

}  // namespace npubin::exec::fast
