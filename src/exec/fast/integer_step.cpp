// 8-bit convolutions and fully connected layers in integers: by TensorFlow Lite's rules to the byte, by Arm
// NN's within one step (its reference sums in float32).
#include <algorithm>
#include <cmath>
#include <optional>

#include "exec/fast/cpu.h"
#include "exec/fast/integer_kernels.h"
#include "exec/fast/integer_window.h"
#include "exec/fast/parallel.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::Op;
using graph::ValueId;

constexpr std::size_t kChunk = 48;  // output pixels whose windows are pointed at together

std::size_t to_size(std::int64_t v) {
  return static_cast<std::size_t>(v);
}
std::size_t rounded_up(std::size_t v, std::size_t to) {
  return (v + to - 1) / to * to;
}

bool int8_per_tensor(const graph::Value& value) {
  return value.type == DType::I8 && value.quantization.present() && !value.quantization.per_axis();
}

// Arm NN decodes a bias with the scale stored with it: sums in integers need it to be that of the products.
bool bias_fits(const graph::Value& input, const graph::Value& weights, const graph::Value& bias) {
  const std::size_t count = std::max(weights.quantization.scales.size(), bias.quantization.scales.size());
  for (std::size_t c = 0; c < count; ++c) {
    const float products = input.quantization.scale() * weights.quantization.scale(c);
    if (!(std::abs(bias.quantization.scale(c) - products) <= 1e-6f * products)) return false;
  }
  return bias.quantization.present();
}

// Weights with zero point 0, bias of int32 or none, everything constant.
bool integer_operands(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.inputs.size() < 2) return false;
  if (!int8_per_tensor(draft.value(node.inputs[0])) || !int8_per_tensor(draft.value(node.outputs[0])))
    return false;
  const graph::Value& weights = draft.value(node.inputs[1]);
  if (!weights.constant || weights.type != DType::I8) return false;
  for (std::int64_t zero : weights.quantization.zero_points)
    if (zero != 0) return false;
  if (node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue) return true;
  const graph::Value& bias = draft.value(node.inputs[2]);
  return bias.constant && bias.type == DType::I32 &&
         (node.rules == graph::Rules::Tflite || bias_fits(draft.value(node.inputs[0]), weights, bias));
}

struct Layer {
  std::vector<tflite::Multiplier> multipliers;
  std::vector<std::int32_t> bias;
  std::vector<float> scales;  // of Arm NN's rules
  std::int32_t input_zero = 0, output_zero = 0;
  tflite::Range<std::int8_t> range{-128, 127};
};

Layer layer_of(const Draft& draft, const graph::Node& node, const graph::ActivationAttributes& activation,
               std::size_t outputs) {
  Tensor in(DType::I8, {0}, draft.value(node.inputs[0]).quantization);
  Tensor out(DType::I8, {0}, draft.value(node.outputs[0]).quantization);
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const tflite::ProductOperands operands{
      in, weights, nullptr, out, activation, tflite::Wide::NoInt32Bias, node.op == Op::FullyConnected};
  Layer layer;
  layer.multipliers = tflite::multipliers_of(operands, static_cast<std::int64_t>(outputs));
  if (node.rules == graph::Rules::ArmNn)
    for (std::size_t c = 0; c < outputs; ++c)
      layer.scales.push_back(static_cast<float>(static_cast<double>(in.quantization().scale()) *
                                                weights.quantization().scale(c) /
                                                out.quantization().scale()));
  layer.range = tflite::activation_range<std::int8_t>(activation, out.quantization());
  layer.input_zero = static_cast<std::int32_t>(in.quantization().zero_point());
  layer.output_zero = static_cast<std::int32_t>(out.quantization().zero_point());
  layer.bias.resize(outputs, 0);
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const auto bias = draft.value(node.inputs[2]).constant->as<std::int32_t>();
    std::copy(bias.begin(), bias.end(), layer.bias.begin());
  }
  return layer;
}

// `channel_at(i)`: which channel lies at place i, or one beyond the last for padding.
template <class F>
Requantization requantization_of(const Layer& layer, std::size_t places, F channel_at) {
  Requantization r;
  r.zero_point = layer.output_zero;
  r.low = layer.range.low;
  r.high = layer.range.high;
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t c = channel_at(i);
    const tflite::Multiplier m = c < layer.multipliers.size() ? layer.multipliers[c] : tflite::Multiplier{};
    r.mantissa.push_back(m.mantissa);
    r.left_shift.push_back(std::max(m.shift, 0));
    r.right_shift.push_back(std::max(-m.shift, 0));
    if (!layer.scales.empty()) r.scale.push_back(c < layer.scales.size() ? layer.scales[c] : 0.0f);
  }
  return r;
}

std::int32_t start_of(const Layer& layer, std::size_t channel, std::int64_t weight_sum) {
  return tflite::wrap32(layer.bias[channel] - (128 + std::int64_t{layer.input_zero}) * weight_sum);
}

// weights as [output][segments * depth_in], each segment padded with zeros to `depth`.
IntegerProduct pack_product(const Layer& layer, const std::int8_t* weights, std::size_t outputs,
                            std::size_t segments, std::size_t depth_in) {
  IntegerProduct p;
  p.segments = segments;
  p.depth = rounded_up(depth_in, 4);
  p.outputs = outputs;
  const std::size_t padded = rounded_up(outputs, kPanel);
  p.weights.resize(padded * segments * p.depth, 0);
  p.start.resize(padded, 0);
  for (std::size_t o = 0; o < outputs; ++o) {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < segments; ++s)
      for (std::size_t k = 0; k < depth_in; ++k) {
        const std::int8_t w = weights[(o * segments + s) * depth_in + k];
        sum += w;
        const std::size_t quad = s * (p.depth / 4) + k / 4;
        p.weights[(o / kPanel * segments * (p.depth / 4) + quad) * 4 * kPanel + o % kPanel * 4 + k % 4] = w;
      }
    p.start[o] = start_of(layer, o, sum);
  }
  p.requantization = requantization_of(layer, padded, [](std::size_t i) { return i; });
  return p;
}

class ProductStep : public Step {
 public:
  ProductStep(const graph::Node& node, IntegerWindow window, IntegerProduct product, std::size_t batches,
              std::int8_t input_zero, bool gathered, int threads)
      : node_(node),
        threads_(threads),
        window_(std::move(window)),
        product_(std::move(product)),
        batches_(batches),
        gathered_(gathered),
        padding_(rounded_up(window_.channels, 64), input_zero),
        run_(has_avx512_vnni() ? run_product_vnni : run_product_generic) {}

  std::string kernel() const override {
    return run_ == run_product_vnni ? "own int8 product, VNNI" : "own int8 product";
  }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  // Threads take whole output rows, or pixels where there is but one row.
  Result<void> run(const Frame& frame) const override {
    const std::size_t pixels = window_.out_h * window_.out_w;
    for (std::size_t n = 0; n < batches_; ++n) {
      const std::int8_t* in =
          frame.in<std::int8_t>(node_.inputs[0]) + n * window_.in_h * window_.in_w * window_.channels;
      std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]) + n * pixels * product_.outputs;
      parallel_ranges(threads_, (pixels + kChunk - 1) / kChunk,
                      [&](std::size_t first, std::size_t last, std::size_t thread) {
                        std::byte* scratch = frame.scratch + thread * scratch_per_thread();
                        for (std::size_t chunk = first; chunk < last; ++chunk) {
                          const std::size_t p = chunk * kChunk, here = std::min(kChunk, pixels - p);
                          const auto rows = reinterpret_cast<const std::int8_t**>(scratch);
                          prepare(in, p, here, rows,
                                  reinterpret_cast<std::int8_t*>(scratch + pointer_bytes()));
                          run_(product_, rows, here, out + p * product_.outputs);
                        }
                      });
    }
    return {};
  }

 private:
  std::size_t pointer_bytes() const { return rounded_up(kChunk * product_.segments * sizeof(void*), 64); }
  std::size_t scratch_per_thread() const {
    return pointer_bytes() + (gathered_ ? kChunk * rounded_up(product_.depth, 64) : 0);
  }

  void prepare(const std::int8_t* in, std::size_t p, std::size_t count, const std::int8_t** rows,
               std::int8_t* gathered) const {
    std::size_t y = p / window_.out_w, x = p % window_.out_w;
    for (std::size_t i = 0; i < count;) {
      const std::size_t run = std::min(count - i, window_.out_w - x);
      if (gathered_) {
        for (std::size_t k = 0; k < run; ++k) {
          std::int8_t* to = gathered + (i + k) * rounded_up(product_.depth, 64);
          window_.gather(in, y, x + k, padding_[0], to);
          rows[i + k] = to;
        }
      } else {
        window_.point_run(in, y, x, run, padding_.data(), rows + i * product_.segments);
      }
      i += run;
      x = 0;
      ++y;
    }
  }

  const graph::Node& node_;
  int threads_;
  IntegerWindow window_;
  IntegerProduct product_;
  std::size_t batches_;
  bool gathered_;
  std::vector<std::int8_t> padding_;
  void (*run_)(const IntegerProduct&, const std::int8_t* const*, std::size_t, std::int8_t*);
};

class DepthwiseStep : public Step {
 public:
  DepthwiseStep(const graph::Node& node, IntegerWindow window, IntegerDepthwise depthwise,
                std::size_t batches, std::int8_t input_zero, int threads)
      : node_(node),
        threads_(threads),
        window_(std::move(window)),
        depthwise_(std::move(depthwise)),
        batches_(batches),
        padding_(rounded_up(window_.channels, 64), input_zero),
        run_(has_avx512_vnni() ? run_depthwise_vnni : run_depthwise_generic) {}

  std::string kernel() const override {
    return run_ == run_depthwise_vnni ? "own int8 depthwise, VNNI" : "own int8 depthwise";
  }
  std::size_t scratch_bytes() const override {
    return scratch_per_thread() * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    for (std::size_t n = 0; n < batches_; ++n) {
      const std::int8_t* in =
          frame.in<std::int8_t>(node_.inputs[0]) + n * window_.in_h * window_.in_w * window_.channels;
      std::int8_t* out =
          frame.out<std::int8_t>(node_.outputs[0]) + n * window_.out_h * window_.out_w * depthwise_.channels;
      parallel_ranges(threads_, window_.out_h, [&](std::size_t first, std::size_t last, std::size_t thread) {
        const auto rows =
            reinterpret_cast<const std::int8_t**>(frame.scratch + thread * scratch_per_thread());
        for (std::size_t y = first; y < last; ++y)
          for (std::size_t x = 0; x < window_.out_w; x += kChunk) {
            const std::size_t here = std::min(kChunk, window_.out_w - x);
            window_.point_run(in, y, x, here, padding_.data(), rows);
            run_(depthwise_, rows, here, out + (y * window_.out_w + x) * depthwise_.channels);
          }
      });
    }
    return {};
  }

 private:
  std::size_t scratch_per_thread() const { return rounded_up(kChunk * depthwise_.taps * sizeof(void*), 64); }

  const graph::Node& node_;
  int threads_;
  IntegerWindow window_;
  IntegerDepthwise depthwise_;
  std::size_t batches_;
  std::vector<std::int8_t> padding_;
  void (*run_)(const IntegerDepthwise&, const std::int8_t* const*, std::size_t, std::int8_t*);
};

IntegerDepthwise pack_depthwise(const Layer& layer, const std::int8_t* weights, std::size_t taps,
                                std::size_t channels) {
  IntegerDepthwise d;
  d.taps = taps;
  d.channels = channels;
  d.weights.assign(weights, weights + taps * channels);
  d.start.resize(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < taps; ++t) sum += weights[t * channels + c];
    d.start[c] = start_of(layer, c, sum);
  }
  d.requantization = requantization_of(layer, rounded_up(channels, kPanel), [](std::size_t i) { return i; });
  const std::size_t blocks = (channels + 63) / 64, quads = (taps + 3) / 4;
  const auto channel_at = [](std::size_t place) {
    return place / 64 * 64 + interleaved_channel(place % 64 / 16, place % 16);
  };
  d.requantization_blocks = requantization_of(layer, blocks * 64, channel_at);
  d.start_blocks.resize(blocks * 64, 0);
  d.quads.resize(blocks * quads * 256, 0);
  for (std::size_t place = 0; place < blocks * 64; ++place) {
    const std::size_t c = channel_at(place);
    if (c >= channels) continue;
    d.start_blocks[place] = d.start[c];
    for (std::size_t t = 0; t < taps; ++t)
      d.quads[(place / 64 * quads + t / 4) * 256 + place % 64 * 4 + t % 4] = weights[t * channels + c];
  }
  return d;
}

IntegerWindow window_of(const Shape& in, const Shape& out, std::int64_t kernel_y, std::int64_t kernel_x,
                        const ConvAttributes& a) {
  return {to_size(in[1]),  to_size(in[2]),    to_size(in[3]),    to_size(out[1]),
          to_size(out[2]), to_size(kernel_y), to_size(kernel_x), a};
}

// Depthwise over one input channel is a convolution: weights [1,kh,kw,outputs] become [outputs,kh,kw,1].
std::unique_ptr<Step> make_single_channel(const Draft& draft, const graph::Node& node, const Layer& layer,
                                          const Tensor& weights, std::int8_t zero) {
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), node.attr<ConvAttributes>());
  const std::size_t taps = window.taps(), outputs = to_size(out[3]);
  if (to_size(weights.dim(3)) != outputs) return nullptr;
  const auto codes = weights.as<std::int8_t>();
  std::vector<std::int8_t> turned(codes.size());
  for (std::size_t t = 0; t < taps; ++t)
    for (std::size_t o = 0; o < outputs; ++o) turned[o * taps + t] = codes[t * outputs + o];
  IntegerProduct product = pack_product(layer, turned.data(), outputs, 1, taps);
  return std::make_unique<ProductStep>(node, std::move(window), std::move(product), to_size(in[0]), zero,
                                       true, draft.threads);
}

// Arm NN's weights of depthwise convolutions with one output per input: [1,I,H,W] become [tap][channel].
std::unique_ptr<Step> make_mihw_depthwise(const Draft& draft, const graph::Node& node, const Layer& layer,
                                          const Tensor& weights, std::int8_t zero) {
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  if (weights.dim(0) != 1 || weights.dim(1) != in[3]) return nullptr;
  IntegerWindow window = window_of(in, out, weights.dim(2), weights.dim(3), node.attr<ConvAttributes>());
  const std::size_t taps = window.taps(), channels = to_size(in[3]);
  const auto codes = weights.as<std::int8_t>();
  std::vector<std::int8_t> turned(codes.size());
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t t = 0; t < taps; ++t) turned[t * channels + c] = codes[c * taps + t];
  return std::make_unique<DepthwiseStep>(node, std::move(window),
                                         pack_depthwise(layer, turned.data(), taps, channels), to_size(in[0]),
                                         zero, draft.threads);
}

std::unique_ptr<Step> make_convolution(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const auto zero = static_cast<std::int8_t>(draft.value(node.inputs[0]).quantization.zero_point());
  if (a.layout != graph::DataLayout::Nhwc) return nullptr;
  const Layer layer = layer_of(draft, node, a.activation, to_size(out[3]));
  if (node.op == Op::DepthwiseConv2d && a.depthwise_weights == graph::DepthwiseWeights::Mihw)
    return make_mihw_depthwise(draft, node, layer, weights, zero);
  const auto* codes = weights.as<std::int8_t>().data();
  if (node.op == Op::DepthwiseConv2d) {
    if (in[3] == 1) return make_single_channel(draft, node, layer, weights, zero);
    if (a.depth_multiplier != 1 || weights.dim(3) != in[3]) return nullptr;
    IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), a);
    const std::size_t taps = window.taps();
    return std::make_unique<DepthwiseStep>(node, std::move(window),
                                           pack_depthwise(layer, codes, taps, to_size(out[3])),
                                           to_size(in[0]), zero, draft.threads);
  }
  if (weights.dim(3) != in[3]) return nullptr;  // groups
  IntegerWindow window = window_of(in, out, weights.dim(1), weights.dim(2), a);
  const bool gathered = window.channels % 4 != 0;
  const std::size_t segments = gathered ? 1 : window.taps();
  const std::size_t depth = window.taps() * window.channels / segments;
  IntegerProduct product = pack_product(layer, codes, to_size(out[3]), segments, depth);
  return std::make_unique<ProductStep>(node, std::move(window), std::move(product), to_size(in[0]), zero,
                                       gathered, draft.threads);
}

std::unique_ptr<Step> make_fully_connected(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<graph::FullyConnectedAttributes>();
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  if (!a.weights_transposed || weights.rank() != 2 || weights.dim(0) == 0) return nullptr;
  const std::size_t outputs = to_size(weights.dim(0)), depth = to_size(weights.dim(1));
  const std::size_t rows = to_size(count_of(draft.value(node.outputs[0]).shape)) / outputs;
  const auto zero = static_cast<std::int8_t>(draft.value(node.inputs[0]).quantization.zero_point());
  const Layer layer = layer_of(draft, node, a.activation, outputs);
  IntegerWindow window;
  window.in_w = window.out_w = rows;
  window.channels = depth;
  return std::make_unique<ProductStep>(
      node, std::move(window), pack_product(layer, weights.as<std::int8_t>().data(), outputs, 1, depth), 1,
      zero, depth % 4 != 0, draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::FullyConnected)
    return nullptr;
  if (!integer_operands(draft, entry)) return nullptr;
  // A shift beyond 31 leaves nothing of any sum; the reference knows how.
  return node.op == Op::FullyConnected ? make_fully_connected(draft, node) : make_convolution(draft, node);
}

}  // namespace npubin::exec::fast
