// Operators that Arm NN 20.08 has no layer for, by those it has.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/expansions.h"
#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

// An expansion must not make a file much larger than the model is.
constexpr std::int64_t kLargestBetween = 1 << 22;

ValueId step(ArmnnRewrite& out, Op op, ValueId a, ValueId b, Shape shape) {
  const ValueId to = out.temporary(a, std::move(shape));
  out.add(op, BinaryAttributes{}, {a, b}, {to});
  return to;
}

ValueId activated(ArmnnRewrite& out, ValueId from, Activation function, float a, float b) {
  const ValueId to = out.temporary(from, out.value(from).shape);
  out.add(Op::Activation, ActivationAttributes{function, a, b, false}, {from}, {to});
  return to;
}

bool is_code(const Value& value) {
  return value.quantization.present() && !is_float(value.type);
}

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
  if (is_code(result)) {
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
  if (is_code(value)) out.set_quantization(to, negated(value));
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
  if (is_code(out.value(x)) && !(out.value(best).quantization == out.value(node.outputs[0]).quantization)) {
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

namespace {

void concatenate(ArmnnRewrite& out, const std::vector<ValueId>& parts, std::size_t axis, ValueId to) {
  ConcatAttributes a;
  a.axis = static_cast<int>(axis);
  std::uint32_t offset = 0;
  for (ValueId id : parts) {
    std::vector<std::uint32_t> origin(out.value(id).shape.size(), 0);
    origin[axis] = offset;
    offset += static_cast<std::uint32_t>(out.value(id).shape[axis]);
    a.view_origins.push_back(std::move(origin));
  }
  out.add(Op::Concat, a, parts, {to});
}

}  // namespace

// Each dimension in turn: the tensor beside itself.
std::string rewrite_tile(ArmnnRewrite& out, const graph::Node& node) {
  constexpr std::int64_t kMostCopies = 1024;
  const auto& a = node.attr<TileAttributes>();
  ValueId now = node.inputs[0];
  std::size_t last = a.multiples.size();
  for (std::size_t d = 0; d < a.multiples.size(); ++d) {
    if (a.multiples[d] < 1) return "into an empty tensor";
    if (a.multiples[d] > kMostCopies) return fmt::format("{} copies", a.multiples[d]);
    if (a.multiples[d] != 1) last = d;
  }
  for (std::size_t d = 0; d < a.multiples.size(); ++d) {
    if (a.multiples[d] == 1) continue;
    Shape shape = out.value(now).shape;
    shape[d] *= a.multiples[d];
    const ValueId to = d == last ? node.outputs[0] : out.temporary(node.outputs[0], shape);
    concatenate(out, std::vector<ValueId>(static_cast<std::size_t>(a.multiples[d]), now), d, to);
    now = to;
  }
  if (now == node.inputs[0])
    out.add(Op::Reshape, ReshapeAttributes{out.value(now).shape}, {now}, node.outputs);
  return {};
}

namespace {

// `size` elements along `axis`, from `first` backwards.
ValueId backwards(ArmnnRewrite& out, ValueId from, std::size_t axis, std::int64_t first, std::int64_t size) {
  const Shape shape = out.value(from).shape;
  StridedSliceAttributes a;
  Shape part = shape;
  part[axis] = size;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    a.begin.push_back(d == axis ? static_cast<std::int32_t>(first) : 0);
    a.end.push_back(d == axis ? static_cast<std::int32_t>(first - size)
                              : static_cast<std::int32_t>(shape[d]));
    a.stride.push_back(d == axis ? -1 : 1);
  }
  // Beyond the front there is no index: the mask says "to the end".
  if (first - size < 0) a.end_mask = 1u << axis;
  const ValueId to = out.temporary(from, part);
  out.add(Op::StridedSlice, a, {from}, {to});
  return to;
}

}  // namespace

// Borders that run backwards, put beside the tensor one dimension after the other.
std::string rewrite_mirror_pad(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<PadAttributes>();
  if (out.value(node.inputs[0]).shape.size() > 4) return "mirrored in more than four dimensions";
  const std::int64_t skipped = a.mode == PadMode::Reflect ? 1 : 0;
  ValueId now = node.inputs[0];
  std::size_t last = a.pads.size();
  for (std::size_t d = 0; d < a.pads.size(); ++d)
    if (a.pads[d].first != 0 || a.pads[d].second != 0) last = d;
  for (std::size_t d = 0; d < a.pads.size(); ++d) {
    const std::int64_t before = a.pads[d].first, after = a.pads[d].second, size = out.value(now).shape[d];
    if (before == 0 && after == 0) continue;
    if (before > size - skipped || after > size - skipped) return "a border wider than the tensor";
    std::vector<ValueId> parts;
    if (before != 0) parts.push_back(backwards(out, now, d, before - 1 + skipped, before));
    parts.push_back(now);
    if (after != 0) parts.push_back(backwards(out, now, d, size - 1 - skipped, after));
    Shape shape = out.value(now).shape;
    shape[d] += before + after;
    const ValueId to = d == last ? node.outputs[0] : out.temporary(node.outputs[0], shape);
    concatenate(out, parts, d, to);
    now = to;
  }
  if (now == node.inputs[0])
    out.add(Op::Reshape, ReshapeAttributes{out.value(now).shape}, {now}, node.outputs);
  return {};
}

// Upwards is downwards of what is negated; halves to the even one are what float32 additions round to beside
// 2^23.
std::string rewrite_rounding(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32) return "in other types than float32";
  if (node.op == Op::Ceil) {
    const ValueId below = out.temporary(x, shape);
    out.add(Op::Floor, {}, {activated(out, x, Activation::Linear, -1, 0)}, {below});
    out.add(Op::Activation, ActivationAttributes{Activation::Linear, -1, 0, false}, {below}, node.outputs);
    return {};
  }
  constexpr float kWhole = 8388608.0f;  // 2^23: from here on floats are integers
  const ValueId whole = float_like(out, shape.size(), kWhole);
  const auto rounded = [&](ValueId magnitude) {
    const ValueId fine = step(out, Op::Minimum, magnitude, whole, shape);
    const ValueId coarse =
        activated(out, step(out, Op::Sub, magnitude, whole, shape), Activation::ReLu, 0, 0);
    const ValueId even = step(out, Op::Sub, step(out, Op::Add, fine, whole, shape), whole, shape);
    return step(out, Op::Add, even, coarse, shape);
  };
  const ValueId above = rounded(activated(out, x, Activation::ReLu, 0, 0));
  const ValueId below =
      rounded(activated(out, activated(out, x, Activation::Linear, -1, 0), Activation::ReLu, 0, 0));
  out.add(Op::Sub, BinaryAttributes{}, {above, below}, node.outputs);
  return {};
}

// Of 0 and 1: not b is b = 0; a and b is a > not b; a or b is b >= not a. The 0 is b > b: 20.08 takes no
// boolean constants.
std::string rewrite_logical(ArmnnRewrite& out, const graph::Node& node) {
  const std::size_t rank = out.value(node.outputs[0]).shape.size();
  if (rank == 0) return "of scalars";
  const auto no = [&](ValueId id) { return step(out, Op::Greater, id, id, out.value(id).shape); };
  const ValueId a = at_rank(out, node.inputs[0], rank);
  if (node.op == Op::LogicalNot) {
    out.add(Op::Equal, BinaryAttributes{}, {a, no(a)}, node.outputs);
    return {};
  }
  const ValueId b = at_rank(out, node.inputs[1], rank);
  const ValueId turned = node.op == Op::LogicalAnd ? b : a;
  const ValueId opposite = step(out, Op::Equal, turned, no(turned), out.value(turned).shape);
  if (node.op == Op::LogicalAnd)
    out.add(Op::Greater, BinaryAttributes{}, {a, opposite}, node.outputs);
  else
    out.add(Op::GreaterEqual, BinaryAttributes{}, {b, opposite}, node.outputs);
  return {};
}

// Arm NN compares int32 as float32. Differences from 0 are exact: a > b where max(a, b) - b is not 0.
std::string rewrite_integer_comparison(ArmnnRewrite& out, Op op, ValueId a, ValueId b, ValueId to) {
  const Shape shape = out.value(to).shape;
  const ValueId zero = out.constant("zero", Tensor(DType::I32, Shape(shape.size(), 1)));
  const bool ordered = op != Op::Equal && op != Op::NotEqual;
  if (op == Op::Less || op == Op::GreaterEqual) std::swap(a, b);  // b > a; and not b > a
  const ValueId left = ordered ? step(out, Op::Maximum, a, b, shape) : a;
  const ValueId difference = step(out, Op::Sub, left, b, shape);
  const bool equal = op == Op::Equal || op == Op::GreaterEqual || op == Op::LessEqual;
  out.add(equal ? Op::Equal : Op::NotEqual, BinaryAttributes{}, {difference, zero}, {to});
  return {};
}

namespace {

// How the batches of two operands lie beside each other: neighbouring dimensions that both have, or that one
// of them repeats, are merged.
struct Batches {
  Shape left, right, both;
};

Batches batches_of(const Shape& l, const Shape& r) {
  Batches out;
  const std::size_t rank = std::max(l.size(), r.size());
  const auto at = [rank](const Shape& shape, std::size_t d) {
    const std::size_t missing = rank - shape.size();
    return d < missing ? std::int64_t{1} : shape[d - missing];
  };
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    const std::int64_t a = at(l, d), b = at(r, d);
    if (a == 1 && b == 1) continue;
    const bool merged =
        !out.both.empty() && ((a == b && out.left.back() == out.right.back()) ||
                              (a == 1 && out.left.back() == 1) || (b == 1 && out.right.back() == 1));
    if (merged) {
      out.left.back() *= a;
      out.right.back() *= b;
      out.both.back() *= std::max(a, b);
    } else {
      out.left.push_back(a);
      out.right.push_back(b);
      out.both.push_back(std::max(a, b));
    }
  }
  return out;
}

ValueId decoded(ArmnnRewrite& out, ValueId id) {
  if (!is_code(out.value(id))) return id;
  const ValueId to = out.float_temporary(out.value(id).shape);
  out.add(Op::Dequantize, {}, {id}, {to});
  return to;
}

// The last two dimensions swapped.
ValueId turned(ArmnnRewrite& out, ValueId id) {
  const Shape shape = out.value(id).shape;
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const std::int64_t batches = count_of(shape) / std::max<std::int64_t>(1, rows * columns);
  const ValueId flat = out.reshaped(id, {batches, rows, columns});
  const ValueId to = out.temporary(id, {batches, columns, rows});
  out.add(Op::Transpose, TransposeAttributes{{0, 2, 1}}, {flat}, {to});
  return to;
}

// A product with one constant matrix is a fully connected layer.
void by_layer(ArmnnRewrite& out, const graph::Node& node, std::int64_t length, std::int64_t columns) {
  const ValueId right = node.inputs[1], to = node.outputs[0];
  const Shape r = out.value(right).shape, result = out.value(to).shape;
  const std::int64_t rows = count_of(out.value(node.inputs[0]).shape) / std::max<std::int64_t>(1, length);
  const ValueId in = out.reshaped(node.inputs[0], {rows, length});
  const ValueId weights = out.reshaped(right, {r[r.size() - 2], r.back()});
  const ValueId flat = out.temporary(to, {rows, columns});
  FullyConnectedAttributes plain;
  plain.weights_transposed = node.attr<BatchMatMulAttributes>().transpose_y;
  out.add(Op::FullyConnected, plain, {in, weights, kNoValue}, {flat});
  out.add(Op::Reshape, ReshapeAttributes{result}, {flat}, {to});
}

}  // namespace

// Others are multiplied out, [B,M,1,K] times [B,1,N,K], and averaged over K, times K; in float32, as every
// layer of Arm NN computes.
std::string rewrite_batch_matmul(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<BatchMatMulAttributes>();
  ValueId left = node.inputs[0], right = node.inputs[1];
  const ValueId to = node.outputs[0];
  const Shape l = out.value(left).shape, r = out.value(right).shape, result = out.value(to).shape;
  if (l.size() < 2 || r.size() < 2 || result.size() < 2) return "of vectors";
  const std::int64_t rows = result[result.size() - 2], columns = result.back();
  const std::int64_t length = a.transpose_x ? l[l.size() - 2] : l.back();
  if (out.value(right).constant && count_of(r) == length * columns && !a.transpose_x &&
      out.value(left).type == out.value(right).type) {
    by_layer(out, node, length, columns);
    return {};
  }
  const Batches batches = batches_of(l, r);
  if (batches.both.size() > 2) return "batches that are repeated along more than two dimensions";
  const std::int64_t products = count_of(result);
  if (length == 0 || products == 0 || products > kLargestBetween / length) return "of so many products";
  left = decoded(out, left);
  right = decoded(out, right);
  if (a.transpose_x) left = turned(out, left);
  if (!a.transpose_y) right = turned(out, right);
  const auto with = [](Shape shape, std::initializer_list<std::int64_t> more) {
    shape.insert(shape.end(), more);
    return shape;
  };
  const ValueId x = out.reshaped(left, with(batches.left, {rows, 1, length}));
  const ValueId y = out.reshaped(right, with(batches.right, {1, columns, length}));
  const ValueId each = step(out, Op::Mul, x, y, with(batches.both, {rows, columns, length}));
  const ValueId flat = out.reshaped(each, {products, length}), mean = out.temporary(each, {products});
  out.add(Op::Reduce, ReduceAttributes{ReduceOperation::Mean, {1}, false}, {flat}, {mean});
  ValueId total = activated(out, mean, Activation::Linear, static_cast<float>(length), 0);
  if (is_code(out.value(to))) {
    const ValueId codes = out.temporary(to, {products});
    out.add(Op::Quantize, {}, {total}, {codes});
    total = codes;
  }
  out.add(Op::Reshape, ReshapeAttributes{result}, {total}, {to});
  return {};
}

// Powers by quarters are products of square roots; Arm NN has no other.
std::string rewrite_pow(ArmnnRewrite& out, const graph::Node& node) {
  const Value exponent = out.value(node.inputs[1]);
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32 || shape != out.value(node.outputs[0]).shape)
    return "of these operands";
  if (!exponent.constant || count_of(exponent.shape) != 1) return "with exponents that are computed or many";
  const double quarters = exponent.constant->real(0) * 4;
  if (quarters != std::round(quarters) || std::fabs(quarters) > 16)
    return fmt::format("with the exponent {:g}", exponent.constant->real(0));
  const auto root = [&](ValueId from) {
    const ValueId to = out.temporary(x, shape);
    out.add(Op::Activation, ActivationAttributes{Activation::Sqrt, 0, 0, false}, {from}, {to});
    return to;
  };
  const int count = static_cast<int>(std::fabs(quarters));
  const ValueId one = float_like(out, shape.size(), 1);
  ValueId power = activated(out, x, Activation::Linear, 0, 1);
  for (int i = 0; i < count / 4; ++i) power = step(out, Op::Mul, power, x, shape);
  const ValueId half = count % 4 != 0 ? root(x) : kNoValue;
  if (count % 4 >= 2) power = step(out, Op::Mul, power, half, shape);
  if (count % 2 == 1) power = step(out, Op::Mul, power, root(half), shape);
  if (quarters < 0)
    out.add(Op::Div, BinaryAttributes{}, {one, power}, node.outputs);
  else
    out.add(Op::Mul, BinaryAttributes{}, {power, one}, node.outputs);
  return {};
}

// Arm NN's Fill has a float as an attribute; a value that is computed is spread over zeros.
std::string rewrite_fill(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId dimensions = node.inputs[0], value = node.inputs[1];
  const Value given = out.value(value), result = out.value(node.outputs[0]);
  if (given.constant && result.type == DType::F32 && out.value(dimensions).type == DType::I32) {
    out.add(Op::Fill, FillAttributes{static_cast<float>(given.constant->real(0))}, {dimensions},
            node.outputs);
    return {};
  }
  if (!out.value(dimensions).constant) return "a shape that is computed while running";
  if (result.type != DType::F32 && result.type != DType::I32)
    return fmt::format("with {}", npubin::to_string(result.type));
  if (result.shape.empty() || count_of(result.shape) > kLargestBetween)
    return fmt::format("the shape {}", npubin::to_string(result.shape));
  const ValueId zeros = out.constant("zeros", Tensor(result.type, result.shape));
  const ValueId one = out.reshaped(value, Shape(result.shape.size(), 1));
  out.add(Op::Add, BinaryAttributes{}, {zeros, one}, node.outputs);
  return {};
}

// Index vectors become places in the flattened tensor.
std::string rewrite_gather_nd(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId x = node.inputs[0], indices = node.inputs[1];
  const Shape shape = out.value(x).shape, at = out.value(indices).shape,
              to = out.value(node.outputs[0]).shape;
  if (out.value(indices).type != DType::I32) return "indices of 64 bits";
  if (at.empty() || at.back() < 1 || at.back() > static_cast<std::int64_t>(shape.size()))
    return "these indices";
  const auto depth = static_cast<std::size_t>(at.back());
  const std::int64_t count = count_of(at) / at.back();
  Shape flat{1};
  std::vector<std::int64_t> strides(depth, 1);
  for (std::size_t d = depth; d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  flat[0] = strides[0] * shape[0];
  // Integers pass through float32 in a Gather.
  if (flat[0] > (1 << 24) || count > kLargestBetween) return "so large a tensor";
  flat.insert(flat.end(), shape.begin() + static_cast<std::ptrdiff_t>(depth), shape.end());
  const ValueId rows = out.reshaped(indices, {count * at.back()});
  ValueId places = kNoValue;
  for (std::size_t d = 0; d < depth; ++d) {
    // 20.08 slices no integers, but gathers them.
    const ValueId column = out.temporary(indices, {count});
    std::vector<std::int32_t> at_column;
    for (std::int64_t i = 0; i < count; ++i)
      at_column.push_back(static_cast<std::int32_t>(i * at.back() + static_cast<std::int64_t>(d)));
    gather_along(out, rows, 0, at_column, column);
    Tensor stride(DType::I32, {1});
    stride.as_mutable<std::int32_t>()[0] = static_cast<std::int32_t>(strides[d]);
    const ValueId part = step(out, Op::Mul, column, out.constant("stride", std::move(stride)), {count});
    places = places == kNoValue ? part : step(out, Op::Add, places, part, {count});
  }
  const ValueId from = out.reshaped(x, flat);
  Shape taken = flat;
  taken[0] = count;
  const ValueId found = out.temporary(node.outputs[0], taken);
  out.add(Op::Gather, GatherAttributes{}, {from, places}, {found});
  out.add(Op::Reshape, ReshapeAttributes{to}, {found}, node.outputs);
  return {};
}

}  // namespace npubin::convert
