// Element-wise operators of float32 by the project's own kernels.
#include <optional>

#include "exec/fast/kernels_f32.h"
#include "exec/fast/periods.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;

std::size_t count_at(const Draft& draft, graph::ValueId id) {
  return static_cast<std::size_t>(count_of(draft.value(id).shape));
}

bool f32(const Draft& draft, const graph::Node& node) {
  for (graph::ValueId id : node.inputs)
    if (id == graph::kNoValue || draft.value(id).type != DType::F32) return false;
  return node.outputs.size() == 1 && draft.value(node.outputs[0]).type == DType::F32;
}

std::optional<Unary> unary_of(Op op) {
  switch (op) {
    case Op::Abs:
      return Unary::Abs;
    case Op::Neg:
      return Unary::Neg;
    case Op::Exp:
      return Unary::Exp;
    case Op::Log:
      return Unary::Log;
    case Op::Sqrt:
      return Unary::Sqrt;
    case Op::Rsqrt:
      return Unary::Rsqrt;
    case Op::Square:
      return Unary::Square;
    case Op::Floor:
      return Unary::Floor;
    case Op::Ceil:
      return Unary::Ceil;
    default:
      return std::nullopt;
  }
}

class BinaryStep : public Step {
 public:
  BinaryStep(const graph::Node& node, Binary op, std::size_t a, std::size_t b, std::size_t count)
      : node_(node), op_(op), period_a_(a), period_b_(b), count_(count) {
    if (const auto* attributes = std::get_if<graph::BinaryAttributes>(&node.attributes))
      activation_ = attributes->activation;
  }
  std::string kernel() const override { return "own element-wise"; }
  bool in_place(std::size_t k) const override { return (k == 0 ? period_a_ : period_b_) == count_; }
  Result<void> run(const Frame& frame) const override {
    float* out = frame.out<float>(node_.outputs[0]);
    binary(op_, frame.in<float>(node_.inputs[0]), period_a_, frame.in<float>(node_.inputs[1]), period_b_, out,
           count_);
    if (activation_.function != graph::Activation::None) activate(activation_, out, out, count_);
    return {};
  }

 private:
  const graph::Node& node_;
  Binary op_;
  std::size_t period_a_, period_b_, count_;
  graph::ActivationAttributes activation_;
};

class UnaryStep : public Step {
 public:
  UnaryStep(const graph::Node& node, std::optional<Unary> op, std::size_t count)
      : node_(node), op_(op), count_(count) {}
  std::string kernel() const override { return "own element-wise"; }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    if (op_) {
      unary(*op_, in, out, count_);
    } else {
      activate(node_.attr<graph::ActivationAttributes>(), in, out, count_);
    }
    return {};
  }

 private:
  const graph::Node& node_;
  std::optional<Unary> op_;  // else an Activation
  std::size_t count_;
};

// Not the numbers of the standard library to the bit.
bool approximate(const graph::Node& node) {
  if (node.op == Op::Exp || node.op == Op::Log) return true;
  const auto* a = node.op == Op::Activation ? &node.attr<graph::ActivationAttributes>() : nullptr;
  if (a == nullptr) return false;
  switch (a->function) {
    case graph::Activation::Sigmoid:
    case graph::Activation::TanH:
    case graph::Activation::SoftReLu:
    case graph::Activation::Elu:
      return true;
    default:
      return false;
  }
}

std::unique_ptr<Step> make_binary(const Draft& draft, const graph::Node& node, Binary op) {
  const Shape& out = draft.value(node.outputs[0]).shape;
  const auto a = period_over(draft.value(node.inputs[0]).shape, out),
             b = period_over(draft.value(node.inputs[1]).shape, out);
  const std::size_t count = count_at(draft, node.outputs[0]);
  if (!a || !b || count == 0 || (*a != count && *b != count)) return nullptr;
  // A short period calls the kernel once per block: below this the reference loop is as good.
  constexpr std::size_t kShortestBlock = 4;
  const std::size_t shorter = std::min(*a, *b);
  if (shorter != 1 && shorter < kShortestBlock) return nullptr;
  return std::make_unique<BinaryStep>(node, op, *a, *b, count);
}

}  // namespace

std::optional<Binary> float_binary(Op op) {
  switch (op) {
    case Op::Add:
      return Binary::Add;
    case Op::Sub:
      return Binary::Sub;
    case Op::Mul:
      return Binary::Mul;
    case Op::Div:
      return Binary::Div;
    case Op::Minimum:
      return Binary::Min;
    case Op::Maximum:
      return Binary::Max;
    case Op::SquaredDifference:
      return Binary::SquaredDifference;
    case Op::Prelu:
      return Binary::Prelu;
    default:
      return std::nullopt;
  }
}

std::unique_ptr<Step> make_elementwise(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || !f32(draft, node) || (entry.in_order && approximate(node))) return nullptr;
  if (const auto op = float_binary(node.op); op && node.inputs.size() == 2)
    return make_binary(draft, node, *op);
  const std::size_t count = count_at(draft, node.outputs[0]);
  if (const auto op = unary_of(node.op); op && node.inputs.size() == 1)
    return std::make_unique<UnaryStep>(node, op, count);
  if (node.op == Op::Activation &&
      node.attr<graph::ActivationAttributes>().function != graph::Activation::Gelu)
    return std::make_unique<UnaryStep>(node, std::nullopt, count);
  return nullptr;
}

}  // namespace npubin::exec::fast
