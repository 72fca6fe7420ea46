// Products and movement of elements, in the graph's own layout.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "convert/onnx/operators.h"
#include "graph/views.h"

namespace npubin::convert {
namespace {

using graph::Node;

std::string reshaped(OnnxBuilder& b, const std::string& from, const Shape& shape,
                     const std::string& to = {}) {
  const std::string name = to.empty() ? b.temporary(from + "_reshaped") : to;
  b.node("Reshape", {from, b.ints("shape", shape)}, {name});
  return name;
}

}  // namespace

// Gemm over rows; the result takes the output's own shape.
Result<void> emit_fully_connected(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::FullyConnectedAttributes>();
  const Shape& weights = b.source().value(node.inputs[1]).shape;
  const Shape& out = b.source().value(node.outputs[0]).shape;
  const std::int64_t depth = attr.weights_transposed ? weights[1] : weights[0];
  const std::int64_t units = attr.weights_transposed ? weights[0] : weights[1];
  std::string from = b.name(node.inputs[0]);
  if (b.source().value(node.inputs[0]).shape.size() != 2) from = reshaped(b, from, {-1, depth});
  std::vector<std::string> inputs{from, b.name(node.inputs[1])};
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {
    const Shape& bias = b.source().value(node.inputs[2]).shape;
    inputs.push_back(bias.size() == 1 ? b.name(node.inputs[2])
                                      : reshaped(b, b.name(node.inputs[2]), {units}));
  }
  const std::string to = b.define(node.outputs[0]);
  const bool flat = out.size() == 2;
  const std::string product = b.temporary(to + "_product");
  set_int(b.node("Gemm", inputs, {product}), "transB", attr.weights_transposed ? 1 : 0);
  std::string last = product;
  if (!flat) last = reshaped(b, product, out);
  emit_activation(b, attr.activation, last, to);
  return {};
}

Result<void> emit_batch_matmul(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::BatchMatMulAttributes>();
  auto operand = [&](std::size_t i, bool transpose) {
    std::string name = b.name(node.inputs[i]);
    if (!transpose) return name;
    std::vector<std::int64_t> order;
    const auto rank = static_cast<std::int64_t>(b.source().value(node.inputs[i]).shape.size());
    for (std::int64_t d = 0; d < rank; ++d) order.push_back(d);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    const std::string turned = b.temporary(name + "_turned");
    set_ints(b.node("Transpose", {name}, {turned}), "perm", order);
    return turned;
  };
  const std::string left = operand(0, attr.transpose_x), right = operand(1, attr.transpose_y);
  b.node("MatMul", {left, right}, {b.define(node.outputs[0])});
  return {};
}

Result<void> emit_reshape(OnnxBuilder& b, const Node& node) {
  const std::string from = b.name(node.inputs[0]);
  reshaped(b, from, b.source().value(node.outputs[0]).shape, b.define(node.outputs[0]));
  return {};
}

Result<void> emit_transpose(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::TransposeAttributes>();
  const std::string from = b.name(node.inputs[0]);
  set_ints(b.node("Transpose", {from}, {b.define(node.outputs[0])}), "perm",
           {attr.permutation.begin(), attr.permutation.end()});
  return {};
}

namespace {

constexpr int kNhwcToNchwAxis[] = {0, 2, 3, 1};

}  // namespace

Result<void> emit_concat(OnnxBuilder& b, const Node& node) {
  NPUBIN_TRY(const int axis, graph::concat_axis(b.source(), node));
  const auto& attr = node.attr<graph::ConcatAttributes>();
  const auto rank = static_cast<int>(b.source().value(node.outputs[0]).shape.size());
  const bool nchw = rank == 4 && std::all_of(node.inputs.begin(), node.inputs.end(),
                                             [&](graph::ValueId id) { return b.has_nchw(id); });
  const Layout layout = nchw ? Layout::Nchw : Layout::Original;
  std::vector<std::string> inputs;
  for (graph::ValueId id : node.inputs) inputs.push_back(b.name(id, layout));
  const std::string to = b.define(node.outputs[0], layout);
  const bool active = attr.activation.function != graph::Activation::None;
  const std::string before = active ? b.temporary(to + "_linear") : to;
  set_int(b.node("Concat", inputs, {before}), "axis", nchw ? kNhwcToNchwAxis[axis] : axis);
  if (active) emit_activation(b, attr.activation, before, to);
  return {};
}

Result<void> emit_split(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::SplitAttributes>();
  if (!attr.view_origins.empty()) {
    const std::string from = b.name(node.inputs[0]);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const Shape& size = b.source().value(node.outputs[i]).shape;
      Shape begin(attr.view_origins[i].begin(), attr.view_origins[i].end()), end = begin;
      for (std::size_t d = 0; d < end.size(); ++d) end[d] += size[d];
      b.node("Slice", {from, b.ints("starts", begin), b.ints("ends", end)}, {b.define(node.outputs[i])});
    }
    return {};
  }
  const std::string from = b.name(node.inputs[0]), sizes = b.ints("sizes", attr.sizes);
  std::vector<std::string> outputs;
  for (graph::ValueId id : node.outputs) outputs.push_back(b.define(id));
  set_int(b.node("Split", {from, sizes}, outputs), "axis", attr.axis);
  return {};
}

Result<void> emit_slice(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::SliceAttributes>();
  Shape end = attr.begin;
  for (std::size_t d = 0; d < end.size(); ++d) end[d] += attr.size[d];
  const std::string from = b.name(node.inputs[0]);
  b.node("Slice", {from, b.ints("starts", attr.begin), b.ints("ends", end)}, {b.define(node.outputs[0])});
  return {};
}

Result<void> emit_strided_slice(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::StridedSliceAttributes>();
  if (attr.ellipsis_mask != 0 || attr.new_axis_mask != 0)
    return refused("strided slices with ellipsis or new axes");
  const std::string from = b.name(node.inputs[0]);
  std::vector<std::int64_t> begin, end, axes, steps;
  for (std::size_t d = 0; d < attr.begin.size(); ++d) {
    const std::uint32_t bit = 1u << d;
    const bool backward = attr.stride[d] < 0, shrunk = (attr.shrink_axis_mask & bit) != 0;
    const std::int64_t far = std::numeric_limits<std::int64_t>::max();
    begin.push_back((attr.begin_mask & bit) != 0 ? (backward ? far : 0) : attr.begin[d]);
    std::int64_t stop = (attr.end_mask & bit) != 0 ? (backward ? -far : far) : attr.end[d];
    if (shrunk) stop = begin.back() == -1 ? far : begin.back() + 1;
    end.push_back(stop);
    axes.push_back(static_cast<std::int64_t>(d));
    steps.push_back(shrunk ? 1 : attr.stride[d]);
  }
  const std::string to = b.define(node.outputs[0]);
  const std::string sliced = attr.shrink_axis_mask != 0 ? b.temporary(to + "_sliced") : to;
  b.node("Slice",
         {from, b.ints("starts", begin), b.ints("ends", end), b.ints("axes", axes), b.ints("steps", steps)},
         {sliced});
  if (attr.shrink_axis_mask != 0) reshaped(b, sliced, b.source().value(node.outputs[0]).shape, to);
  return {};
}

Result<void> emit_pad(OnnxBuilder& b, const Node& node) {
  const auto& attr = node.attr<graph::PadAttributes>();
  if (attr.mode == graph::PadMode::Symmetric) return refused("symmetric padding");
  if (node.inputs.size() > 2) return refused("padding by a computed value");
  const bool nchw = attr.pads.size() == 4 && b.has_nchw(node.inputs[0]);
  const Layout layout = nchw ? Layout::Nchw : Layout::Original;
  constexpr std::size_t kOrder[] = {0, 3, 1, 2};
  std::vector<std::int64_t> pads(attr.pads.size() * 2);
  for (std::size_t d = 0; d < attr.pads.size(); ++d) {
    const auto& [before, after] = attr.pads[nchw ? kOrder[d] : d];
    pads[d] = before;
    pads[d + attr.pads.size()] = after;
  }
  const std::string from = b.name(node.inputs[0], layout);
  std::vector<std::string> inputs{from, b.ints("pads", pads)};
  const bool constant = attr.mode == graph::PadMode::Constant;
  if (constant) inputs.push_back(b.floats("value", {attr.value}, {}));
  set_string(b.node("Pad", inputs, {b.define(node.outputs[0], layout)}), "mode",
             constant ? "constant" : "reflect");
  return {};
}

}  // namespace npubin::convert
