// Shapes of layers that work element by element, along axes, or move elements.
#include <algorithm>

#include <fmt/format.h>

#include "formats/armnn/shape_rules.h"

namespace npubin::armnn::shape_rules {
namespace {

using namespace npubin::graph;

// A negative axis counts from the end.
Result<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const std::int64_t positive = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
  if (positive < 0 || positive >= static_cast<std::int64_t>(rank))
    return malformed({}, fmt::format("axis {} of a tensor with {} dimensions", axis, rank));
  return static_cast<std::size_t>(positive);
}

}  // namespace

Shapes same(const ShapeQuestion& q) {
  return std::vector<Shape>{q.in(0)};
}

Shapes same_rank4(const ShapeQuestion& q) {
  if (q.in(0).size() != 4)
    return malformed({}, fmt::format("the input {} has to have 4 dimensions", to_string(q.in(0))));
  return std::vector<Shape>{q.in(0)};
}

Shapes softmax(const ShapeQuestion& q) {
  NPUBIN_CHECK(axis_of(q.node.attr<SoftmaxAttributes>().axis, q.in(0).size()));
  return std::vector<Shape>{q.in(0)};
}

Shapes broadcast(const ShapeQuestion& q) {
  const Shape &a = q.in(0), &b = q.in(1);
  // The runtime does not extend ranks: converters put a Reshape in between (armnn spec 3).
  if (a.size() != b.size())
    return malformed({}, fmt::format("operands {} and {} have different numbers of dimensions", to_string(a),
                                     to_string(b)));
  Shape out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
      return malformed({}, fmt::format("operands {} and {} cannot be broadcast in dimension {}", to_string(a),
                                       to_string(b), i));
    out[i] = std::max(a[i], b[i]);
  }
  return std::vector<Shape>{out};
}

Shapes reshape(const ShapeQuestion& q) {
  return std::vector<Shape>{q.node.attr<ReshapeAttributes>().shape};
}

Shapes transpose(const ShapeQuestion& q) {
  const auto& permutation = q.node.attr<TransposeAttributes>().permutation;
  const Shape& in = q.in(0);
  if (permutation.size() != in.size())
    return malformed(
        {}, fmt::format("a mapping of {} dimensions for the input {}", permutation.size(), to_string(in)));
  Shape out;
  for (std::int32_t from : permutation) out.push_back(in[static_cast<std::size_t>(from)]);
  return std::vector<Shape>{out};
}

Shapes concat(const ShapeQuestion& q) {
  const auto& origins = q.node.attr<ConcatAttributes>().view_origins;
  const Shape* stored = q.stored(0);
  if (stored == nullptr) return std::vector<Shape>();
  const std::size_t rank = stored->size();
  Shape out(rank);
  std::int64_t volume = 0;
  bool begins_at_zero = false;
  for (std::size_t i = 0; i < q.node.inputs.size(); ++i) {
    if (!q.has(i)) continue;
    const Shape& in = q.in(i);
    if (in.size() != rank || i >= origins.size() || origins[i].size() != rank)
      return malformed(
          {}, fmt::format("view {} is {} at an origin of {} dimensions, the result is {}", i, to_string(in),
                          i < origins.size() ? origins[i].size() : 0, to_string(*stored)));
    bool at_zero = true;
    for (std::size_t d = 0; d < rank; ++d) {
      out[d] = std::max(out[d], in[d] + std::int64_t{origins[i][d]});
      at_zero = at_zero && origins[i][d] == 0;
    }
    begins_at_zero = begins_at_zero || at_zero;
    volume += count_of(in);
  }
  auto count = element_count(out);
  if (!count) return malformed({}, fmt::format("the views reach {}", to_string(out)));
  if (out == *stored && (volume != *count || !begins_at_zero))
    return malformed(
        {}, fmt::format("the views hold {} elements, the result {} has {}: they overlap or leave gaps",
                        volume, to_string(out), *count));
  return std::vector<Shape>{out};
}

Shapes split(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SplitAttributes>();
  const Shape& in = q.in(0);
  std::vector<Shape> out;
  for (std::size_t i = 0; i < q.node.outputs.size(); ++i) {
    const Shape* stored = q.stored(i);
    if (stored == nullptr || i >= a.view_origins.size()) return std::vector<Shape>();
    if (stored->size() != in.size() || a.view_origins[i].size() != in.size())
      return malformed({}, fmt::format("view {} {} has another number of dimensions than the input {}", i,
                                       to_string(*stored), to_string(in)));
    for (std::size_t d = 0; d < in.size(); ++d)
      if (std::int64_t{a.view_origins[i][d]} + (*stored)[d] > in[d])
        return malformed({},
                         fmt::format("view {} {} leaves the input {}", i, to_string(*stored), to_string(in)));
    out.push_back(*stored);
  }
  return out;
}

Shapes slice(const ShapeQuestion& q) {
  const auto& a = q.node.attr<SliceAttributes>();
  const Shape& in = q.in(0);
  if (a.begin.size() != in.size() || a.size.size() != in.size())
    return malformed({}, fmt::format("begin has {} and size {} entries for the input {}", a.begin.size(),
                                     a.size.size(), to_string(in)));
  for (std::size_t i = 0; i < in.size(); ++i)
    if (a.size[i] <= 0 || a.begin[i] + a.size[i] > in[i])
      return malformed({}, fmt::format("elements {} to {} of dimension {} of the input {}", a.begin[i],
                                       a.begin[i] + a.size[i], i, to_string(in)));
  return std::vector<Shape>{Shape(a.size.begin(), a.size.end())};
}

Shapes strided_slice(const ShapeQuestion& q) {
  const auto& a = q.node.attr<StridedSliceAttributes>();
  const Shape& in = q.in(0);
  if (a.begin.size() != in.size() || a.end.size() != in.size() || a.stride.size() != in.size())
    return malformed({}, fmt::format("begin, end and stride have {}, {} and {} entries for the input {}",
                                     a.begin.size(), a.end.size(), a.stride.size(), to_string(in)));
  if (in.size() > 4)
    return malformed({}, fmt::format("the input {} has more than 4 dimensions", to_string(in)));
  Shape out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int64_t size = in[i], stride = a.stride[i];
    const std::uint32_t bit = 1u << i;
    if (stride == 0) return malformed({}, fmt::format("stride of dimension {} is 0", i));
    std::int64_t begin = a.begin[i];
    if ((a.begin_mask & bit) != 0) begin = stride > 0 ? 0 : size - 1;
    if (begin < 0) begin += size;
    begin = std::clamp<std::int64_t>(begin, 0, size - 1);
    std::int64_t end = a.end[i];
    const bool shrink = (a.shrink_axis_mask & bit) != 0;
    if (shrink) {
      // Both the stored bounds and the direction have to mean one element.
      if (stride < 0 || std::abs(std::int64_t{a.begin[i]} - a.end[i]) > 1)
        return malformed(
            {}, fmt::format("dimension {} is to be dropped, but {} to {} by {} is more than one element", i,
                            a.begin[i], a.end[i], stride));
      continue;
    }
    if ((a.end_mask & bit) != 0)
      end = stride > 0 ? size : -1;
    else if (end < 0)
      end += size;
    end = stride > 0 ? std::clamp<std::int64_t>(end, 0, size) : std::clamp<std::int64_t>(end, -1, size - 1);
    const std::int64_t steps =
        stride > 0 ? (end - begin + stride - 1) / stride : (begin - end - stride - 1) / -stride;
    out.push_back(std::max<std::int64_t>(steps, 0));
  }
  if (out.empty()) out.push_back(1);
  if (std::find(out.begin(), out.end(), 0) != out.end())
    return malformed({}, fmt::format("the slice {} holds nothing", to_string(out)));
  return std::vector<Shape>{out};
}

Shapes pad(const ShapeQuestion& q) {
  const auto& pads = q.node.attr<PadAttributes>().pads;
  Shape out = q.in(0);
  if (pads.size() != out.size())
    return malformed({}, fmt::format("{} pairs of padding for the input {}", pads.size(), to_string(out)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += std::int64_t{pads[i].first} + pads[i].second;
  return std::vector<Shape>{out};
}

Shapes gather(const ShapeQuestion& q) {
  const Shape &params = q.in(0), &indices = q.in(1);
  NPUBIN_TRY(auto axis, axis_of(q.node.attr<GatherAttributes>().axis, params.size()));
  Shape out(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(out.end(), indices.begin(), indices.end());
  out.insert(out.end(), params.begin() + static_cast<std::ptrdiff_t>(axis) + 1, params.end());
  return std::vector<Shape>{out};
}

Shapes stack(const ShapeQuestion& q) {
  const Shape& first = q.in(0);
  NPUBIN_TRY(auto axis, axis_of(q.node.attr<StackAttributes>().axis, first.size() + 1));
  for (std::size_t i = 0; i < q.node.inputs.size(); ++i)
    if (q.has(i) && q.in(i) != first)
      return malformed({}, fmt::format("inputs {} and {} differ", to_string(first), to_string(q.in(i))));
  Shape out = first;
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis),
             static_cast<std::int64_t>(q.node.inputs.size()));
  return std::vector<Shape>{out};
}

Shapes tile(const ShapeQuestion& q) {
  const auto& multiples = q.node.attr<TileAttributes>().multiples;
  Shape out = q.in(0);
  if (multiples.size() != out.size())
    return malformed({}, fmt::format("{} multiples for the input {}", multiples.size(), to_string(out)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    auto product = checked_mul(out[i], multiples[i]);
    if (!product) return malformed({}, "the result has more elements than 2^62");
    out[i] = *product;
  }
  return std::vector<Shape>{out};
}

Shapes reduce(const ShapeQuestion& q) {
  const auto& a = q.node.attr<ReduceAttributes>();
  const Shape& in = q.in(0);
  std::vector<bool> reduced(in.size(), a.axes.empty());
  for (std::int32_t axis : a.axes) {
    NPUBIN_TRY(auto at, axis_of(axis, in.size()));
    if (reduced[at]) return malformed({}, fmt::format("axis {} is given twice", axis));
    reduced[at] = true;
  }
  Shape out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!reduced[i])
      out.push_back(in[i]);
    else if (a.keep_dims)
      out.push_back(1);
  }
  if (out.empty()) out.push_back(1);  // armnn spec 3, Mean
  return std::vector<Shape>{out};
}

Shapes arg_min_max(const ShapeQuestion& q) {
  const Shape& in = q.in(0);
  NPUBIN_TRY(auto axis, axis_of(q.node.attr<ArgMinMaxAttributes>().axis, in.size()));
  Shape out = in;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(axis));
  if (out.empty()) out.push_back(1);
  return std::vector<Shape>{out};
}

}  // namespace npubin::armnn::shape_rules
