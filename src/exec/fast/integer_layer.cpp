#include "exec/fast/integer_layer.h"

#include <algorithm>
#include <cmath>

namespace npubin::exec::fast {
namespace {

using graph::DepthwiseWeights;
using graph::Op;

// Arm NN decodes a bias with the scale stored with it: sums in integers need it to be that of the products.
bool bias_fits(const graph::Value& input, const graph::Value& weights, const graph::Value& bias) {
  const std::size_t count = std::max(weights.quantization.scales.size(), bias.quantization.scales.size());
  for (std::size_t c = 0; c < count; ++c) {
    const float products = input.quantization.scale() * weights.quantization.scale(c);
    if (!(std::abs(bias.quantization.scale(c) - products) <= 1e-6f * products)) return false;
  }
  return bias.quantization.present();
}

// Sums of 32 bits hold everything: Arm NN's float32 sums would not wrap.
bool sums_fit(const Draft& draft, const graph::Node& node) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31, kProduct = 255 * 255;
  const std::int64_t outputs = draft.value(node.outputs[0]).shape.back();
  const std::int64_t products =
      count_of(draft.value(node.inputs[1]).shape) / std::max<std::int64_t>(outputs, 1);
  std::int64_t bias = 0;
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue)
    for (std::int32_t b : draft.value(node.inputs[2]).constant->as<std::int32_t>())
      bias = std::max(bias, std::abs(std::int64_t{b}));
  return products < kMost / kProduct && products * kProduct + bias < kMost;
}

// The forms that the integer kernels have.
bool plain_shapes(const Draft& draft, const graph::Node& node) {
  const Shape& weights = draft.value(node.inputs[1]).shape;
  if (node.op == Op::FullyConnected)
    return node.attr<graph::FullyConnectedAttributes>().weights_transposed && weights.size() == 2;
  const auto& a = node.attr<graph::ConvAttributes>();
  if (a.layout != graph::DataLayout::Nhwc) return false;
  const std::int64_t in = draft.value(node.inputs[0]).shape[3], out = draft.value(node.outputs[0]).shape[3];
  if (node.op == Op::Conv2d) return weights[3] == in;  // no groups
  if (single_channel(draft, node)) return true;
  return weights[0] == 1 && in == out && weights[a.depthwise_weights == DepthwiseWeights::Mihw ? 1 : 3] == in;
}

// The activation that the format's own attributes carry.
const graph::ActivationAttributes& own_activation(const graph::Node& node) {
  if (node.op == Op::FullyConnected) return node.attr<graph::FullyConnectedAttributes>().activation;
  return node.attr<graph::ConvAttributes>().activation;
}

bool is_code(std::int64_t zero_point) {
  return zero_point >= -128 && zero_point <= 127;
}

bool zero_points_fit(const graph::Value& weights, graph::Rules rules) {
  const auto& zeros = weights.quantization.zero_points;
  if (rules == graph::Rules::ArmNn && !weights.quantization.per_axis())
    return is_code(weights.quantization.zero_point());
  return std::all_of(zeros.begin(), zeros.end(), [](std::int64_t zero) { return zero == 0; });
}

// Decoded products and their sums are float32's normal numbers.
bool ordinary_scales(const graph::Value& input, const graph::Value& weights, const graph::Value& output) {
  const auto ordinary = [](float scale) { return scale > 1e-15f && scale < 1e15f; };
  const auto& scales = weights.quantization.scales;
  return ordinary(input.quantization.scale()) && ordinary(output.quantization.scale()) &&
         std::all_of(scales.begin(), scales.end(), ordinary);
}

bool armnn_operands(const Draft& draft, const graph::Node& node) {
  const graph::Value &input = draft.value(node.inputs[0]), &weights = draft.value(node.inputs[1]);
  // A fully connected layer goes by the axis that is stored, convolutions by output channel.
  if (node.op == Op::FullyConnected && weights.quantization.per_axis() && weights.quantization.axis != 0)
    return false;
  const graph::Value& output = draft.value(node.outputs[0]);
  if (!is_code(input.quantization.zero_point()) || !is_code(output.quantization.zero_point()) ||
      !ordinary_scales(input, weights, output) || !sums_fit(draft, node))
    return false;
  return node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue ||
         bias_fits(input, weights, draft.value(node.inputs[2]));
}

// Decoding and encoding as the reference does them.
ReferenceNumbers reference_numbers(const Draft& draft, const graph::Node& node, std::size_t outputs) {
  const Quantization &in = draft.value(node.inputs[0]).quantization,
                     &weights = draft.value(node.inputs[1]).quantization,
                     &out = draft.value(node.outputs[0]).quantization;
  ReferenceNumbers n;
  n.in_scale = in.scale();
  n.in_zero = static_cast<std::int32_t>(in.zero_point());
  n.out_scale = out.scale();
  n.out_zero = static_cast<std::int32_t>(out.zero_point());
  for (std::size_t c = 0; c < outputs; ++c) n.weight_scales.push_back(weights.scale(c));
  if (node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue) return n;
  const graph::Value& bias = draft.value(node.inputs[2]);
  const auto codes = bias.constant->as<std::int32_t>();
  for (std::size_t c = 0; c < outputs; ++c)
    n.bias.push_back(static_cast<float>(codes[c]) * bias.quantization.scale(c));
  return n;
}

bool power_of_two(float x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5f;
}

// The largest right shift that the float32 form of the requantisation is made for.
constexpr int kMostShift = 31;

}  // namespace

bool single_channel(const Draft& draft, const graph::Node& node) {
  const bool taps_last = node.attr<graph::ConvAttributes>().depthwise_weights == DepthwiseWeights::Mihw;
  const Shape& weights = draft.value(node.inputs[1]).shape;
  return draft.value(node.inputs[0]).shape[3] == 1 &&
         weights[taps_last ? 0 : 3] == draft.value(node.outputs[0]).shape[3];
}

bool takes_integers(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::FullyConnected) return false;
  if (!entry.post.empty() || node.inputs.size() < 2) return false;
  if (!per_tensor(draft.value(node.inputs[0]), DType::I8) ||
      !per_tensor(draft.value(node.outputs[0]), DType::I8))
    return false;
  const graph::Value& weights = draft.value(node.inputs[1]);
  if (!weights.constant || weights.type != DType::I8 || count_of(weights.shape) == 0) return false;
  if (!zero_points_fit(weights, node.rules)) return false;
  if (!plain_shapes(draft, node)) return false;
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const graph::Value& bias = draft.value(node.inputs[2]);
    if (!bias.constant || bias.type != DType::I32) return false;
  }
  return node.rules == graph::Rules::Tflite || armnn_operands(draft, node);
}

SplitWeights split_weights(const Tensor& codes, std::int64_t zero_point) {
  const auto all = codes.as<std::int8_t>();
  if (zero_point == 0) return {{std::make_shared<Tensor>(codes), all.data()}, nullptr};
  const auto first = std::make_shared<std::vector<std::int8_t>>(),
             rest = std::make_shared<std::vector<std::int8_t>>();
  bool whole = true;
  for (std::int64_t code : all) {
    const std::int64_t weight = code - zero_point, cut = std::clamp<std::int64_t>(weight, -128, 127);
    first->push_back(static_cast<std::int8_t>(cut));
    rest->push_back(static_cast<std::int8_t>(weight - cut));
    whole = whole && cut == weight;
  }
  SplitWeights weights{{first, first->data()}, nullptr};
  if (!whole) weights.rest = {rest, rest->data()};
  return weights;
}

SplitWeights reordered(const SplitWeights& weights, const std::vector<std::size_t>& order) {
  const auto turn =
      [&](const std::shared_ptr<const std::int8_t>& from) -> std::shared_ptr<const std::int8_t> {
    if (!from) return nullptr;
    const auto turned = std::make_shared<std::vector<std::int8_t>>();
    for (std::size_t i : order) turned->push_back(from.get()[i]);
    return {turned, turned->data()};
  };
  return {turn(weights.first), turn(weights.rest)};
}

std::int32_t IntegerLayer::start(std::size_t channel, std::int64_t weight_sum) const {
  return tflite::wrap32(bias[channel] - (128 + std::int64_t{input_zero}) * weight_sum);
}

IntegerLayer integer_layer(const Draft& draft, const DraftNode& entry, std::size_t outputs) {
  const graph::Node& node = entry.node;
  const graph::ActivationAttributes& activation = own_activation(node);
  Tensor in(DType::I8, {0}, draft.value(node.inputs[0]).quantization);
  Tensor out(DType::I8, {0}, draft.value(node.outputs[0]).quantization);
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const tflite::ProductOperands operands{
      in, weights, nullptr, out, activation, tflite::Wide::NoInt32Bias, node.op == Op::FullyConnected};
  IntegerLayer layer;
  layer.multipliers = tflite::multipliers_of(operands, static_cast<std::int64_t>(outputs));
  if (node.rules == graph::Rules::ArmNn) {
    layer.numbers = reference_numbers(draft, node, outputs);
    for (float scale : layer.numbers.weight_scales)
      layer.scales.push_back(
          static_cast<float>(static_cast<double>(layer.numbers.in_scale) * scale / layer.numbers.out_scale));
  }
  layer.range = tflite::activation_range<std::int8_t>(activation, out.quantization());
  if (entry.code_range) {
    layer.range.low =
        static_cast<std::int8_t>(std::max<std::int32_t>(layer.range.low, entry.code_range->first));
    layer.range.high =
        static_cast<std::int8_t>(std::min<std::int32_t>(layer.range.high, entry.code_range->second));
  }
  layer.numbers.low = layer.range.low;
  layer.numbers.high = layer.range.high;
  layer.input_zero = static_cast<std::int32_t>(in.quantization().zero_point());
  layer.output_zero = static_cast<std::int32_t>(out.quantization().zero_point());
  layer.bias.resize(outputs, 0);
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const auto bias = draft.value(node.inputs[2]).constant->as<std::int32_t>();
    std::copy(bias.begin(), bias.end(), layer.bias.begin());
  }
  return layer;
}

// The reference rounds to 24 bits: both decoded factors, every product, every sum, the bias, the quotient by
// the output's scale. The last three are bounded by themselves. Those of the products and sums go either way,
// so that they grow like a random walk: kDeviations standard deviations are allowed for, with prefixes of the
// sum as numbers of a usual spread make them. A sum that strayed further would be one step off, as any in
// doubt is.
void IntegerLayer::find_doubts(const std::vector<ChannelWeights>& weights, std::size_t products) {
  constexpr double kUnit = 0x1p-24, kDeviations = 10, kOfUnit = 0.41;
  const double largest = std::max(127 - input_zero, 128 + input_zero), count = static_cast<double>(products);
  const double mean = largest / 4, square = largest * largest / 9;
  bool exact = power_of_two(numbers.in_scale) && power_of_two(numbers.out_scale);
  std::vector<float> found;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double step = static_cast<double>(numbers.in_scale) * numbers.weight_scales[c] / numbers.out_scale;
    const double bias = std::abs(static_cast<double>(this->bias[c]));
    const double squares = static_cast<double>(weights[c].squares), sum = static_cast<double>(weights[c].sum);
    const double prefixes =
        (mean * mean + square) * count / 2 * squares + mean * mean * count / 3 * sum * sum;
    const double strayed = kDeviations * kOfUnit * kUnit * step * std::sqrt(prefixes + 3 * square * squares);
    double ends = 5 * kUnit * 256 + 2 * kUnit * bias * step;
    if (!numbers.bias.empty())
      ends += std::abs(this->bias[c] * step - static_cast<double>(numbers.bias[c]) / numbers.out_scale);
    found.push_back(static_cast<float>(strayed + ends));
    exact = exact && power_of_two(numbers.weight_scales[c]) &&
            static_cast<double>(weights[c].magnitudes) * largest + bias < 0x1p24 &&
            (numbers.bias.empty() ||
             numbers.bias[c] == static_cast<float>(this->bias[c] * (step * numbers.out_scale)));
  }
  if (!exact) doubts = std::move(found);
}

Requantization requantization_of(const IntegerLayer& layer, const std::vector<std::size_t>& channels) {
  Requantization r;
  r.zero_point = layer.output_zero;
  r.low = layer.range.low;
  r.high = layer.range.high;
  r.quick = layer.scales.empty();
  for (std::size_t c : channels) {
    const bool there = c < layer.multipliers.size();
    const tflite::Multiplier m = there ? layer.multipliers[c] : tflite::Multiplier{0, -1};
    r.mantissa.push_back(m.mantissa);
    r.left_shift.push_back(std::max(m.shift, 0));
    r.right_shift.push_back(std::max(-m.shift, 0));
    r.quick = r.quick && m.shift < 0 && -m.shift <= kMostShift;
    r.scale.push_back(std::ldexp(static_cast<float>(m.mantissa), m.shift - 31));
    r.offset.push_back(std::ldexp(1.0f, m.shift - 1));
    if (!layer.scales.empty()) r.real_scale.push_back(there ? layer.scales[c] : 0.0f);
    if (!layer.doubts.empty()) r.doubt.push_back(there ? layer.doubts[c] : 0.0f);
  }
  return r;
}

}  // namespace npubin::exec::fast
