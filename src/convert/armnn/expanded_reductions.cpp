// Reductions that Arm NN 20.08 has no layer for, by those it has.
#include <algorithm>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

std::vector<std::size_t> reduced_axes(const Shape& shape, const std::vector<std::int32_t>& axes) {
  std::vector<std::size_t> out;
  const auto rank = static_cast<std::int32_t>(shape.size());
  for (std::int32_t axis : axes) {
    const auto d = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (std::find(out.begin(), out.end(), d) == out.end()) out.push_back(d);
  }
  if (axes.empty())
    for (std::size_t d = 0; d < shape.size(); ++d) out.push_back(d);
  std::sort(out.begin(), out.end());
  return out;
}

// The mean in a scale that is finer by the number of elements, times that number: the codes are the sum's.
std::string sum(ArmnnRewrite& out, const graph::Node& node, std::int64_t count) {
  ReduceAttributes mean = node.attr<ReduceAttributes>();
  mean.operation = ReduceOperation::Mean;
  const Value result = out.value(node.outputs[0]);
  const auto factor = static_cast<float>(count);
  if (result.shape.empty()) return "to a scalar";
  if (out.is_code(node.outputs[0])) {
    Quantization fine = result.quantization;
    fine.scales = {fine.scale() / factor};
    const ValueId parts = out.temporary(node.outputs[0], result.shape);
    out.set_quantization(parts, fine);
    out.add(Op::Reduce, mean, {node.inputs[0]}, {parts});
    out.add(Op::Activation, ActivationAttributes{Activation::Linear, factor, 0, false}, {parts},
            node.outputs);
    return {};
  }
  const ValueId parts = out.temporary(node.outputs[0], result.shape);
  out.add(Op::Reduce, mean, {node.inputs[0]}, {parts});
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, factor, 0, false}, {parts}, node.outputs);
  return {};
}

// Codes of -x: the scale of x, its range turned about 0.
Quantization negated(const Value& value) {
  Quantization q = value.quantization;
  const std::int64_t sum = value.type == DType::U8 ? 255 : value.type == DType::I8 ? -1 : 0;
  q.zero_points = {sum - q.zero_point()};
  return q;
}

ValueId minus(ArmnnRewrite& out, ValueId from) {
  const Value value = out.value(from);
  const ValueId to = out.temporary(from, value.shape);
  if (out.is_code(from)) out.set_quantization(to, negated(value));
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, -1, 0, false}, {from}, {to});
  return to;
}

// The reduced dimensions become one, which a maximum pool covers; a minimum is the maximum of what is
// negated.
std::string extreme(ArmnnRewrite& out, const graph::Node& node, const std::vector<std::size_t>& axes,
                    bool smallest) {
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape, to = out.value(node.outputs[0]).shape;
  if (shape.size() > 5) return "of more than five dimensions";
  if (out.value(x).type == DType::I32 || out.value(x).type == DType::I64) return "of plain integers";
  if (to.empty()) return "to a scalar";
  std::vector<std::int32_t> order;
  std::int64_t reduced = 1, kept = 1;
  for (std::size_t d : axes) {
    order.push_back(static_cast<std::int32_t>(d));
    reduced *= shape[d];
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (std::find(axes.begin(), axes.end(), d) != axes.end()) continue;
    order.push_back(static_cast<std::int32_t>(d));
    kept *= shape[d];
  }
  if (reduced == 0 || kept == 0 || reduced >= (1 << 24)) return "of so many elements";
  ValueId at = x;
  // -(-32768) has no code: int16 is negated in float.
  if (smallest && out.value(x).type == DType::I16) {
    at = out.float_temporary(shape);
    out.add(Op::Dequantize, {}, {x}, {at});
  }
  if (!std::is_sorted(order.begin(), order.end())) {
    Shape turned;
    for (std::int32_t d : order) turned.push_back(shape[static_cast<std::size_t>(d)]);
    const ValueId moved = out.temporary(at, turned);
    out.add(Op::Transpose, TransposeAttributes{order}, {at}, {moved});
    at = moved;
  }
  const ValueId whole = at;
  at = out.reshaped(at, {1, reduced, 1, kept});
  if (smallest) at = minus(out, at);
  PoolAttributes pool;
  pool.size_y = static_cast<std::uint32_t>(reduced);
  ValueId best = out.temporary(at, {1, 1, 1, kept});
  out.add(Op::Pool2d, pool, {at}, {best});
  if (smallest) {
    const ValueId back = out.temporary(whole, {1, 1, 1, kept});
    out.add(Op::Activation, ActivationAttributes{Activation::Linear, -1, 0, false}, {best}, {back});
    best = back;
  }
  if (out.is_code(x) && !(out.value(best).quantization == out.value(node.outputs[0]).quantization)) {
    const ValueId rescaled = out.temporary(node.outputs[0], {1, 1, 1, kept});
    out.add(Op::Quantize, {}, {best}, {rescaled});
    best = rescaled;
  }
  out.add(Op::Reshape, ReshapeAttributes{to}, {best}, node.outputs);
  return {};
}

}  // namespace

std::string rewrite_reduce(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ReduceAttributes>();
  const Shape shape = out.value(node.inputs[0]).shape;
  if (a.operation == ReduceOperation::Mean) return rewrite_mean(out, node);
  const auto axes = reduced_axes(shape, a.axes);
  std::int64_t count = 1;
  for (std::size_t d : axes) count *= shape[d];
  switch (a.operation) {
    case ReduceOperation::Sum:
      if (out.value(node.inputs[0]).type == DType::I32 || out.value(node.inputs[0]).type == DType::I64)
        return "of plain integers";
      return sum(out, node, count);
    case ReduceOperation::Max:
    case ReduceOperation::Min:
      return extreme(out, node, axes, a.operation == ReduceOperation::Min);
    default:
      return "only sums, means and extremes can be computed";
  }
}

}  // namespace npubin::convert
