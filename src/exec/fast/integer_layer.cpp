#include "exec/fast/integer_layer.h"

#include <algorithm>
#include <cmath>

namespace npubin::exec::fast {
namespace {

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

// The largest right shift that the float32 form of the requantisation is made for.
constexpr int kMostShift = 31;

}  // namespace

bool integer_operands(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.inputs.size() < 2) return false;
  if (!per_tensor(draft.value(node.inputs[0]), DType::I8) ||
      !per_tensor(draft.value(node.outputs[0]), DType::I8))
    return false;
  const graph::Value& weights = draft.value(node.inputs[1]);
  if (!weights.constant || weights.type != DType::I8 || count_of(weights.shape) == 0) return false;
  for (std::int64_t zero : weights.quantization.zero_points)
    if (zero != 0) return false;
  if (node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue) return true;
  const graph::Value& bias = draft.value(node.inputs[2]);
  return bias.constant && bias.type == DType::I32 &&
         (node.rules == graph::Rules::Tflite || bias_fits(draft.value(node.inputs[0]), weights, bias));
}

std::int32_t IntegerLayer::start(std::size_t channel, std::int64_t weight_sum) const {
  return tflite::wrap32(bias[channel] - (128 + std::int64_t{input_zero}) * weight_sum);
}

IntegerLayer integer_layer(const Draft& draft, const graph::Node& node,
                           const graph::ActivationAttributes& activation, std::size_t outputs) {
  Tensor in(DType::I8, {0}, draft.value(node.inputs[0]).quantization);
  Tensor out(DType::I8, {0}, draft.value(node.outputs[0]).quantization);
  const Tensor& weights = *draft.value(node.inputs[1]).constant;
  const tflite::ProductOperands operands{
      in, weights, nullptr, out, activation, tflite::Wide::NoInt32Bias, node.op == Op::FullyConnected};
  IntegerLayer layer;
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
  }
  return r;
}

}  // namespace npubin::exec::fast
