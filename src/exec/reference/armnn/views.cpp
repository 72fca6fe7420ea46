// Merger and Concat, Splitter (armnn spec 3): boxes of one tensor that are tensors of their own.
#include <algorithm>

#include <fmt/format.h>

#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"
#include "exec/reference/armnn/rearrange.h"

namespace npubin::exec::armnn {
namespace {

using Origins = std::vector<std::vector<std::uint32_t>>;

// Origins as stored, or from an axis and the parts' lengths along it.
Origins origins_of(const Origins& stored, const std::vector<Shape>& parts, int axis) {
  if (!stored.empty()) return stored;
  const std::size_t rank = parts.empty() ? 0 : parts[0].size();
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis);
  Origins out;
  std::int64_t offset = 0;
  for (const Shape& part : parts) {
    out.emplace_back(rank, 0u);
    if (at >= rank || at >= part.size()) continue;
    out.back()[at] = static_cast<std::uint32_t>(offset);
    offset += part[at];
  }
  return out;
}

bool boxes_inside(Limits& check, const Origins& origins, const std::vector<Shape>& parts,
                  const Shape& whole) {
  if (!check.require(origins.size() == parts.size(),
                     fmt::format("{} views for {} tensors", origins.size(), parts.size())))
    return false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    bool inside = origins[k].size() == whole.size() && parts[k].size() == whole.size();
    for (std::size_t d = 0; inside && d < whole.size(); ++d) inside = origins[k][d] + parts[k][d] <= whole[d];
    if (!check.require(inside,
                       fmt::format("view {} lies outside the tensor {}", k, npubin::to_string(whole))))
      return false;
  }
  return true;
}

// Pairs that overlap; views are few, and hostile counts are bounded by the number of operands in the file.
bool disjoint(const Origins& origins, const std::vector<Shape>& parts) {
  // Sorted along every dimension it would take a sweep; a volume check together with pairwise boxes suffices
  // for ordinary counts, and beyond them the reference's own rule (first view wins) is followed.
  constexpr std::size_t kPairwise = 2048;
  if (parts.size() > kPairwise) return true;
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      bool overlap = true;
      for (std::size_t d = 0; overlap && d < parts[a].size(); ++d)
        overlap = origins[a][d] < origins[b][d] + parts[b][d] && origins[b][d] < origins[a][d] + parts[a][d];
      if (overlap) return false;
    }
  return true;
}

// Where the boxes of the parts begin in the whole, one after the other: as stored, or along an axis.
class Starts {
 public:
  Starts(const Origins& stored, int axis, const Shape& whole)
      : stored_(stored),
        strides_(strides_of(whole)),
        axis_(static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(whole.size()) : axis)) {}
  std::span<const std::int64_t> strides() const { return strides_; }

  // Of the next part, whose shape is given.
  std::int64_t next(const Shape& part) {
    std::int64_t start = 0;
    if (stored_.empty()) {
      start = strides_[axis_] * offset_;
      offset_ += part[axis_];
    } else {
      for (std::size_t d = 0; d < strides_.size(); ++d) start += strides_[d] * stored_[view_][d];
    }
    ++view_;
    return start;
  }

 private:
  const Origins& stored_;
  WorkShape strides_;
  std::size_t axis_, view_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace

std::string concat_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::ConcatAttributes>();
  if (!check.operands(1, node.inputs.size())) return check.why();
  std::vector<Shape> parts;
  std::int64_t volume = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!check.require(check.has(i), fmt::format("operand {} is absent", i))) return check.why();
    parts.push_back(check.in(i).shape);
    volume += count_of(parts.back());
  }
  if (!check.numeric() || !check.one_type()) return check.why();
  const Shape& whole = check.out().shape;
  const Origins origins = origins_of(a.view_origins, parts, a.axis);
  if (boxes_inside(check, origins, parts, whole) &&
      check.require(volume == count_of(whole),
                    fmt::format("its views hold {} elements, the output {}", volume, count_of(whole))))
    check.require(disjoint(origins, parts), "its views overlap");
  return check.why();
}

Result<void> concat(const KernelCall& call) {
  const auto& a = call.node.attr<graph::ConcatAttributes>();
  Starts starts(a.view_origins, a.axis, call.output().shape());
  WorkVector<float> result(static_cast<std::size_t>(call.output().count()));
  for (std::size_t k = 0; k < call.inputs.size(); ++k) {
    const WorkVector<float> part = decode(call.input(k));
    const Shape& shape = call.input(k).shape();
    for_each_strided(shape, starts.strides(), starts.next(shape),
                     [&](std::size_t i, std::size_t at) { result[at] = part[i]; });
  }
  encode(result, call.output());
  return {};
}

std::string split_limits(const graph::Graph& graph, const graph::Node& node) {
  Limits check(graph, node);
  const auto& a = node.attr<graph::SplitAttributes>();
  if (!check.operands(1, 1, node.outputs.size()) || !check.numeric()) return check.why();
  std::vector<Shape> parts;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!check.require(check.out(i).type == check.in(0).type, fmt::format("output {} has another type", i)))
      return check.why();
    parts.push_back(check.out(i).shape);
  }
  boxes_inside(check, origins_of(a.view_origins, parts, a.axis), parts, check.in(0).shape);
  return check.why();
}

Result<void> split(const KernelCall& call) {
  const auto& a = call.node.attr<graph::SplitAttributes>();
  Starts starts(a.view_origins, a.axis, call.input(0).shape());
  const WorkVector<float> input = decode(call.input(0));
  for (std::size_t k = 0; k < call.outputs.size(); ++k) {
    WorkVector<float> part(static_cast<std::size_t>(call.output(k).count()));
    const Shape& shape = call.output(k).shape();
    for_each_strided(shape, starts.strides(), starts.next(shape),
                     [&](std::size_t i, std::size_t at) { part[i] = input[at]; });
    encode(part, call.output(k));
  }
  return {};
}

}  // namespace npubin::exec::armnn
