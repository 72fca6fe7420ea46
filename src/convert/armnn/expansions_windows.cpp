// Expansions of windows, padding and normalisations.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "convert/armnn/expansions.h"

namespace npubin::convert {

using namespace graph;

namespace {

struct Kernel {
  std::size_t y, x;  // the dimensions of the weights that hold rows and columns
};

Kernel kernel_of(const graph::Node& node) {
  const auto& a = node.attr<ConvAttributes>();
  const bool last = node.op == Op::DepthwiseConv2d || a.layout == DataLayout::Nchw;  // [M,I,H,W], [O,I,H,W]
  return last ? Kernel{2, 3} : Kernel{1, 2};
}

// The code of real 0 in every element.
void fill_with_zero(Tensor& tensor) {
  const Quantization& q = tensor.quantization();
  const std::int32_t zero = q.present() && !q.per_axis() ? q.zero_point() : 0;
  if (size_of(tensor.type()) == 1)
    std::memset(tensor.mutable_data(), static_cast<std::uint8_t>(zero), tensor.byte_size());
  else
    std::memset(tensor.mutable_data(), 0, tensor.byte_size());
}

// Zeros between the elements along one dimension; codes of the zero point where they are codes.
Tensor spread(const Tensor& from, std::size_t axis, std::int64_t factor) {
  Shape shape = from.shape();
  shape[axis] = (shape[axis] - 1) * factor + 1;
  Tensor out(from.type(), shape, from.quantization());
  fill_with_zero(out);
  std::int64_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= from.dim(d);
  for (std::size_t d = axis + 1; d < from.rank(); ++d) inner *= from.dim(d);
  const std::size_t row = static_cast<std::size_t>(inner) * size_of(from.type());
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < from.dim(axis); ++i)
      std::memcpy(out.mutable_data() + static_cast<std::size_t>(o * shape[axis] + i * factor) * row,
                  from.data() + static_cast<std::size_t>(o * from.dim(axis) + i) * row, row);
  return out;
}

Tensor filled(const Value& like, const Shape& shape, float value) {
  Tensor out(like.type, shape, like.quantization);
  const float code = std::round(value);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (like.type == DType::F32) out.as_mutable<float>()[at] = value;
    if (like.type == DType::U8)
      out.as_mutable<std::uint8_t>()[at] = static_cast<std::uint8_t>(std::clamp(code, 0.0f, 255.0f));
    if (like.type == DType::I8)
      out.as_mutable<std::int8_t>()[at] = static_cast<std::int8_t>(std::clamp(code, -128.0f, 127.0f));
    if (like.type == DType::I16)
      out.as_mutable<std::int16_t>()[at] = static_cast<std::int16_t>(std::clamp(code, -32768.0f, 32767.0f));
  }
  return out;
}

// A file may not grow without measure because of a few numbers in it.
constexpr std::int64_t kLargestConstant = 1 << 22;

}  // namespace

std::string expand_dilation(ArmnnRewrite& out, const graph::Node& node) {
  ConvAttributes a = node.attr<ConvAttributes>();
  const Value& weights = out.value(node.inputs[1]);
  if (!weights.constant) return "dilation of weights that are computed while running";
  const Kernel at = kernel_of(node);
  if (weights.shape.size() != 4 || a.dilation_y == 0 || a.dilation_x == 0) return "dilation of these weights";
  const std::int64_t area =
      count_of(weights.shape) / std::max<std::int64_t>(1, weights.shape[at.y] * weights.shape[at.x]);
  const std::int64_t tall = (weights.shape[at.y] - 1) * a.dilation_y + 1,
                     wide = (weights.shape[at.x] - 1) * a.dilation_x + 1;
  if (tall > kLargestConstant || wide > kLargestConstant || tall * wide > kLargestConstant ||
      area > kLargestConstant / (tall * wide))
    return fmt::format("a dilation by {} x {}, whose zeros would fill the file", a.dilation_y, a.dilation_x);
  Tensor stored = *weights.constant;
  stored.set_quantization(weights.quantization);
  const std::string name = weights.name;
  const ValueId sparse = out.constant(name, spread(spread(stored, at.y, a.dilation_y), at.x, a.dilation_x));
  a.dilation_y = a.dilation_x = 1;
  std::vector<ValueId> operands = node.inputs;
  operands[1] = sparse;
  out.add(node.op, a, std::move(operands), node.outputs);
  return {};
}

std::string expand_pad(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<PadAttributes>();
  const Value like = out.value(node.outputs[0]);
  if (a.mode != PadMode::Constant) return "mirrored padding";
  if (like.type == DType::F16) return "padding of half floats with other than 0";
  if (count_of(like.shape) > kLargestConstant) return "padding with other than 0 of so large a tensor";
  ValueId now = node.inputs[0];
  std::size_t last = a.pads.size();
  for (std::size_t d = 0; d < a.pads.size(); ++d)
    if (a.pads[d].first != 0 || a.pads[d].second != 0) last = d;
  for (std::size_t d = 0; d < a.pads.size(); ++d) {
    if (a.pads[d].first == 0 && a.pads[d].second == 0) continue;
    const Shape inside = out.value(now).shape;
    Shape whole = inside;
    whole[d] += a.pads[d].first + a.pads[d].second;
    ConcatAttributes concat;
    concat.axis = static_cast<int>(d);
    std::vector<ValueId> parts;
    std::uint32_t offset = 0;
    const auto part = [&](ValueId id) {
      std::vector<std::uint32_t> origin(inside.size(), 0);
      origin[d] = offset;
      concat.view_origins.push_back(std::move(origin));
      parts.push_back(id);
      offset += static_cast<std::uint32_t>(out.value(id).shape[d]);
    };
    const auto border = [&](std::uint32_t size) {
      Shape shape = inside;
      shape[d] = size;
      if (size != 0) part(out.constant("padding", filled(like, shape, a.value)));
    };
    border(a.pads[d].first);
    part(now);
    border(a.pads[d].second);
    const ValueId to = d == last ? node.outputs[0] : out.temporary(node.outputs[0], whole);
    out.add(Op::Concat, concat, parts, {to});
    now = to;
  }
  if (now == node.inputs[0]) out.add(Op::Reshape, ReshapeAttributes{like.shape}, {now}, node.outputs);
  return {};
}

std::string expand_l2_normalization(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<NormalizationAttributes>();
  const ValueId x = node.inputs[0];
  const Shape shape = out.value(x).shape;
  if (out.value(x).type != DType::F32) return "this epsilon in other types than float32";
  if (shape.size() != 4) return fmt::format("this epsilon in {} dimensions", shape.size());
  const std::int32_t axis = a.layout == DataLayout::Nchw ? 1 : 3;
  Shape each = shape;
  const std::int64_t channels = each[static_cast<std::size_t>(axis)];
  each[static_cast<std::size_t>(axis)] = 1;
  const auto step = [&](Op op, ValueId left, ValueId right, Shape to) {
    const ValueId result = out.temporary(x, std::move(to));
    out.add(op, BinaryAttributes{}, {left, right}, {result});
    return result;
  };
  const ValueId squares = step(Op::Mul, x, x, shape), mean = out.temporary(x, each),
                root = out.temporary(x, each);
  out.add(Op::Reduce, ReduceAttributes{ReduceOperation::Mean, {axis}, true}, {squares}, {mean});
  const ValueId sum = step(Op::Mul, mean, float_like(out, 4, static_cast<float>(channels)), each);
  const ValueId safe = step(Op::Maximum, sum, float_like(out, 4, a.epsilon), each);
  out.add(Op::Rsqrt, {}, {safe}, {root});
  out.add(Op::Mul, BinaryAttributes{}, {x, root}, node.outputs);
  return {};
}

}  // namespace npubin::convert
