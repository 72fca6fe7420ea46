// Element-wise operators with two or three operands that the float32 kernels do not take: codes by TensorFlow
// Lite's rules in integers, plain integers, comparisons, logic, choices, and float32 operands that repeat in
// other ways than as a whole.
#include "exec/fast/pair_kernels.h"

#include <optional>

#include "exec/fast/kernels_codes.h"
#include "exec/fast/kernels_f32.h"
#include "exec/fast/kernels_plain.h"
#include "exec/reference/tflite/rescaling.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::Rules;

// Other operators have none (tflite spec 3).
graph::ActivationAttributes fused_activation(const graph::Node& node) {
  if (node.op != Op::Add && node.op != Op::Sub && node.op != Op::Mul && node.op != Op::Div) return {};
  const auto* attributes = std::get_if<graph::BinaryAttributes>(&node.attributes);
  return attributes == nullptr ? graph::ActivationAttributes{} : attributes->activation;
}

bool is_comparison(Op op) {
  switch (op) {
    case Op::Equal:
    case Op::NotEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::Less:
    case Op::LessEqual:
      return true;
    default:
      return false;
  }
}

// x > y is y < x, x != y is the contrary of x == y.
struct ComparisonForm {
  bool equal = false, or_equal = false, turned = false, negated = false;
};
ComparisonForm form_of(Op op) {
  ComparisonForm form;
  form.equal = op == Op::Equal || op == Op::NotEqual;
  form.negated = op == Op::NotEqual;
  form.turned = op == Op::Greater || op == Op::GreaterEqual;
  form.or_equal = op == Op::GreaterEqual || op == Op::LessEqual;
  return form;
}

// ---- codes ----

template <class T>
void set_range(const graph::ActivationAttributes& activation, const Quantization& out, CodePair& pair) {
  const auto range = tflite::activation_range<T>(activation, out);
  pair.low = range.low;
  pair.high = range.high;
}

std::int32_t zero_of(const graph::Value& value) {
  return static_cast<std::int32_t>(value.quantization.zero_point());
}

bool has_one_scale(const graph::Value& value) {
  return value.quantization.present() && !value.quantization.per_axis() && value.quantization.scale() > 0;
}

// Real factors of Mul and Prelu as the reference takes them (tflite spec 3 and 4).
bool set_multipliers(const graph::Node& node, const graph::Value& a, const graph::Value& b,
                     const graph::Value& out, CodePair& pair) {
  const double sa = a.quantization.scale(), sb = b.quantization.scale(), so = out.quantization.scale();
  switch (node.op) {
    case Op::Add:
    case Op::Sub:
    case Op::SquaredDifference: {
      const tflite::Rescaling r = tflite::rescaling_of(
          node.op, a.quantization.scale(), b.quantization.scale(), out.quantization.scale(), size_of(a.type));
      pair.op = node.op == Op::Add   ? CodePairOp::Add
                : node.op == Op::Sub ? CodePairOp::Sub
                                     : CodePairOp::SquaredDifference;
      pair.a = r.a, pair.b = r.b, pair.out = r.out;
      pair.left_shift = r.left_shift;
      return true;
    }
    case Op::Mul:
      pair.op = CodePairOp::Mul;
      pair.out = tflite::quantize_multiplier(sa * sb / so);
      // Differences of 16 bits need their zero points to be 0, or products leave 32 bits.
      return a.type != DType::I16 || (zero_of(a) == 0 && zero_of(b) == 0);
    case Op::Prelu:
      pair.op = CodePairOp::Prelu;
      pair.a = tflite::quantize_multiplier(sa / so);
      pair.out = tflite::quantize_multiplier(sa * sb / so);
      return b.type == DType::I8;
    default:
      return false;
  }
}

bool set_comparison(Op op, const graph::Value& a, const graph::Value& b, CodePair& pair) {
  const ComparisonForm form = form_of(op);
  pair.op = form.equal ? CodePairOp::Equal : form.or_equal ? CodePairOp::LessEqual : CodePairOp::Less;
  pair.negated = form.negated;
  pair.left_shift = 8;
  pair.a = tflite::quantize_multiplier(a.quantization.scale());
  pair.b = tflite::quantize_multiplier(b.quantization.scale());
  return true;
}

RunKernel turned(RunKernel kernel) {
  return [kernel = std::move(kernel)](const Run& r) {
    kernel({r.b, r.a, r.c, r.b_stays, r.a_stays, r.c_stays, r.out, r.count});
  };
}

RunKernel code_pair_kernel(const Draft& draft, const graph::Node& node) {
  const graph::Value *a = &draft.value(node.inputs[0]), *b = &draft.value(node.inputs[1]);
  const graph::Value& out = draft.value(node.outputs[0]);
  const bool comparison = is_comparison(node.op);
  if (node.rules != Rules::Tflite || !has_one_scale(*a) || !has_one_scale(*b) ||
      (!comparison && (!has_one_scale(out) || out.type != a->type)))
    return nullptr;
  if (a->type != DType::I8 && a->type != DType::U8 && a->type != DType::I16) return nullptr;
  CodePair pair;
  pair.type = a->type;
  if (comparison && form_of(node.op).turned) std::swap(a, b);
  if (!(comparison ? set_comparison(node.op, *a, *b, pair) : set_multipliers(node, *a, *b, out, pair)))
    return nullptr;
  pair.zero_a = zero_of(*a);
  pair.zero_b = zero_of(*b);
  if (!takes_shift(pair.a) || !takes_shift(pair.b) || !takes_shift(pair.out)) return nullptr;
  if (!comparison) {
    pair.zero_out = zero_of(out);
    const auto activation = fused_activation(node);
    if (out.type == DType::I8) set_range<std::int8_t>(activation, out.quantization, pair);
    if (out.type == DType::U8) set_range<std::uint8_t>(activation, out.quantization, pair);
    if (out.type == DType::I16) set_range<std::int16_t>(activation, out.quantization, pair);
  }
  RunKernel kernel = [pair](const Run& r) {
    code_pairs(pair, r.a, r.a_stays, r.b, r.b_stays, r.out, r.count);
  };
  return comparison && form_of(node.op).turned ? turned(std::move(kernel)) : kernel;
}

// ---- numbers without a scale ----

std::optional<PlainPairOp> plain_op(Op op) {
  switch (op) {
    case Op::Add:
      return PlainPairOp::Add;
    case Op::Sub:
      return PlainPairOp::Sub;
    case Op::Mul:
      return PlainPairOp::Mul;
    case Op::SquaredDifference:
      return PlainPairOp::SquaredDifference;
    case Op::Minimum:
      return PlainPairOp::Min;
    case Op::Maximum:
      return PlainPairOp::Max;
    case Op::LogicalAnd:
      return PlainPairOp::And;
    case Op::LogicalOr:
      return PlainPairOp::Or;
    default:
      break;
  }
  if (!is_comparison(op)) return std::nullopt;
  const ComparisonForm form = form_of(op);
  return form.equal ? PlainPairOp::Equal : form.or_equal ? PlainPairOp::LessEqual : PlainPairOp::Less;
}

// Arm NN's elements are decoded before anything is done to them: of its rules only float32 and plain integers
// are taken. It compares integers as float32 too, where large ones are equal to their neighbours.
RunKernel plain_pair_kernel(const Draft& draft, const graph::Node& node) {
  const auto op = plain_op(node.op);
  const DType type = draft.value(node.inputs[0]).type;
  const bool decoded = type != DType::F32 && (type != DType::I32 || is_comparison(node.op));
  if (!op || (node.rules != Rules::Tflite && decoded)) return nullptr;
  if (fused_activation(node).function != graph::Activation::None) return nullptr;
  const PlainPairs pairs = plain_pairs(*op, type);
  if (pairs == nullptr) return nullptr;
  RunKernel kernel = [pairs](const Run& r) { pairs(r.a, r.a_stays, r.b, r.b_stays, r.out, r.count); };
  if (!is_comparison(node.op)) return kernel;
  if (form_of(node.op).turned) return turned(std::move(kernel));
  if (!form_of(node.op).negated) return kernel;
  return [kernel = std::move(kernel)](const Run& r) {
    kernel(r);
    negate_bytes(reinterpret_cast<std::uint8_t*>(r.out), r.count);
  };
}

// Operands that repeat as a whole are make_elementwise()'s.
RunKernel float_pair_kernel(const Draft& draft, const graph::Node& node) {
  const auto op = float_binary(node.op);
  const auto is_f32 = [&](graph::ValueId id) { return draft.value(id).type == DType::F32; };
  if (!op || !is_f32(node.inputs[0]) || !is_f32(node.inputs[1]) || !is_f32(node.outputs[0])) return nullptr;
  return [op = *op, activation = fused_activation(node)](const Run& r) {
    auto* const out = reinterpret_cast<float*>(r.out);
    binary(op, reinterpret_cast<const float*>(r.a), r.a_stays ? 1 : r.count,
           reinterpret_cast<const float*>(r.b), r.b_stays ? 1 : r.count, out, r.count);
    if (activation.function != graph::Activation::None) activate(activation, out, out, r.count);
  };
}

RunKernel choice_kernel(const Draft& draft, const graph::Node& node) {
  const std::size_t size = size_of(draft.value(node.outputs[0]).type);
  if (node.rules != Rules::Tflite || node.inputs.size() != 3 || size > 8) return nullptr;
  return [size](const Run& r) {
    choose({reinterpret_cast<const std::uint8_t*>(r.a), r.b, r.c, r.a_stays, r.b_stays, r.c_stays}, size,
           r.out, r.count);
  };
}

}  // namespace

PairKernel pair_kernel(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op == Op::Select) return {choice_kernel(draft, node), "own choice", false};
  const graph::Value &a = draft.value(node.inputs[0]), &b = draft.value(node.inputs[1]);
  if (a.type != b.type && node.op != Op::Prelu) return {};
  PairKernel kernel{code_pair_kernel(draft, node), "own codes", true};
  if (!kernel.run) kernel = {decoded_pair_kernel(draft, entry), "own decoded codes", true};
  if (!kernel.run) kernel = {float_pair_kernel(draft, node), "own element-wise", true};
  if (!kernel.run) kernel = {plain_pair_kernel(draft, node), "own element-wise", false};
  return kernel;
}

}  // namespace npubin::exec::fast
