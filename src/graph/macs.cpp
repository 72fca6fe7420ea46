#include "npubin/graph.h"

namespace npubin::graph {
namespace {

std::uint64_t elements(const Graph& graph, ValueId id) {
  return id == kNoValue ? 0 : static_cast<std::uint64_t>(count_of(graph.value(id).shape));
}

// Products per output element of a convolution: the weights of one output channel.
std::uint64_t weights_per_output(const Graph& graph, const Node& node, std::uint64_t output_channels) {
  return output_channels == 0 ? 0 : elements(graph, node.inputs[1]) / output_channels;
}

// TensorFlow Lite gives the output's shape as the first operand.
ValueId transpose_conv_image(const Node& node) {
  if (node.rules != Rules::Tflite) return node.inputs[0];
  return node.inputs.size() > 2 ? node.inputs[2] : kNoValue;
}

}  // namespace

std::uint64_t macs_of(const Graph& graph, const Node& node) {
  if (node.outputs.empty() || node.inputs.size() < 2 || node.inputs[1] == kNoValue) return 0;
  const Shape& weights = graph.value(node.inputs[1]).shape;
  const std::uint64_t outputs = elements(graph, node.outputs[0]);
  switch (node.op) {
    case Op::Conv2d:
      return weights.empty()
                 ? 0
                 : outputs * weights_per_output(graph, node, static_cast<std::uint64_t>(weights[0]));
    case Op::TransposeConv2d:
      return weights.empty()
                 ? 0
                 : elements(graph, transpose_conv_image(node)) *
                       weights_per_output(
                           graph, node, static_cast<std::uint64_t>(weights.back() == 0 ? 1 : weights.back()));
    case Op::DepthwiseConv2d: {
      if (weights.size() != 4) return 0;
      const bool mihw = node.attr<ConvAttributes>().depthwise_weights == DepthwiseWeights::Mihw;
      return outputs * static_cast<std::uint64_t>(mihw ? weights[2] * weights[3] : weights[1] * weights[2]);
    }
    case Op::FullyConnected: {
      const bool transposed = node.attr<FullyConnectedAttributes>().weights_transposed;
      if (weights.size() != 2) return 0;
      return outputs * static_cast<std::uint64_t>(transposed ? weights[1] : weights[0]);
    }
    case Op::BatchMatMul: {
      const Shape& left = graph.value(node.inputs[0]).shape;
      if (left.size() < 2) return 0;
      const bool transposed = node.attr<BatchMatMulAttributes>().transpose_x;
      return outputs * static_cast<std::uint64_t>(left[left.size() - (transposed ? 2 : 1)]);
    }
    default:
      return 0;
  }
}

}  // namespace npubin::graph
