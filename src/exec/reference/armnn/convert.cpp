// Quantize, Dequantize, Fill, Rank (armnn spec 3).
#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {

namespace {
std::string conversion_limits(Limits& check, bool to_codes) {
  if (check.operands(1, 1) && check.numeric() &&
      check.require(
          is_float(check.out().type) != to_codes,
          fmt::format("it turns {} into {}", to_string(check.in(0).type), to_string(check.out().type))))
    check.output_shape(check.in(0).shape);
  return check.why();
}
}  // namespace

std::string quantize_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  return conversion_limits(check, true);
}
Result<void> quantize(const KernelCall& call) {
  encode(decode(call.input(0)), call.output());
  return {};
}

std::string dequantize_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  return conversion_limits(check, false);
}
Result<void> dequantize(const KernelCall& call) {
  encode(decode(call.input(0)), call.output());
  return {};
}

// The operand holds the wanted dimensions.
std::string fill_layer_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (check.operands(1, 1) && check.type_of_input(0, DType::I32) && check.rank_of_input(0, 1, 1) &&
      check.require(is_numeric(check.out().type) || check.out().type == DType::I32,
                    fmt::format("its output is {}", to_string(check.out().type))))
    check.require(check.in(0).shape[0] == static_cast<std::int64_t>(check.out().shape.size()),
                  fmt::format("{} dimensions are given for an output {}", check.in(0).shape[0],
                              npubin::to_string(check.out().shape)));
  return check.why();
}

Result<void> fill_layer(const KernelCall& call) {
  const auto wanted = call.input(0).as<std::int32_t>();
  const Shape& shape = call.output().shape();
  if (!std::equal(wanted.begin(), wanted.end(), shape.begin(), shape.end()))
    return malformed(
        {}, fmt::format("the wanted shape {} is not that of the output, {}",
                        npubin::to_string(Shape(wanted.begin(), wanted.end())), npubin::to_string(shape)));
  fill(call.node.attr<graph::FillAttributes>().value, call.output(), call.output().quantization());
  return {};
}

std::string rank_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  if (check.operands(1, 1))
    check.require(check.out().type == DType::I32 && count_of(check.out().shape) == 1,
                  fmt::format("its output is {} {}", to_string(check.out().type),
                              npubin::to_string(check.out().shape)));
  return check.why();
}

Result<void> rank(const KernelCall& call) {
  call.output().as_mutable<std::int32_t>()[0] = static_cast<std::int32_t>(call.input(0).rank());
  return {};
}

}  // namespace npubin::exec::armnn
