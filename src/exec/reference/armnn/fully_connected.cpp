// FullyConnected (armnn spec 3).
#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {

std::string fully_connected_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::FullyConnectedAttributes>();
  if (!check.operands(2, 3) || !check.rank_of_input(0, 1, 5) || !check.rank_of_input(1, 2, 2))
    return check.why();
  const graph::Value &in = check.in(0), &weights = check.in(1);
  const std::int64_t outputs = weights.shape[a.weights_transposed ? 0 : 1];
  const std::int64_t depth = weights.shape[a.weights_transposed ? 1 : 0];
  std::int64_t inner = 1;
  for (std::size_t d = 1; d < in.shape.size(); ++d) inner *= in.shape[d];
  if (!check.require(is_numeric(in.type) && in.type == check.out().type && is_numeric(weights.type),
                     fmt::format("it turns {} into {} with weights of {}", to_string(in.type),
                                 to_string(check.out().type), to_string(weights.type))) ||
      !check.scales_fit(0) || !check.scales_fit(1) ||
      !check.require(inner == depth,
                     fmt::format("its weights take {} elements, the input has {}", depth, inner)) ||
      !check.output_shape({in.shape[0], outputs}))
    return check.why();
  if (check.has(2)) {
    const graph::Value& bias = check.in(2);
    if (!check.require(count_of(bias.shape) == outputs && (is_numeric(bias.type) || bias.type == DType::I32),
                       fmt::format("its bias is {} {} for {} outputs", to_string(bias.type),
                                   to_string(bias.shape), outputs)) ||
        !check.scales_fit(2))
      return check.why();
  }
  return {};
}

Result<void> fully_connected(const KernelCall& call) {
  const bool transposed = call.node.attr<graph::FullyConnectedAttributes>().weights_transposed;
  const WorkVector<float> input = decode(call.input(0)), weights = decode(call.input(1));
  const Tensor* bias_tensor = call.optional_input(2);
  const WorkVector<float> bias = bias_tensor == nullptr ? WorkVector<float>() : decode(*bias_tensor);
  const auto batches = static_cast<std::size_t>(call.output().dim(0));
  const auto outputs = static_cast<std::size_t>(call.output().dim(1));
  const auto depth = static_cast<std::size_t>(call.input(1).dim(transposed ? 1 : 0));
  WorkVector<float> result(batches * outputs);
  for (std::size_t n = 0; n < batches; ++n)
    for (std::size_t o = 0; o < outputs; ++o) {
      float sum = 0;
      for (std::size_t k = 0; k < depth; ++k)
        sum += input[n * depth + k] * weights[transposed ? o * depth + k : k * outputs + o];
      result[n * outputs + o] = bias.empty() ? sum : sum + bias[o];
    }
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
