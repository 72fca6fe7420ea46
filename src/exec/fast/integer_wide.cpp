// TensorFlow Lite's convolutions and products that the 8-bit kernels do not take: uint8 (whose weights have
// zero points) and int16. Numbers and weights are widened to 16 bits, sums are those of the reference to the
// bit.
#include <algorithm>
#include <optional>
#include <type_traits>

#include "exec/fast/integer_layer.h"
#include "exec/fast/integer_rows.h"
#include "exec/fast/kernels_channels.h"
#include "exec/fast/kernels_i16.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::Op;

constexpr std::size_t kGathered = 24;  // pixels that are gathered together

template <class In>
void set_range(const graph::ActivationAttributes& activation, const Quantization& out,
               ChannelScales& finish) {
  const auto range = tflite::activation_range<In>(activation, out);
  finish.low = range.low;
  finish.high = range.high;
}

struct WideLayer {
  IntegerWindow window;
  std::size_t batches = 1, outputs = 0;
  bool depthwise = false;
  std::int32_t zero_in = 0;
  ChannelFinish finish;
  WidePanels panels;               // of products
  std::vector<std::int16_t> rows;  // of depthwise: [tap][channel]
};

template <class In>
class WideStep : public Step {
 public:
  WideStep(const graph::Node& node, WideLayer layer, int threads)
      : node_(node), layer_(std::move(layer)), threads_(threads) {
    const std::size_t numbers = layer_.depthwise ? layer_.outputs : kGathered * 2 * layer_.panels.pairs;
    const std::size_t sums = layer_.depthwise ? layer_.outputs : kGathered * layer_.panels.padded_outputs();
    numbers_bytes_ = whole_lines(numbers * sizeof(std::int16_t));
    sums_bytes_ = whole_lines(sums * sizeof(std::int32_t));
    totals_bytes_ = blocks() > 1 ? whole_lines(sums * sizeof(std::int64_t)) : 0;
  }

  std::string kernel() const override {
    return layer_.depthwise ? "own int16 depthwise" : "own int16 product";
  }
  std::size_t scratch_bytes() const override {
    return (numbers_bytes_ + sums_bytes_ + totals_bytes_) * static_cast<std::size_t>(threads_);
  }

  Result<void> run(const Frame& frame) const override {
    const IntegerWindow& w = layer_.window;
    const std::size_t pixels = w.out_h * w.out_w;
    for (std::size_t n = 0; n < layer_.batches; ++n) {
      const In* in = frame.in<In>(node_.inputs[0]) + n * w.in_h * w.in_w * w.channels;
      In* out = frame.out<In>(node_.outputs[0]) + n * pixels * layer_.outputs;
      parallel_ranges(threads_, (pixels + kGathered - 1) / kGathered,
                      [&](std::size_t first, std::size_t last, std::size_t thread) {
                        std::byte* scratch =
                            frame.scratch + thread * (scratch_bytes() / static_cast<std::size_t>(threads_));
                        const std::size_t end = std::min(last * kGathered, pixels);
                        if (layer_.depthwise)
                          depthwise(in, first * kGathered, end, scratch, out);
                        else
                          for (std::size_t p = first * kGathered; p < end; p += kGathered)
                            products(in, p, std::min(kGathered, end - p), scratch, out + p * layer_.outputs);
                      });
    }
    return {};
  }

 private:
  std::size_t blocks() const {
    return layer_.finish.wide && !layer_.depthwise
               ? (layer_.panels.pairs + kPairsWithin32Bits - 1) / kPairsWithin32Bits
               : 1;
  }

  void widen(const In* from, std::size_t count, std::int16_t* to) const {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::int16_t>(from[i] - layer_.zero_in);
  }

  // Every number as often as there are outputs of its channel.
  void spread(const In* from, std::int16_t* to) const {
    const std::size_t channels = layer_.window.channels, multiplier = layer_.outputs / channels;
    if (multiplier == 1) return widen(from, channels, to);
    for (std::size_t c = 0; c < channels; ++c, to += multiplier)
      std::fill_n(to, multiplier, static_cast<std::int16_t>(from[c] - layer_.zero_in));
  }

  // Calls f(source pixel or nullptr, tap) for every tap of output pixel p.
  template <class F>
  void taps(const In* in, std::size_t p, F f) const {
    const IntegerWindow& w = layer_.window;
    const std::size_t y = p / w.out_w, x = p % w.out_w;
    for (std::size_t ky = 0; ky < w.kernel_y; ++ky)
      for (std::size_t kx = 0; kx < w.kernel_x; ++kx) {
        // Before the image the difference wraps: then it is not inside either.
        const std::size_t v = y * w.a.stride_y + ky * w.a.dilation_y - w.a.padding.top;
        const std::size_t u = x * w.a.stride_x + kx * w.a.dilation_x - w.a.padding.left;
        f(v < w.in_h && u < w.in_w ? in + (v * w.in_w + u) * w.channels : nullptr, ky * w.kernel_x + kx);
      }
  }

  void products(const In* in, std::size_t p, std::size_t pixels, std::byte* scratch, In* out) const {
    const std::size_t step = 2 * layer_.panels.pairs, channels = layer_.window.channels;
    auto* const numbers = reinterpret_cast<std::int16_t*>(scratch);
    for (std::size_t i = 0; i < pixels; ++i) {
      std::int16_t* row = numbers + i * step;
      row[step - 1] = 0;
      taps(in, p + i, [&](const In* source, std::size_t tap) {
        if (source == nullptr)
          std::fill_n(row + tap * channels, channels, std::int16_t{0});
        else
          widen(source, channels, row + tap * channels);
      });
    }
    auto* const sums = reinterpret_cast<std::int32_t*>(scratch + numbers_bytes_);
    const std::size_t width = layer_.panels.padded_outputs();
    if (blocks() == 1) {
      wide_products(layer_.panels, numbers, pixels, 0, layer_.panels.pairs, sums);
      finish(sums, width, pixels, out);
      return;
    }
    auto* const totals = reinterpret_cast<std::int64_t*>(scratch + numbers_bytes_ + sums_bytes_);
    std::fill_n(totals, pixels * width, std::int64_t{0});
    for (std::size_t k = 0; k < layer_.panels.pairs; k += kPairsWithin32Bits) {
      wide_products(layer_.panels, numbers, pixels, k, std::min(k + kPairsWithin32Bits, layer_.panels.pairs),
                    sums);
      for (std::size_t i = 0; i < pixels * width; ++i) totals[i] += sums[i];
    }
    finish(totals, width, pixels, out);
  }

  void depthwise(const In* in, std::size_t first, std::size_t last, std::byte* scratch, In* out) const {
    const std::size_t channels = layer_.outputs;
    auto* const numbers = reinterpret_cast<std::int16_t*>(scratch);
    auto* const sums = reinterpret_cast<std::int32_t*>(scratch + numbers_bytes_);
    for (std::size_t p = first; p < last; ++p) {
      std::fill_n(sums, channels, 0);
      taps(in, p, [&](const In* source, std::size_t tap) {
        if (source == nullptr) return;
        spread(source, numbers);
        wide_multiply_add(numbers, layer_.rows.data() + tap * channels, sums, channels);
      });
      finish(sums, channels, 1, out + p * channels);
    }
  }

  template <class Sum>
  void finish(const Sum* sums, std::size_t width, std::size_t pixels, In* out) const {
    if constexpr (std::is_same_v<Sum, std::int32_t> || std::is_same_v<In, std::int16_t>)
      finish_sums(layer_.finish, sums, {pixels, width, layer_.outputs}, out);
  }

  const graph::Node& node_;
  WideLayer layer_;
  int threads_;
  std::size_t numbers_bytes_ = 0, sums_bytes_ = 0, totals_bytes_ = 0;
};

bool wide_operands(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.rules != graph::Rules::Tflite || !entry.post.empty() || node.inputs.size() < 2) return false;
  const graph::Value &in = draft.value(node.inputs[0]), &weights = draft.value(node.inputs[1]);
  if (in.type != DType::U8 && in.type != DType::I16) return false;
  if (!per_tensor(in, in.type) || !per_tensor(draft.value(node.outputs[0]), in.type)) return false;
  // An int16 number stands as it is: with a zero point it might not fit.
  if (in.type == DType::I16 && in.quantization.zero_point() != 0) return false;
  if (!weights.constant || count_of(weights.shape) == 0 ||
      weights.type != (in.type == DType::U8 ? DType::U8 : DType::I8))
    return false;
  return node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue || draft.is_constant(node.inputs[2]);
}

// Codes less the zero point that the reference goes by, which is the first of all.
std::vector<std::int16_t> widened(const graph::Value& value) {
  const auto zero = static_cast<int>(value.quantization.zero_point());
  std::vector<std::int16_t> out;
  if (value.type == DType::U8)
    for (std::uint8_t code : value.constant->as<std::uint8_t>())
      out.push_back(static_cast<std::int16_t>(code - zero));
  else
    for (std::int8_t code : value.constant->as<std::int8_t>())
      out.push_back(static_cast<std::int16_t>(code - zero));
  return out;
}

std::optional<ChannelFinish> finish_of(const Draft& draft, const graph::Node& node,
                                       const graph::ActivationAttributes& activation, std::size_t outputs) {
  const graph::Value& input = draft.value(node.inputs[0]);
  Tensor in(input.type, {0}, input.quantization),
      out(input.type, {0}, draft.value(node.outputs[0]).quantization);
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const tflite::ProductOperands operands{
      in, weights, nullptr, out, activation, tflite::Wide::NoInt32Bias, node.op == Op::FullyConnected};
  ChannelScales finish;
  finish.multipliers = tflite::multipliers_of(operands, static_cast<std::int64_t>(outputs));
  finish.bias.resize(outputs, 0);
  bool int32_bias = false;
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const Tensor& bias = *draft.value(node.inputs[2]).constant;
    int32_bias = bias.type() == DType::I32;
    for (std::size_t c = 0; c < outputs; ++c)
      finish.bias[c] = int32_bias ? bias.as<std::int32_t>()[c] : bias.as<std::int64_t>()[c];
  }
  finish.wide = input.type == DType::I16 && (node.op == Op::DepthwiseConv2d || !int32_bias);
  finish.zero_point = out.quantization().zero_point();
  if (input.type == DType::U8) set_range<std::uint8_t>(activation, out.quantization(), finish);
  if (input.type == DType::I16) set_range<std::int16_t>(activation, out.quantization(), finish);
  return channel_finish(finish);
}

bool describe_convolution(const Draft& draft, const graph::Node& node, WideLayer& layer) {
  const auto& a = node.attr<ConvAttributes>();
  const Shape &in = draft.value(node.inputs[0]).shape, &out = draft.value(node.outputs[0]).shape;
  const graph::Value& weights = draft.value(node.inputs[1]);
  layer.depthwise = node.op == Op::DepthwiseConv2d;
  if (a.layout != graph::DataLayout::Nhwc) return false;
  if (weights.shape[3] != in[3] && !layer.depthwise) return false;  // groups
  layer.window = window_of(in, out, weights.shape[1], weights.shape[2], a);
  layer.batches = to_size(in[0]);
  layer.outputs = to_size(out[3]);
  auto finish = finish_of(draft, node, a.activation, layer.outputs);
  if (!finish) return false;
  layer.finish = *std::move(finish);
  if (layer.depthwise) {
    layer.rows = widened(weights);
    return layer.window.taps() < 2 * kPairsWithin32Bits;
  }
  layer.panels =
      wide_panels(widened(weights).data(), layer.outputs, layer.window.taps() * layer.window.channels);
  return true;
}

bool describe_product(const Draft& draft, const graph::Node& node, WideLayer& layer) {
  const auto& a = node.attr<graph::FullyConnectedAttributes>();
  const graph::Value& weights = draft.value(node.inputs[1]);
  if (!a.weights_transposed || weights.shape.size() != 2) return false;
  layer.outputs = to_size(weights.shape[0]);
  layer.window.channels = to_size(weights.shape[1]);
  layer.window.in_w = layer.window.out_w =
      to_size(count_of(draft.value(node.outputs[0]).shape)) / layer.outputs;
  auto finish = finish_of(draft, node, a.activation, layer.outputs);
  if (!finish) return false;
  layer.finish = *std::move(finish);
  layer.panels = wide_panels(widened(weights).data(), layer.outputs, layer.window.channels);
  return true;
}

}  // namespace

std::unique_ptr<Step> make_integer_wide(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const bool convolution = node.op == Op::Conv2d || node.op == Op::DepthwiseConv2d;
  if ((!convolution && node.op != Op::FullyConnected) || !wide_operands(draft, entry)) return nullptr;
  WideLayer layer;
  layer.zero_in = static_cast<std::int32_t>(draft.value(node.inputs[0]).quantization.zero_point());
  if (!(convolution ? describe_convolution(draft, node, layer) : describe_product(draft, node, layer)))
    return nullptr;
  switch (draft.value(node.inputs[0]).type) {
    case DType::U8:
      return std::make_unique<WideStep<std::uint8_t>>(node, std::move(layer), draft.threads);
    default:
      return std::make_unique<WideStep<std::int16_t>>(node, std::move(layer), draft.threads);
  }
}

}  // namespace npubin::exec::fast
