// Layers that compute element by element or along an axis.
#include <fmt/format.h>

#include "formats/armnn/layer_import.h"

namespace npubin::armnn::importers {

using namespace npubin::graph;

void activation(LayerImport& at) {
  // By ActivationFunction.
  constexpr Activation kFunctions[] = {Activation::Sigmoid,   Activation::TanH,        Activation::Linear,
                                       Activation::ReLu,      Activation::BoundedReLu, Activation::SoftReLu,
                                       Activation::LeakyReLu, Activation::Abs,         Activation::Sqrt,
                                       Activation::Square,    Activation::Elu,         Activation::HardSwish,
                                       Activation::Gelu};
  ActivationAttributes out;
  const std::int32_t function = at.descriptor.enumeration("activationFunction");
  if (function < 0 || function >= static_cast<std::int32_t>(std::size(kFunctions))) return;  // reported
  out.function = kFunctions[function];
  out.a = at.descriptor.f32("a");
  out.b = at.descriptor.f32("b");
  at.node.op = Op::Activation;
  at.node.attributes = out;
}

void softmax(LayerImport& at) {
  at.node.op = Op::Softmax;
  at.node.attributes = SoftmaxAttributes{at.descriptor.f32("beta"), at.descriptor.i32("axis")};
}

void log_softmax(LayerImport& at) {
  at.node.op = Op::LogSoftmax;
  at.node.attributes = SoftmaxAttributes{at.descriptor.f32("beta"), at.descriptor.i32("axis")};
}

namespace {

// Sets the op that stands at an enumeration's value; values out of range have been reported.
template <std::size_t N>
void choose(LayerImport& at, const Op (&ops)[N]) {
  const std::int32_t operation = at.descriptor.enumeration("operation");
  if (operation >= 0 && static_cast<std::size_t>(operation) < N) at.node.op = ops[operation];
}

}  // namespace

void comparison(LayerImport& at) {
  constexpr Op kOps[] = {Op::Equal, Op::Greater, Op::GreaterEqual, Op::Less, Op::LessEqual, Op::NotEqual};
  choose(at, kOps);
  at.node.attributes = BinaryAttributes{};
}

void elementwise_unary(LayerImport& at) {
  constexpr Op kOps[] = {Op::Abs,        Op::Rsqrt, Op::Sqrt, Op::Exp, Op::Neg,
                         Op::LogicalNot, Op::Log,   Op::Sin,  Op::Ceil};
  choose(at, kOps);
}

void elementwise_binary(LayerImport& at) {
  constexpr Op kOps[] = {Op::Add,     Op::Div, Op::Maximum,           Op::Minimum,
                         Op::Mul,     Op::Sub, Op::SquaredDifference, Op::Pow,
                         Op::FloorDiv};
  choose(at, kOps);
  at.node.attributes = BinaryAttributes{};
}

void logical_binary(LayerImport& at) {
  constexpr Op kOps[] = {Op::LogicalAnd, Op::LogicalOr};
  choose(at, kOps);
  at.node.attributes = BinaryAttributes{};
}

namespace {

void reduction(LayerImport& at, ReduceOperation operation) {
  ReduceAttributes out;
  out.operation = operation;
  out.keep_dims = at.descriptor.flag("keepDims");
  for (std::uint32_t axis : at.descriptor.u32s("axis")) out.axes.push_back(static_cast<std::int32_t>(axis));
  at.node.op = Op::Reduce;
  at.node.attributes = std::move(out);
}

}  // namespace

void mean(LayerImport& at) {
  reduction(at, ReduceOperation::Mean);
}

void reduce(LayerImport& at) {
  constexpr ReduceOperation kOperations[] = {ReduceOperation::Sum, ReduceOperation::Max,
                                             ReduceOperation::Mean, ReduceOperation::Min,
                                             ReduceOperation::Prod};
  const std::int32_t operation = at.descriptor.enumeration("reduceOperation");
  if (operation >= 0 && operation < 5) reduction(at, kOperations[operation]);
}

void arg_min_max(LayerImport& at) {
  at.node.op = Op::ArgMinMax;
  at.node.attributes =
      ArgMinMaxAttributes{at.descriptor.enumeration("argMinMaxFunction") == 1, at.descriptor.i32("axis")};
}

void fill(LayerImport& at) {
  at.node.op = Op::Fill;
  at.node.attributes = FillAttributes{at.descriptor.f32("value")};
}

}  // namespace npubin::armnn::importers
