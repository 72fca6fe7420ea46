#include "convert/armnn/expansions.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graph/nearest.h"

namespace npubin::convert {

using namespace graph;

namespace {

using Permutation = std::vector<std::int32_t>;

Shape permuted(const Shape& shape, const Permutation& permutation) {
  Shape out;
  for (std::int32_t d : permutation) out.push_back(shape[static_cast<std::size_t>(d)]);
  return out;
}

bool is_float_value(const ArmnnRewrite& out, ValueId id) {
  return is_float(out.value(id).type);
}

ValueId linear(ArmnnRewrite& out, ValueId from, float slope, float offset) {
  const ValueId to = out.temporary(from, out.value(from).shape);
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, slope, offset, false}, {from}, {to});
  return to;
}

ValueId binary(ArmnnRewrite& out, Op op, ValueId a, ValueId b, Shape shape) {
  const ValueId to = out.temporary(a, std::move(shape));
  out.add(op, BinaryAttributes{}, {a, b}, {to});
  return to;
}

}  // namespace

ValueId zero_like(ArmnnRewrite& out, ValueId like) {
  const Value& value = out.value(like);
  Tensor zero(value.type, Shape(value.shape.size(), 1), value.quantization);
  const std::int32_t code = value.quantization.present() ? value.quantization.zero_point() : 0;
  if (value.type == DType::U8) zero.as_mutable<std::uint8_t>()[0] = static_cast<std::uint8_t>(code);
  if (value.type == DType::I8) zero.as_mutable<std::int8_t>()[0] = static_cast<std::int8_t>(code);
  if (value.type == DType::I16) zero.as_mutable<std::int16_t>()[0] = static_cast<std::int16_t>(code);
  return out.constant("zero", std::move(zero));
}

ValueId float_like(ArmnnRewrite& out, std::size_t rank, float value) {
  Tensor tensor(DType::F32, Shape(rank, 1));
  tensor.as_mutable<float>()[0] = value;
  return out.constant(fmt::format("{:g}", value), std::move(tensor));
}

std::string expand_prelu(ArmnnRewrite& out, const graph::Node& node) {
  const ValueId x = node.inputs[0], alpha = node.inputs[1], to = node.outputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(alpha).shape.size() != shape.size()) return "slopes of another rank";
  const ValueId zero = zero_like(out, x);
  const ValueId positive = out.temporary(to, shape), negative = out.temporary(x, shape),
                scaled = out.temporary(to, out.value(to).shape);
  out.add(Op::Maximum, BinaryAttributes{}, {x, zero}, {positive});
  out.add(Op::Minimum, BinaryAttributes{}, {x, zero}, {negative});
  out.add(Op::Mul, BinaryAttributes{}, {negative, alpha}, {scaled});
  out.add(Op::Add, BinaryAttributes{}, {positive, scaled}, {to});
  return {};
}

std::string expand_stack(ArmnnRewrite& out, const graph::Node& node) {
  const Shape whole = out.value(node.outputs[0]).shape;
  const auto axis = static_cast<std::size_t>(node.attr<StackAttributes>().axis);
  if (axis >= whole.size()) return "an axis beyond the result's";
  Shape part = whole;
  part[axis] = 1;
  ConcatAttributes a;
  a.axis = static_cast<int>(axis);
  std::vector<ValueId> parts;
  for (ValueId id : node.inputs) {
    std::vector<std::uint32_t> origin(whole.size(), 0);
    origin[axis] = static_cast<std::uint32_t>(parts.size());
    a.view_origins.push_back(std::move(origin));
    parts.push_back(out.reshaped(id, part));
  }
  out.add(Op::Concat, a, parts, node.outputs);
  return {};
}

namespace {

void strided(ArmnnRewrite& out, ValueId from, const std::vector<std::int64_t>& begin, ValueId to) {
  StridedSliceAttributes a;
  const Shape shape = out.value(to).shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    a.begin.push_back(static_cast<std::int32_t>(begin[d]));
    a.end.push_back(static_cast<std::int32_t>(begin[d] + shape[d]));
    a.stride.push_back(1);
  }
  out.add(Op::StridedSlice, a, {from}, {to});
}

}  // namespace

std::string expand_slice(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<SliceAttributes>();
  if (a.begin.size() != out.value(node.outputs[0]).shape.size()) return "a place of another rank";
  strided(out, node.inputs[0], a.begin, node.outputs[0]);
  return {};
}

std::string expand_split(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<SplitAttributes>();
  if (a.view_origins.size() != node.outputs.size()) return "parts without places";
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (a.view_origins[i].size() != out.value(node.outputs[i]).shape.size()) return "a place of another rank";
    strided(out, node.inputs[0], {a.view_origins[i].begin(), a.view_origins[i].end()}, node.outputs[i]);
  }
  return {};
}

// Depth is (row, column, channel) within a block; so is the batch of BatchToSpaceNd before the batch itself.
std::string expand_depth_to_space(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<SpaceDepthAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  const std::int64_t block = a.block;
  if (a.layout == DataLayout::Nchw) return "the NCHW layout";
  const Shape places{in[0] * in[1] * in[2], block * block, to[3]};
  const ValueId flat = out.reshaped(node.inputs[0], places);
  const ValueId turned = out.temporary(node.inputs[0], {places[1], places[0], places[2]});
  out.add(Op::Transpose, TransposeAttributes{{1, 0, 2}}, {flat}, {turned});
  const ValueId batches = out.reshaped(turned, {block * block * in[0], in[1], in[2], to[3]});
  out.add(Op::BatchToSpaceNd, SpaceBatchAttributes{{a.block, a.block}, {{0, 0}, {0, 0}}, DataLayout::Nhwc},
          {batches}, node.outputs);
  return {};
}

std::string expand_space_to_depth(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<SpaceDepthAttributes>();
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  const std::int64_t block = a.block;
  if (a.layout == DataLayout::Nchw) return "the NCHW layout";
  const ValueId batches = out.temporary(node.inputs[0], {block * block * in[0], to[1], to[2], in[3]});
  out.add(Op::SpaceToBatchNd, SpaceBatchAttributes{{a.block, a.block}, {{0, 0}, {0, 0}}, DataLayout::Nhwc},
          {node.inputs[0]}, {batches});
  const Shape places{block * block, in[0] * to[1] * to[2], in[3]};
  const ValueId flat = out.reshaped(batches, places);
  const ValueId turned = out.temporary(node.inputs[0], {places[1], places[0], places[2]});
  out.add(Op::Transpose, TransposeAttributes{{1, 0, 2}}, {flat}, {turned});
  out.add(Op::Reshape, ReshapeAttributes{to}, {turned}, node.outputs);
  return {};
}

void gather_along(ArmnnRewrite& out, ValueId input, std::size_t axis,
                  const std::vector<std::int32_t>& indices, ValueId output) {
  Tensor places(DType::I32, {static_cast<std::int64_t>(indices.size())});
  std::copy(indices.begin(), indices.end(), places.as_mutable<std::int32_t>().begin());
  const ValueId at = out.constant("indices", std::move(places));
  if (axis == 0) {
    out.add(Op::Gather, GatherAttributes{}, {input, at}, {output});
    return;
  }
  const Shape from = out.value(input).shape, to = out.value(output).shape;
  Permutation there(from.size());  // swaps the first dimension and `axis`, and so back again
  std::iota(there.begin(), there.end(), 0);
  std::swap(there[0], there[axis]);
  const ValueId first = out.temporary(input, permuted(from, there));
  const ValueId taken = out.temporary(output, permuted(to, there));
  out.add(Op::Transpose, TransposeAttributes{there}, {input}, {first});
  out.add(Op::Gather, GatherAttributes{}, {first, at}, {taken});
  out.add(Op::Transpose, TransposeAttributes{there}, {taken}, {output});
}

std::string expand_nearest_resize(ArmnnRewrite& out, const graph::Node& node, Rules rules) {
  const auto& a = node.attr<ResizeAttributes>();
  const std::size_t y = a.layout == DataLayout::Nchw ? 2 : 1, x = y + 1;
  const Shape in = out.value(node.inputs[0]).shape, to = out.value(node.outputs[0]).shape;
  Shape tall = in;
  tall[y] = to[y];
  const ValueId rows = out.temporary(node.outputs[0], tall);
  const auto narrow = [&](std::size_t axis) {
    const auto indices = nearest_indices(in[axis], to[axis], a, rules);
    return std::vector<std::int32_t>(indices.begin(), indices.end());
  };
  gather_along(out, node.inputs[0], y, narrow(y), rows);
  gather_along(out, rows, x, narrow(x), node.outputs[0]);
  return {};
}

std::string expand_instance_normalization(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<NormalizationAttributes>();
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32) return "instance normalisation in other types than float32";
  const std::int32_t y = a.layout == DataLayout::Nchw ? 2 : 1;
  const auto yy = static_cast<std::size_t>(y);
  Shape each = shape;
  each[yy] = each[yy + 1] = 1;
  const ReduceAttributes over{ReduceOperation::Mean, {y, y + 1}, true};
  const ValueId mean = out.temporary(x, each), variance = out.temporary(x, each),
                root = out.temporary(x, each);
  out.add(Op::Reduce, over, {x}, {mean});
  const ValueId centred = binary(out, Op::Sub, x, mean, shape);
  const ValueId square = binary(out, Op::Mul, centred, centred, shape);
  out.add(Op::Reduce, over, {square}, {variance});
  const ValueId safe = binary(out, Op::Add, variance, float_like(out, shape.size(), a.epsilon), each);
  out.add(Op::Rsqrt, {}, {safe}, {root});
  const ValueId scale = binary(out, Op::Mul, root, float_like(out, shape.size(), a.gamma), each);
  const ValueId scaled = binary(out, Op::Mul, centred, scale, shape);
  out.add(Op::Add, BinaryAttributes{}, {scaled, float_like(out, shape.size(), a.beta)}, node.outputs);
  return {};
}

namespace {

// e^x; sigmoid(x) / sigmoid(-x) up to rounding.
void exponential(ArmnnRewrite& out, ValueId x, ValueId to) {
  const Shape shape = out.value(x).shape;
  const ValueId above = out.temporary(x, shape), below = out.temporary(x, shape);
  out.add(Op::Activation, ActivationAttributes{Activation::Sigmoid, 0, 0, false}, {x}, {above});
  out.add(Op::Activation, ActivationAttributes{Activation::Sigmoid, 0, 0, false}, {linear(out, x, -1, 0)},
          {below});
  out.add(Op::Div, BinaryAttributes{}, {above, below}, {to});
}

}  // namespace

std::string expand_unary(ArmnnRewrite& out, const graph::Node& node) {
  const auto activation = [&](Activation function, float a) {
    out.add(Op::Activation, ActivationAttributes{function, a, 0, false}, {node.inputs[0]}, node.outputs);
    return std::string();
  };
  switch (node.op) {
    case Op::Abs:
      return activation(Activation::Abs, 0);
    case Op::Sqrt:
      return activation(Activation::Sqrt, 0);
    case Op::Neg:
      return activation(Activation::Linear, -1);
    default:
      if (!is_float_value(out, node.inputs[0])) return "an exponential of codes";
      exponential(out, node.inputs[0], node.outputs[0]);
      return {};
  }
}

std::string expand_activation(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<ActivationAttributes>();
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (a.function != Activation::HardSwish && a.function != Activation::Elu) {
    out.add(Op::Activation, a, node.inputs, node.outputs);
    return {};
  }
  if (!is_float_value(out, x)) return fmt::format("{} of codes", to_string(a.function));
  if (a.function == Activation::HardSwish) {
    const ValueId clamped = out.temporary(x, shape);
    out.add(Op::Activation, ActivationAttributes{Activation::BoundedReLu, 6, 0, false},
            {linear(out, x, 1, 3)}, {clamped});
    const ValueId product = binary(out, Op::Mul, x, clamped, shape);
    out.add(Op::Activation, ActivationAttributes{Activation::Linear, 1.0f / 6, 0, false}, {product},
            node.outputs);
    return {};
  }
  const ValueId zero = zero_like(out, x);
  const ValueId positive = binary(out, Op::Maximum, x, zero, shape),
                negative = binary(out, Op::Minimum, x, zero, shape);
  const ValueId power = out.temporary(x, shape);
  exponential(out, negative, power);
  out.add(Op::Add, BinaryAttributes{}, {positive, linear(out, power, a.a, -a.a)}, node.outputs);
  return {};
}

std::string expand_comparison(ArmnnRewrite& out, const graph::Node& node) {
  ValueId a = node.inputs[0], b = node.inputs[1];
  if (node.op == Op::Less) {
    out.add(Op::Greater, BinaryAttributes{}, {b, a}, node.outputs);
    return {};
  }
  // In between stands one of the two operands: their scales have to be one.
  if (!(out.value(a).quantization == out.value(b).quantization)) return "operands of different scales";
  const Shape shape = out.value(node.outputs[0]).shape;
  if (node.op == Op::NotEqual) {
    const ValueId larger = binary(out, Op::Maximum, a, b, shape),
                  smaller = binary(out, Op::Minimum, a, b, shape);
    out.add(Op::Greater, BinaryAttributes{}, {larger, smaller}, node.outputs);
    return {};
  }
  // a >= b where the larger of both is a. Of unordered operands Maximum gives the first: then nothing is
  // equal.
  if (node.op == Op::LessEqual) std::swap(a, b);
  out.add(Op::Equal, BinaryAttributes{}, {binary(out, Op::Maximum, b, a, shape), a}, node.outputs);
  return {};
}

std::string expand_requantization(ArmnnRewrite& out, const graph::Node& node) {
  if (is_float_value(out, node.inputs[0]) || is_float_value(out, node.outputs[0]) ||
      out.value(node.inputs[0]).type != out.value(node.outputs[0]).type)
    return "between different types";
  out.add(Op::Activation, ActivationAttributes{Activation::Linear, 1, 0, false}, node.inputs, node.outputs);
  return {};
}

}  // namespace npubin::convert
