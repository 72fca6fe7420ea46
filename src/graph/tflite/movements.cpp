// Operators that move elements without changing them. tflite spec 6.
#include <algorithm>

#include "graph/tflite/node_view.h"

namespace npubin::graph {
namespace {

// Codes are copied as they are: a different quantisation would give them another meaning.
RuleBreach moves(const Value& in, const Value& out) {
  NPUBIN_RULE(same_type(in, out));
  if (in.quantization.present() && out.quantization.present() && is_code(in.type) &&
      !same_codes(in.quantization, out.quantization))
    return odd("TFL-0207", fmt::format("'{}' and '{}' have different quantisations", in.name, out.name),
               "the codes are copied as they are");
  return {};
}

RuleBreach index_type(const Value& value) {
  return type_among(value, {DType::I32, DType::I64});
}

}  // namespace

RuleBreach check_reshape(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const Shape& shape = node.node().attr<ReshapeAttributes>().shape;
  if (count_of(in.shape) != count_of(shape))
    return fault("TFL-0206", fmt::format("{} has {} elements, {} has {}", to_string(in.shape),
                                         count_of(in.shape), to_string(shape), count_of(shape)));
  NPUBIN_RULE(shape_is(out, shape));
  return moves(in, out);
}

RuleBreach check_transpose(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& permutation = node.node().attr<TransposeAttributes>().permutation;
  Shape expected;
  for (std::int32_t d : permutation) {
    if (d < 0 || static_cast<std::size_t>(d) >= in.shape.size())
      return fault("TFL-0204", fmt::format("the permutation names dimension {} of {}", d, in.shape.size()));
    expected.push_back(in.shape[static_cast<std::size_t>(d)]);
  }
  if (permutation.size() != in.shape.size())
    return fault("TFL-0204", "the permutation has not one entry per dimension");
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_concat(const NodeView& node) {
  const Value& out = node.out();
  const auto axis = static_cast<std::size_t>(node.node().attr<ConcatAttributes>().axis);
  Shape expected = node.in(0).shape;
  if (axis >= expected.size())
    return fault("TFL-0204", fmt::format("axis {} of {} dimensions", axis, expected.size()));
  expected[axis] = 0;
  RuleBreach milder;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Value& in = node.in(i);
    Shape other = in.shape;
    if (other.size() != expected.size())
      return fault("TFL-0206",
                   fmt::format("its parts have {} and {} dimensions", expected.size(), other.size()));
    const std::int64_t length = other[axis];
    other[axis] = expected[axis];
    if (other != expected)
      return fault("TFL-0206", fmt::format("part {} is {}, which does not fit {} off dimension {}", i,
                                           to_string(in.shape), to_string(node.in(0).shape), axis));
    const auto sum = checked_add(expected[axis], length);
    if (!sum) return fault("TFL-0206", "the parts are too long together");
    expected[axis] = *sum;
    if (RuleBreach breach = moves(in, out); breach.kind == RuleBreach::Kind::Fault)
      return breach;
    else if (breach)
      milder = std::move(breach);
  }
  NPUBIN_RULE(shape_is(out, expected));
  return milder;
}

RuleBreach check_split(const NodeView& node) {
  const auto& a = node.node().attr<SplitAttributes>();
  const Value& in = node.node().source_type == "SPLIT_V" || node.input_count() != 2 ? node.in(0) : node.in(1);
  const auto axis = static_cast<std::size_t>(a.axis);
  if (axis >= in.shape.size() || a.sizes.size() != node.output_count())
    return fault("TFL-0204", fmt::format("axis {} of {} dimensions, {} outputs of {}", axis, in.shape.size(),
                                         node.output_count(), a.sizes.size()));
  std::int64_t sum = 0;
  RuleBreach milder;
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    Shape expected = in.shape;
    expected[axis] = a.sizes[i];
    sum += a.sizes[i];
    NPUBIN_RULE(shape_is(node.out(i), expected));
    if (RuleBreach breach = moves(in, node.out(i)); breach.kind == RuleBreach::Kind::Fault)
      return breach;
    else if (breach)
      milder = std::move(breach);
  }
  if (sum != in.shape[axis])
    return fault("TFL-0206", fmt::format("the parts make up {} of {}", sum, in.shape[axis]));
  return milder;
}

RuleBreach check_stack(const NodeView& node) {
  const bool pack = node.node().op == Op::Stack;
  const auto axis = static_cast<std::size_t>(node.node().attr<StackAttributes>().axis);
  const std::size_t count = pack ? node.input_count() : node.output_count();
  const Value& whole = pack ? node.out() : node.in(0);
  Shape part = pack ? node.in(0).shape : node.out(0).shape;
  if (axis > part.size())
    return fault("TFL-0204", fmt::format("axis {} of {} dimensions", axis, part.size()));
  RuleBreach milder;
  for (std::size_t i = 0; i < count; ++i) {
    const Value& one = pack ? node.in(i) : node.out(i);
    if (one.shape != part)
      return fault("TFL-0206", fmt::format("its parts are {} and {}", to_string(part), to_string(one.shape)));
    if (RuleBreach breach = moves(pack ? one : whole, pack ? whole : one);
        breach.kind == RuleBreach::Kind::Fault)
      return breach;
    else if (breach)
      milder = std::move(breach);
  }
  part.insert(part.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(count));
  if (pack) NPUBIN_RULE(shape_is(whole, part));
  if (!pack && whole.shape != part)
    return fault("TFL-0206", fmt::format("{} does not unpack into {} parts of {}", to_string(whole.shape),
                                         count, to_string(node.out(0).shape)));
  return milder;
}

RuleBreach check_slice(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<SliceAttributes>();
  if (a.begin.size() != in.shape.size() || a.size.size() != in.shape.size())
    return fault("TFL-0204", fmt::format("begin and size do not fit {}", to_string(in.shape)));
  for (std::size_t i = 0; i < in.shape.size(); ++i)
    if (a.begin[i] < 0 || a.size[i] < 0 || a.begin[i] > in.shape[i] || a.size[i] > in.shape[i] - a.begin[i])
      return fault("TFL-0206", fmt::format("begin {} and size {} leave the input {}", a.begin[i], a.size[i],
                                           to_string(in.shape)));
  NPUBIN_RULE(shape_is(out, a.size));
  return moves(in, out);
}

StridedRange strided_range(const StridedSliceAttributes& a, std::size_t axis, std::int64_t length) {
  const std::int64_t stride = a.stride[axis];
  const bool forward = stride > 0;
  const std::int64_t low = forward ? 0 : -1, high = forward ? length : length - 1;
  const auto place = [&](std::int64_t index) {
    return std::clamp(index < 0 ? index + length : index, low, high);
  };
  const auto masked = [&](std::uint32_t mask) { return (mask >> axis & 1u) != 0; };
  StridedRange out;
  out.stride = stride;
  out.begin = masked(a.begin_mask) ? (forward ? 0 : length - 1) : place(a.begin[axis]);
  if (masked(a.shrink_axis_mask)) {
    out.count = 1;
    out.inside = out.begin >= 0 && out.begin < length;
    return out;
  }
  const std::int64_t end = masked(a.end_mask) ? (forward ? length : -1) : place(a.end[axis]);
  const std::int64_t span = forward ? end - out.begin : out.begin - end, step = forward ? stride : -stride;
  out.count = span <= 0 ? 0 : (span + step - 1) / step;
  return out;
}

RuleBreach check_strided_slice(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<StridedSliceAttributes>();
  if (a.ellipsis_mask != 0 || a.new_axis_mask != 0) return not_computed("an ellipsis or new-axis mask");
  const std::size_t rank = in.shape.size();
  if (a.begin.size() != rank || a.end.size() != rank || a.stride.size() != rank ||
      std::count(a.stride.begin(), a.stride.end(), 0) > 0)
    return fault("TFL-0204", fmt::format("begin, end and strides do not fit {}", to_string(in.shape)));
  Shape expected;
  for (std::size_t i = 0; i < rank; ++i) {
    const StridedRange range = strided_range(a, i, in.shape[i]);
    if (!range.inside)
      return fault("TFL-0206",
                   fmt::format("index {} of dimension {} is outside {}", a.begin[i], i, in.shape[i]));
    if ((a.shrink_axis_mask >> i & 1u) == 0) expected.push_back(range.count);
  }
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_pad(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<PadAttributes>();
  if (a.pads.size() != in.shape.size())
    return fault("TFL-0204",
                 fmt::format("{} pairs of paddings for {} dimensions", a.pads.size(), in.shape.size()));
  Shape expected = in.shape;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::int64_t before = a.pads[i].first, after = a.pads[i].second;
    const std::int64_t largest = in.shape[i] - (a.mode == PadMode::Reflect ? 1 : 0);
    if (a.mode != PadMode::Constant && (before > largest || after > largest))
      return fault(
          "TFL-0206",
          fmt::format("paddings {} and {} of dimension {} with {} elements", before, after, i, in.shape[i]),
          "mirroring reaches at most over the whole dimension");
    const auto sum = checked_add(expected[i], before + after);
    if (!sum) return fault("TFL-0206", "the padded shape is too large");
    expected[i] = *sum;
  }
  if (node.has(2)) {
    NPUBIN_RULE(same_type(node.in(2), in));
    if (count_of(node.in(2).shape) != 1) return fault("TFL-0206", "the value to pad with is not one number");
  } else if (a.mode == PadMode::Constant && is_code(in.type)) {
    NPUBIN_RULE(quantized(out, false));
  }
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_tile(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& multiples = node.node().attr<TileAttributes>().multiples;
  if (multiples.size() != in.shape.size())
    return fault("TFL-0204", "there is not one multiple per dimension");
  Shape expected = in.shape;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto product = multiples[i] < 0 ? std::nullopt : checked_mul(expected[i], multiples[i]);
    if (!product) return fault("TFL-0206", fmt::format("multiple {} of dimension {}", multiples[i], i));
    expected[i] = *product;
  }
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_gather(const NodeView& node) {
  const Value &in = node.in(0), &indices = node.in(1), &out = node.out();
  const auto& a = node.node().attr<GatherAttributes>();
  NPUBIN_RULE(index_type(indices));
  const auto axis = static_cast<std::size_t>(a.axis), batch = static_cast<std::size_t>(a.batch_dims);
  if (axis >= in.shape.size() || batch > axis || batch > indices.shape.size())
    return fault("TFL-0204", fmt::format("axis {} and batch_dims {} with {} and {}", axis, batch,
                                         to_string(in.shape), to_string(indices.shape)));
  for (std::size_t i = 0; i < batch; ++i)
    if (in.shape[i] != indices.shape[i])
      return fault("TFL-0206", fmt::format("{} and {} differ in their batch dimensions", to_string(in.shape),
                                           to_string(indices.shape)));
  Shape expected(in.shape.begin(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  expected.insert(expected.end(), indices.shape.begin() + static_cast<std::ptrdiff_t>(batch),
                  indices.shape.end());
  expected.insert(expected.end(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.shape.end());
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_gather_nd(const NodeView& node) {
  const Value &in = node.in(0), &indices = node.in(1), &out = node.out();
  NPUBIN_RULE(index_type(indices));
  if (indices.shape.empty()) return rank_is(indices, 1);
  const std::int64_t depth = indices.shape.back();
  if (depth < 1 || depth > static_cast<std::int64_t>(in.shape.size()))
    return fault("TFL-0206", fmt::format("indices of {} numbers into {}", depth, to_string(in.shape)));
  Shape expected(indices.shape.begin(), indices.shape.end() - 1);
  expected.insert(expected.end(), in.shape.begin() + depth, in.shape.end());
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_generator(const NodeView& node) {
  const Value& out = node.out();
  switch (node.node().op) {
    case Op::Shape:
      NPUBIN_RULE(index_type(out));
      return shape_is(out, {static_cast<std::int64_t>(node.in(0).shape.size())});
    case Op::Rank:
      NPUBIN_RULE(index_type(out));
      return count_of(out.shape) == 1 ? RuleBreach{} : shape_is(out, {});
    case Op::Fill:
      NPUBIN_RULE(index_type(node.in(0)));
      if (count_of(node.in(1).shape) != 1)
        return fault("TFL-0206", "the value to fill with is not one number");
      if (count_of(node.in(0).shape) != static_cast<std::int64_t>(out.shape.size()))
        return fault("TFL-0208", fmt::format("its output is declared as {}", to_string(out.shape)));
      return moves(node.in(1), out);
    default:
      break;
  }
  NPUBIN_RULE(type_among(out, {DType::F32, DType::I32, DType::I64}));
  for (std::size_t i = 0; i < 3; ++i) {
    NPUBIN_RULE(same_type(node.in(i), out));
    if (count_of(node.in(i).shape) != 1)
      return fault("TFL-0206", fmt::format("operand {} is not one number", i));
  }
  return rank_is(out, 1);
}

RuleBreach check_space_batch(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<SpaceBatchAttributes>();
  const bool to_batch = node.node().op == Op::SpaceToBatchNd;
  const std::size_t spatial = a.block.size();
  if (spatial < 1 || spatial > 2 || in.shape.size() < spatial + 1 || in.shape.size() > 4 ||
      a.pads.size() != spatial)
    return fault("TFL-0206", fmt::format("a block of {} dimensions for {}", spatial, to_string(in.shape)));
  Shape expected = in.shape;
  std::int64_t factor = 1;
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t block = a.block[i], around = std::int64_t{a.pads[i].first} + a.pads[i].second;
    factor *= block;
    std::int64_t& length = expected[i + 1];
    if (to_batch) {
      length += around;
      if (length % block != 0)
        return fault("TFL-0206",
                     fmt::format("{} rows or columns are no multiple of the block {}", length, block));
      length /= block;
    } else {
      const auto product = checked_mul(length, block);
      if (!product || *product < around)
        return fault("TFL-0206",
                     fmt::format("crops of {} from {} rows or columns of block {}", around, length, block));
      length = *product - around;
    }
  }
  if (to_batch) {
    const auto batch = checked_mul(expected[0], factor);
    if (!batch) return fault("TFL-0206", "the batch is too large");
    expected[0] = *batch;
  } else {
    if (expected[0] % factor != 0)
      return fault("TFL-0206",
                   fmt::format("a batch of {} is no multiple of the block's {}", expected[0], factor));
    expected[0] /= factor;
  }
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

RuleBreach check_space_depth(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const std::int64_t block = node.node().attr<SpaceDepthAttributes>().block;
  NPUBIN_RULE(rank_is(in, 4));
  Shape expected = in.shape;
  if (node.node().op == Op::SpaceToDepth) {
    if (in.shape[1] % block != 0 || in.shape[2] % block != 0)
      return fault("TFL-0206",
                   fmt::format("{} does not divide into blocks of {}", to_string(in.shape), block));
    expected = {in.shape[0], in.shape[1] / block, in.shape[2] / block, in.shape[3] * block * block};
  } else {
    if (in.shape[3] % (block * block) != 0)
      return fault("TFL-0206",
                   fmt::format("{} channels do not divide into blocks of {}", in.shape[3], block));
    expected = {in.shape[0], in.shape[1] * block, in.shape[2] * block, in.shape[3] / (block * block)};
  }
  NPUBIN_RULE(shape_is(out, expected));
  return moves(in, out);
}

}  // namespace npubin::graph
