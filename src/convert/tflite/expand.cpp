#include "convert/tflite/expand.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <utility>

#include "convert/armnn/expansions.h"
#include "graph/nearest.h"

namespace npubin::convert {
namespace {

using namespace graph;

bool all_float(const ArmnnRewrite& out, const graph::Node& node) {
  return out.value(node.inputs[0]).type == DType::F32 && out.value(node.outputs[0]).type == DType::F32;
}

ValueId step(ArmnnRewrite& out, Op op, ValueId a, ValueId b, Shape shape) {
  const ValueId to = out.temporary(a, std::move(shape));
  out.add(op, BinaryAttributes{}, {a, b}, {to});
  return to;
}

ValueId padded(ArmnnRewrite& out, ValueId from, const Padding& p, float value) {
  Shape shape = out.value(from).shape;
  shape[1] += p.top + p.bottom;
  shape[2] += p.left + p.right;
  const ValueId to = out.temporary(from, shape);
  PadAttributes a;
  a.pads = {{0, 0}, {p.top, p.bottom}, {p.left, p.right}, {0, 0}};
  a.value = value;
  out.add(Op::Pad, a, {from}, {to});
  return to;
}

// One axis of Arm NN's pooling windows (armnn spec 3).
struct PoolAxis {
  std::int64_t in, out, pool, stride, before, after;

  std::int64_t start(std::int64_t o) const { return o * stride - before; }
  std::int64_t end(std::int64_t o) const { return std::min(start(o) + pool, in + after); }
  std::int64_t counted(std::int64_t o, bool padding_counts) const {
    return padding_counts ? end(o) - start(o) : std::min(end(o), in) - std::max<std::int64_t>(start(o), 0);
  }
  // Every window holds an element of the image; others have values that are Arm NN's own.
  bool regular() const {
    for (std::int64_t o = 0; o < out; ++o)
      if (start(o) >= in || end(o) <= 0) return false;
    return true;
  }
  bool valid() const { return before == 0 && in >= pool && out == (in - pool + stride) / stride; }
  bool same() const {
    const std::int64_t total = std::max<std::int64_t>((out - 1) * stride + pool - in, 0);
    return out == (in + stride - 1) / stride && before == total / 2;
  }
  // Behind the image, so that the last window ends inside.
  std::uint32_t missing() const {
    return static_cast<std::uint32_t>(std::max<std::int64_t>((out - 1) * stride + pool - before - in, 0));
  }
};

float lowest_of(const Value& value) {
  switch (value.type) {
    case DType::U8:
      return 0;
    case DType::I8:
      return -128;
    case DType::I16:
      return -32768;
    default:
      return -FLT_MAX;
  }
}

// Windows that neither SAME nor VALID describe run over a padded image; averages are corrected by how much of
// each window counts.
bool pool(ArmnnRewrite& out, const graph::Node& node) {
  PoolAttributes a = node.attr<PoolAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  const bool global = a.stride_y == 0 && a.stride_x == 0;
  if (in.size() != 4 || to.size() != 4 || (global && (a.size_y == 0 || a.size_x == 0))) return false;
  const PoolAxis y{in[1], to[1], a.size_y, global ? 1 : a.stride_y, a.padding.top, a.padding.bottom};
  const PoolAxis x{in[2], to[2], a.size_x, global ? 1 : a.stride_x, a.padding.left, a.padding.right};
  const bool maximum = a.algorithm == PoolAlgorithm::Max;
  const bool fits = (y.valid() && x.valid()) || (y.same() && x.same() && (maximum || !a.padding_counts));
  if (fits || !y.regular() || !x.regular() || (!maximum && !all_float(out, node))) return false;
  const Padding border{a.padding.top, a.padding.left, y.missing(), x.missing()};
  const ValueId wide =
      padded(out, node.inputs[0], border, maximum ? lowest_of(out.value(node.inputs[0])) : 0);
  a.padding = {};
  a.stride_y = static_cast<std::uint32_t>(y.stride);
  a.stride_x = static_cast<std::uint32_t>(x.stride);
  a.padding_counts = a.ceiling = false;
  if (maximum) {
    out.add(Op::Pool2d, a, {wide}, node.outputs);
    return true;
  }
  const ValueId plain = out.temporary(node.outputs[0], to);
  out.add(Op::Pool2d, a, {wide}, {plain});
  const bool counts = node.attr<PoolAttributes>().padding_counts;
  Tensor correction(DType::F32, {1, to[1], to[2], 1});
  for (std::int64_t row = 0; row < to[1]; ++row)
    for (std::int64_t column = 0; column < to[2]; ++column) {
      const float ratio = static_cast<float>(y.pool * x.pool) /
                          static_cast<float>(y.counted(row, counts) * x.counted(column, counts));
      correction.as_mutable<float>()[static_cast<std::size_t>(row * to[2] + column)] =
          a.algorithm == PoolAlgorithm::L2 ? std::sqrt(ratio) : ratio;
    }
  out.add(Op::Mul, BinaryAttributes{}, {plain, out.constant("counted", std::move(correction))}, node.outputs);
  return true;
}

// The whole of what the kernel reaches, then the part inside the padding.
bool transpose_conv(ArmnnRewrite& out, const graph::Node& node) {
  ConvAttributes a = node.attr<ConvAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, weights = out.value(node.inputs[1]).shape,
              to = out.value(node.outputs[0]).shape;
  if (a.padding == Padding{} || in.size() != 4 || weights.size() != 4) return false;
  const PoolAxis y{to[1], in[1], weights[1], a.stride_y, a.padding.top, 0},
      x{to[2], in[2], weights[2], a.stride_x, a.padding.left, 0};
  if ((y.valid() && x.valid()) || (y.same() && x.same())) return false;
  const Shape whole{to[0], (in[1] - 1) * a.stride_y + weights[1], (in[2] - 1) * a.stride_x + weights[2],
                    to[3]};
  if (a.padding.top + to[1] > whole[1] || a.padding.left + to[2] > whole[2]) return false;
  const ValueId all = out.temporary(node.outputs[0], whole);
  const SliceAttributes part{{0, a.padding.top, a.padding.left, 0}, to};
  a.padding = {};
  out.add(Op::TransposeConv2d, a, node.inputs, {all});
  out.add(Op::Slice, part, {all}, node.outputs);
  return true;
}

// TensorFlow Lite gathers along any dimension.
bool resize(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ResizeAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  if (a.method != ResizeMethod::NearestNeighbor) return false;
  const auto indices = [&](std::size_t axis, Rules rules) {
    return nearest_indices(in[axis], to[axis], a, rules);
  };
  if (indices(1, Rules::ArmNn) == indices(1, Rules::Tflite) &&
      indices(2, Rules::ArmNn) == indices(2, Rules::Tflite))
    return false;
  const auto gather = [&](ValueId from, std::size_t axis, ValueId result) {
    const auto places = indices(axis, Rules::ArmNn);
    Tensor at(DType::I32, {to[axis]});
    std::copy(places.begin(), places.end(), at.as_mutable<std::int32_t>().begin());
    out.add(Op::Gather, GatherAttributes{static_cast<int>(axis), 0},
            {from, out.constant("indices", std::move(at))}, {result});
  };
  const ValueId rows = out.temporary(node.outputs[0], {in[0], to[1], in[2], in[3]});
  gather(node.inputs[0], 1, rows);
  gather(rows, 2, node.outputs[0]);
  return true;
}

bool instance_normalization(ArmnnRewrite& out, const graph::Node& node) {
  return all_float(out, node) && expand_instance_normalization(out, node).empty();
}

bool l2_normalization(ArmnnRewrite& out, const graph::Node& node) {
  return node.attr<NormalizationAttributes>().epsilon != 1e-12f && all_float(out, node) &&
         expand_l2_normalization(out, node).empty();
}

// x / (k + alpha * sum of the squares around)^beta, the sum as an average over a padded image.
bool local_response(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<LocalResponseAttributes>();
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  constexpr std::uint32_t kWidest = 1u << 12;
  if (a.across_channels || a.local_contrast || !all_float(out, node) || a.radius > kWidest) return false;
  const std::uint32_t side = 2 * a.radius + 1;
  const ValueId squares = step(out, Op::Mul, x, x, shape), sums = out.temporary(x, shape),
                root = out.temporary(x, shape);
  PoolAttributes window;
  window.algorithm = PoolAlgorithm::Average;
  window.size_y = window.size_x = side;
  out.add(Op::Pool2d, window, {padded(out, squares, {a.radius, a.radius, a.radius, a.radius}, 0)}, {sums});
  const float weight = a.alpha * static_cast<float>(side) * static_cast<float>(side);
  const ValueId scaled = out.temporary(x, shape);
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, weight, a.k, false}, {sums}, {scaled});
  out.add(Op::Pow, BinaryAttributes{}, {scaled, float_like(out, shape.size(), a.beta)}, {root});
  out.add(Op::Div, BinaryAttributes{}, {x, root}, node.outputs);
  return true;
}

// Over another axis than the last, or a logarithm with a factor.
bool softmax(ArmnnRewrite& out, const graph::Node& node) {
  SoftmaxAttributes a = node.attr<SoftmaxAttributes>();
  ValueId x = node.inputs[0], to = node.outputs[0];
  const Shape shape = out.value(x).shape;
  const auto rank = static_cast<int>(shape.size());
  const int axis = a.axis < 0 ? a.axis + rank : a.axis;
  const bool factor = node.op == Op::LogSoftmax && a.beta != 1;
  if (axis < 0 || axis >= rank || (axis == rank - 1 && !factor)) return false;
  if (factor) {
    if (!all_float(out, node)) return false;
    x = step(out, Op::Mul, x, float_like(out, shape.size(), a.beta), shape);
    a.beta = 1;
  }
  a.axis = rank - 1;
  if (axis == rank - 1) {
    out.add(node.op, a, {x}, {to});
    return true;
  }
  std::vector<std::int32_t> swapped(shape.size());
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[static_cast<std::size_t>(axis)], swapped.back());
  Shape turned = shape;
  std::swap(turned[static_cast<std::size_t>(axis)], turned.back());
  const ValueId before = out.temporary(x, turned), after = out.temporary(to, turned);
  out.add(Op::Transpose, TransposeAttributes{swapped}, {x}, {before});
  out.add(node.op, a, {before}, {after});
  out.add(Op::Transpose, TransposeAttributes{swapped}, {after}, {to});
  return true;
}

// Everything reduced leaves one element in one dimension; TensorFlow Lite leaves no dimension.
bool reduce(ArmnnRewrite& out, const graph::Node& node) {
  ReduceAttributes a = node.attr<ReduceAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  if (a.keep_dims || !(to == Shape{1}) || in.size() < 2) return false;
  if (!a.axes.empty() && a.axes.size() < in.size()) return false;
  a.keep_dims = true;
  const ValueId kept = out.temporary(node.outputs[0], Shape(in.size(), 1));
  out.add(Op::Reduce, a, {node.inputs[0]}, {kept});
  out.add(Op::Reshape, ReshapeAttributes{to}, {kept}, node.outputs);
  return true;
}

bool activation(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ActivationAttributes>();
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (a.function != Activation::Elu || a.a == 1 || !all_float(out, node)) return false;
  const ValueId zero = zero_like(out, x), power = out.temporary(x, shape), below = out.temporary(x, shape);
  const ValueId positive = step(out, Op::Maximum, x, zero, shape),
                negative = step(out, Op::Minimum, x, zero, shape);
  out.add(Op::Exp, {}, {negative}, {power});
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, a.a, -a.a, false}, {power}, {below});
  out.add(Op::Add, BinaryAttributes{}, {positive, below}, node.outputs);
  return true;
}

// Booleans are compared for equality only: a > b is a and not b.
bool comparison(ArmnnRewrite& out, const graph::Node& node) {
  ValueId a = node.inputs[0], b = node.inputs[1];
  if (out.value(a).type != DType::Bool) return false;
  if (node.op == Op::Less || node.op == Op::LessEqual) std::swap(a, b);
  const ValueId opposite = out.temporary(b, out.value(b).shape);
  out.add(Op::LogicalNot, {}, {b}, {opposite});
  const bool strict = node.op == Op::Greater || node.op == Op::Less;
  out.add(strict ? Op::LogicalAnd : Op::LogicalOr, BinaryAttributes{}, {a, opposite}, node.outputs);
  return true;
}

// SPACE_TO_BATCH_ND pads codes with 0, Arm NN and PAD with the zero point.
bool space_to_batch(ArmnnRewrite& out, const graph::Node& node) {
  SpaceBatchAttributes a = node.attr<SpaceBatchAttributes>();
  const Value in = out.value(node.inputs[0]);
  const bool codes = in.quantization.present() && !is_float(in.type) && in.quantization.zero_point() != 0;
  const bool pads =
      std::any_of(a.pads.begin(), a.pads.end(), [](auto p) { return p.first != 0 || p.second != 0; });
  if (!codes || !pads || a.pads.size() != 2 || in.shape.size() != 4) return false;
  const ValueId wide =
      padded(out, node.inputs[0], {a.pads[0].first, a.pads[1].first, a.pads[0].second, a.pads[1].second},
             static_cast<float>(in.quantization.zero_point()));
  a.pads = {{0, 0}, {0, 0}};
  out.add(Op::SpaceToBatchNd, a, {wide}, node.outputs);
  return true;
}

struct ExpansionRow {
  Op op;
  bool (*expand)(ArmnnRewrite& out, const graph::Node& node);
};
constexpr ExpansionRow kExpansions[] = {
    {Op::Pool2d, pool},
    {Op::TransposeConv2d, transpose_conv},
    {Op::Resize, resize},
    {Op::InstanceNormalization, instance_normalization},
    {Op::L2Normalization, l2_normalization},
    {Op::LocalResponseNormalization, local_response},
    {Op::Softmax, softmax},
    {Op::LogSoftmax, softmax},
    {Op::Reduce, reduce},
    {Op::Activation, activation},
    {Op::SpaceToBatchNd, space_to_batch},
    {Op::Greater, comparison},
    {Op::GreaterEqual, comparison},
    {Op::Less, comparison},
    {Op::LessEqual, comparison},
};

}  // namespace

bool expand_for_tflite(ArmnnRewrite& out, const graph::Node& node) {
  for (const ExpansionRow& row : kExpansions)
    if (row.op == node.op) return row.expand(out, node);
  return false;
}

}  // namespace npubin::convert
