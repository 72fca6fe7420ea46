// Activation (armnn spec 3).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::Activation;
using graph::ActivationAttributes;

float activate(const ActivationAttributes& f, float x) {
  switch (f.function) {
    case Activation::Sigmoid:
      return 1.0f / (1.0f + std::exp(-x));
    case Activation::TanH:
      return f.a * std::tanh(f.b * x);
    case Activation::Linear:
      return f.a * x + f.b;
    case Activation::ReLu:
      return std::max(0.0f, x);
    case Activation::BoundedReLu:
      return std::min(f.a, std::max(f.b, x));
    case Activation::SoftReLu:
      return std::log(1.0f + std::exp(x));
    case Activation::LeakyReLu:
      return x > 0.0f ? x : x * f.a;
    case Activation::Abs:
      return x < 0 ? -x : x;
    case Activation::Sqrt:
      return std::sqrt(x);
    case Activation::Square:
      return x * x;
    case Activation::Elu:
      return x >= 0 ? x : f.a * (std::exp(x) - 1);
    case Activation::HardSwish:
      return x * std::min(std::max(x + 3, 0.0f), 6.0f) / 6;
    case Activation::None:
    case Activation::Gelu:
      break;
  }
  return x;
}

}  // namespace

std::string activation_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const Activation function = node.attr<ActivationAttributes>().function;
  if (check.require(function != Activation::Gelu && function != Activation::None,
                    fmt::format("the function {}", graph::to_string(function))) &&
      check.operands(1, 1) && check.numeric() && check.one_type())
    check.output_shape(check.in(0).shape);
  return check.why();
}

Result<void> activation(const KernelCall& call) {
  WorkVector<float> values = decode(call.input(0));
  const auto& function = call.node.attr<ActivationAttributes>();
  for (float& x : values) x = activate(function, x);
  encode(values, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
