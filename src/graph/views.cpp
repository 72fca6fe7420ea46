#include "graph/views.h"

namespace npubin::graph {
namespace {

// Whether the inputs, laid end to end along `axis`, sit just where their origins say.
bool side_by_side(const Graph& graph, const Node& node, const ConcatAttributes& attr, std::size_t axis) {
  const npubin::Shape& out = graph.value(node.outputs[0]).shape;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const npubin::Shape& in = graph.value(node.inputs[i]).shape;
    const auto& origin = attr.view_origins[i];
    if (in.size() != out.size() || origin.size() != out.size()) return false;
    for (std::size_t d = 0; d < out.size(); ++d)
      if (origin[d] != (d == axis ? static_cast<std::uint64_t>(at) : 0u) || (d != axis && in[d] != out[d]))
        return false;
    at += in[axis];
  }
  return at == out[axis];
}

}  // namespace

Result<int> concat_axis(const Graph& graph, const Node& node) {
  const auto& attr = node.attr<ConcatAttributes>();
  const auto rank = static_cast<int>(graph.value(node.outputs[0]).shape.size());
  if (attr.view_origins.empty()) return attr.axis < 0 ? attr.axis + rank : attr.axis;
  if (attr.view_origins.size() == node.inputs.size())
    for (int axis = 0; axis < rank; ++axis)
      if (side_by_side(graph, node, attr, static_cast<std::size_t>(axis))) return axis;
  return refused("a concatenation whose views do not lie side by side along one axis, in order");
}

}  // namespace npubin::graph
