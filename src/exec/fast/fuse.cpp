// Fusion into convolutions and products of float32.
#include <cmath>
#include <optional>
#include <span>

#include "exec/fast/draft.h"
#include "exec/fast/uses.h"

namespace npubin::exec::fast {
namespace {

using graph::Activation;
using graph::Op;
using graph::ValueId;

bool takes_post_operations(const Draft& draft, const graph::Node& node) {
  switch (node.op) {
    case Op::Conv2d:
    case Op::DepthwiseConv2d:
    case Op::FullyConnected:
      break;
    default:
      return false;
  }
  for (ValueId id : node.inputs)
    if (id != graph::kNoValue && draft.value(id).type != DType::F32) return false;
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i] != graph::kNoValue && !draft.is_constant(node.inputs[i])) return false;
  return draft.value(node.outputs[0]).type == DType::F32;
}

// The activation that the format's own attributes carry.
graph::ActivationAttributes& own_activation(graph::Node& node) {
  if (node.op == Op::FullyConnected)
    return std::get<graph::FullyConnectedAttributes>(node.attributes).activation;
  return std::get<graph::ConvAttributes>(node.attributes).activation;
}

std::size_t output_channels(const Draft& draft, const graph::Node& node) {
  const Shape& shape = draft.value(node.outputs[0]).shape;
  const bool nchw =
      node.op != Op::FullyConnected && node.attr<graph::ConvAttributes>().layout == graph::DataLayout::Nchw;
  return static_cast<std::size_t>(shape[nchw ? 1 : shape.size() - 1]);
}

// Index of the output channel that a weight belongs to.
std::size_t channel_of_weight(const Draft& draft, const graph::Node& node, std::size_t i) {
  const Shape& w = draft.value(node.inputs[1]).shape;
  const auto d = [&](std::size_t k) { return static_cast<std::size_t>(w[k]); };
  if (node.op == Op::FullyConnected)
    return node.attr<graph::FullyConnectedAttributes>().weights_transposed ? i / d(1) : i % d(1);
  if (node.op == Op::Conv2d) return i / (d(1) * d(2) * d(3));
  if (node.attr<graph::ConvAttributes>().depthwise_weights == graph::DepthwiseWeights::Hwim1) return i % d(3);
  const std::size_t area = d(2) * d(3);
  return i / area % d(1) * d(0) + i / (d(1) * area);
}

ValueId add_constant(Draft& draft, Tensor tensor) {
  graph::Value value;
  value.type = tensor.type();
  value.shape = tensor.shape();
  value.constant = std::move(tensor);
  return draft.graph.add_value(std::move(value));
}

void scale_weights(const Draft& draft, const graph::Node& node, const std::vector<float>& factor,
                   std::span<float> w) {
  const std::size_t block = factor.empty() ? 0 : w.size() / factor.size();
  if (node.op == Op::Conv2d && block > 0) {  // one block of each output channel
    for (std::size_t c = 0; c < factor.size(); ++c)
      for (float& x : w.subspan(c * block, block)) x *= factor[c];
    return;
  }
  for (std::size_t i = 0; i < w.size(); ++i) w[i] *= factor[channel_of_weight(draft, node, i)];
}

// result = factor[c] * result + addend[c], worked into weights and bias.
void scale_channels(Draft& draft, graph::Node& node, const std::vector<float>& factor,
                    const std::vector<float>& addend) {
  Tensor weights = draft.value(node.inputs[1]).constant->clone();
  auto w = weights.as_mutable<float>();
  scale_weights(draft, node, factor, w);
  Tensor bias(DType::F32, {static_cast<std::int64_t>(factor.size())});
  auto b = bias.as_mutable<float>();
  const bool has_bias = node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue;
  for (std::size_t c = 0; c < b.size(); ++c)
    b[c] = (has_bias ? draft.value(node.inputs[2]).constant->as<float>()[c] * factor[c] : 0.0f) + addend[c];
  node.inputs.resize(3, graph::kNoValue);
  node.inputs[1] = add_constant(draft, std::move(weights));
  node.inputs[2] = add_constant(draft, std::move(bias));
}

bool has_channel_layout(const Draft& draft, const graph::Node& producer, const graph::Node& normalization) {
  if (producer.op == Op::FullyConnected) return false;
  return producer.attr<graph::ConvAttributes>().layout ==
             normalization.attr<graph::NormalizationAttributes>().layout &&
         draft.value(producer.outputs[0]).shape.size() == 4;
}

bool fuse_batch_normalization(Draft& draft, DraftNode& producer, const graph::Node& reader) {
  if (!producer.post.empty() || !has_channel_layout(draft, producer.node, reader) ||
      reader.inputs.size() != 5)
    return false;
  const auto& a = reader.attr<graph::NormalizationAttributes>();
  if (a.activation.function != Activation::None) return false;
  for (std::size_t i = 1; i < 5; ++i)
    if (!draft.is_constant(reader.inputs[i]) || draft.value(reader.inputs[i]).type != DType::F32)
      return false;
  const auto operand = [&](std::size_t i) { return draft.value(reader.inputs[i]).constant->as<float>(); };
  const std::size_t channels = output_channels(draft, producer.node);
  std::vector<float> factor(channels), addend(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    factor[c] = operand(4)[c] / std::sqrt(operand(2)[c] + a.epsilon);
    addend[c] = operand(3)[c] - factor[c] * operand(1)[c];
  }
  scale_channels(draft, producer.node, factor, addend);
  return true;
}

// A constant that holds one number, or one per channel of the last dimension.
std::optional<std::vector<float>> per_channel(const Draft& draft, ValueId id, std::size_t channels) {
  if (!draft.is_constant(id) || draft.value(id).type != DType::F32) return std::nullopt;
  const Shape& shape = draft.value(id).shape;
  const auto values = draft.value(id).constant->as<float>();
  if (values.size() == 1) return std::vector<float>(channels, values[0]);
  if (values.size() != channels || shape.back() != static_cast<std::int64_t>(channels)) return std::nullopt;
  return std::vector<float>(values.begin(), values.end());
}

bool channels_last(const graph::Node& node) {
  return node.op == Op::FullyConnected ||
         node.attr<graph::ConvAttributes>().layout == graph::DataLayout::Nhwc;
}

graph::ActivationAttributes binary_activation(const graph::Node& node) {
  const auto* a = std::get_if<graph::BinaryAttributes>(&node.attributes);
  return a == nullptr ? graph::ActivationAttributes{} : a->activation;
}

void push_activation(DraftNode& producer, const graph::ActivationAttributes& activation) {
  if (activation.function != Activation::None) producer.post.push_back({activation, graph::kNoValue});
}

bool fuse_binary(Draft& draft, DraftNode& producer, const graph::Node& reader) {
  const ValueId result = producer.node.outputs[0];
  const bool first = reader.inputs[0] == result;
  const ValueId other = reader.inputs[first ? 1 : 0];
  if (draft.value(reader.outputs[0]).shape != draft.value(result).shape) return false;
  const auto constant = per_channel(draft, other, output_channels(draft, producer.node));
  if (constant && producer.post.empty() && channels_last(producer.node)) {
    std::vector<float> factor(constant->size(), 1.0f), addend(constant->size(), 0.0f);
    (reader.op == Op::Mul ? factor : addend) = *constant;
    scale_channels(draft, producer.node, factor, addend);
  } else if (reader.op == Op::Add && !draft.is_constant(other) && other != result &&
             draft.value(other).shape == draft.value(result).shape && draft.value(other).type == DType::F32) {
    producer.post.push_back({{}, other});
  } else {
    return false;
  }
  push_activation(producer, binary_activation(reader));
  return true;
}

bool absorb(Draft& draft, DraftNode& producer, const graph::Node& reader) {
  if (draft.value(reader.outputs[0]).type != DType::F32 || reader.outputs.size() != 1) return false;
  switch (reader.op) {
    case Op::Activation: {
      const auto& a = reader.attr<graph::ActivationAttributes>();
      if (a.function == Activation::Gelu || (a.function == Activation::TanH && (a.a != 1 || a.b != 1)))
        return false;
      push_activation(producer, a);
      return true;
    }
    case Op::BatchNormalization:
      return fuse_batch_normalization(draft, producer, reader);
    case Op::Add:
    case Op::Mul:
      return fuse_binary(draft, producer, reader);
    default:
      return false;
  }
}

}  // namespace

void fuse(Draft& draft) {
  constexpr std::size_t kMostPostOperations = 4;
  const Uses uses(draft);
  std::vector<bool> gone(draft.nodes.size(), false);
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    if (gone[i] || !takes_post_operations(draft, draft.nodes[i].node)) continue;
    DraftNode entry = std::move(draft.nodes[i]);
    push_activation(entry, own_activation(entry.node));
    own_activation(entry.node) = {};
    std::size_t at = i;
    while (uses.single(entry.node.outputs[0]) && entry.post.size() < kMostPostOperations) {
      const std::size_t next = uses.reader(entry.node.outputs[0]);
      if (gone[next] || next <= at) break;
      const graph::Node reader = draft.nodes[next].node;
      if (!draft.nodes[next].post.empty() || !absorb(draft, entry, reader)) break;
      entry.absorbed.push_back(reader.source_type.empty() ? std::string(to_string(reader.op))
                                                          : reader.source_type);
      entry.node.outputs = reader.outputs;
      gone[at] = true;
      at = next;
    }
    // The fused node runs where its last part ran: every operand exists by then.
    draft.nodes[at] = std::move(entry);
    gone[at] = false;
  }
  std::vector<DraftNode> kept;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(draft.nodes[i]));
  draft.nodes = std::move(kept);
}

}  // namespace npubin::exec::fast
