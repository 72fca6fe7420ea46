#include "convert/armnn/rewrite.h"

#include <array>

#include <fmt/format.h>

#include "convert/armnn/to_armnn_rules.h"
#include "exec/kernel.h"

namespace npubin::convert {
namespace {

using namespace graph;

struct RewriteRow {
  Op op;
  Rewrite rewrite;
};

constexpr RewriteRow kRewrites[] = {
    {Op::Conv2d, rewrite_conv},
    {Op::DepthwiseConv2d, rewrite_depthwise},
    {Op::TransposeConv2d, rewrite_transpose_conv},
    {Op::FullyConnected, rewrite_fully_connected},
    {Op::Pool2d, rewrite_pool},
    {Op::LocalResponseNormalization, rewrite_local_response},
    {Op::L2Normalization, rewrite_l2_normalization},
    {Op::Resize, rewrite_resize},
    {Op::DetectionPostProcess, rewrite_detection},
    {Op::Add, rewrite_binary},
    {Op::Sub, rewrite_binary},
    {Op::Mul, rewrite_binary},
    {Op::Div, rewrite_binary},
    {Op::Minimum, rewrite_binary},
    {Op::Maximum, rewrite_binary},
    {Op::SquaredDifference, rewrite_squared_difference},
    {Op::Equal, rewrite_comparison},
    {Op::NotEqual, rewrite_comparison},
    {Op::Greater, rewrite_comparison},
    {Op::GreaterEqual, rewrite_comparison},
    {Op::Less, rewrite_comparison},
    {Op::LessEqual, rewrite_comparison},
    {Op::Abs, rewrite_unary},
    {Op::Rsqrt, rewrite_unary},
    {Op::Sqrt, rewrite_unary},
    {Op::Exp, rewrite_unary},
    {Op::Neg, rewrite_unary},
    {Op::Floor, rewrite_unary},
    {Op::Square, rewrite_square},
    {Op::Activation, rewrite_activation},
    {Op::Prelu, rewrite_prelu},
    {Op::Softmax, rewrite_softmax},
    {Op::LogSoftmax, rewrite_softmax},
    {Op::Reduce, rewrite_reduce},
    {Op::ArgMinMax, rewrite_arg},
    {Op::Quantize, rewrite_quantize},
    {Op::Dequantize, rewrite_quantize},
    {Op::Reshape, rewrite_first_operand},
    {Op::Transpose, rewrite_first_operand},
    {Op::Slice, rewrite_first_operand},
    {Op::StridedSlice, rewrite_first_operand},
    {Op::SpaceToDepth, rewrite_first_operand},
    {Op::DepthToSpace, rewrite_first_operand},
    {Op::Concat, rewrite_concat},
    {Op::Split, rewrite_split},
    {Op::Stack, rewrite_stack},
    {Op::Unstack, rewrite_unstack},
    {Op::BatchMatMul, rewrite_batch_matmul},
    {Op::Ceil, rewrite_rounding},
    {Op::Round, rewrite_rounding},
    {Op::LogicalAnd, rewrite_logical},
    {Op::LogicalOr, rewrite_logical},
    {Op::LogicalNot, rewrite_logical},
    {Op::Tile, rewrite_tile},
    {Op::Pow, rewrite_pow},
    {Op::Fill, rewrite_fill},
    {Op::GatherNd, rewrite_gather_nd},
    {Op::Pad, rewrite_pad},
    {Op::Gather, rewrite_gather},
    {Op::SpaceToBatchNd, rewrite_space_batch},
    {Op::BatchToSpaceNd, rewrite_space_batch},
};

Rewrite find_rewrite(Op op) {
  for (const RewriteRow& row : kRewrites)
    if (row.op == op) return row.rewrite;
  return nullptr;
}

}  // namespace

ArmnnRewrite::ArmnnRewrite(const Graph& source) : graph_(source) {
  graph_.nodes.clear();
}

void ArmnnRewrite::add(Op op, Attributes attributes, std::vector<ValueId> inputs,
                       std::vector<ValueId> outputs) {
  graph::Node node;
  node.op = op;
  node.rules = Rules::ArmNn;
  node.attributes = std::move(attributes);
  const bool last = outputs == source_->outputs;
  node.name = last ? source_->name : fmt::format("{}/{}{}", source_->name, graph::to_string(op), made_);
  ++made_;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.source_index = source_->source_index;
  node.source_offset = source_->source_offset;
  node.source_type = std::string(graph::to_string(op));
  graph_.nodes.push_back(std::move(node));
}

ValueId ArmnnRewrite::temporary(ValueId like, Shape shape) {
  Value value;
  value.name = fmt::format("{}/{}", source_->name, graph_.values.size());
  value.type = graph_.value(like).type;
  value.shape = std::move(shape);
  value.quantization = graph_.value(like).quantization;
  return graph_.add_value(std::move(value));
}

ValueId ArmnnRewrite::float_temporary(Shape shape) {
  Value value;
  value.name = fmt::format("{}/{}", source_->name, graph_.values.size());
  value.shape = std::move(shape);
  return graph_.add_value(std::move(value));
}

std::vector<graph::Node> ArmnnRewrite::take_nodes(std::size_t first) {
  const auto from = graph_.nodes.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<graph::Node> out(std::make_move_iterator(from), std::make_move_iterator(graph_.nodes.end()));
  graph_.nodes.erase(from, graph_.nodes.end());
  return out;
}

ValueId ArmnnRewrite::constant(std::string name, Tensor tensor) {
  Value value;
  value.name = std::move(name);
  value.type = tensor.type();
  value.shape = tensor.shape();
  value.quantization = tensor.quantization();
  value.constant = std::move(tensor);
  return graph_.add_value(std::move(value));
}

ValueId ArmnnRewrite::reshaped(ValueId id, const Shape& shape) {
  const Value& from = graph_.value(id);
  if (from.shape == shape) return id;
  if (from.constant) return constant(from.name, from.constant->reshaped(shape));
  const ValueId out = temporary(id, shape);
  add(Op::Reshape, ReshapeAttributes{shape}, {id}, {out});
  return out;
}

ValueId ArmnnRewrite::before_activation(ValueId output, const ActivationAttributes& fused) {
  return fused.function == Activation::None ? output : temporary(output, graph_.value(output).shape);
}

void ArmnnRewrite::activation(ValueId from, ValueId output, const ActivationAttributes& fused) {
  if (fused.function != Activation::None) add(Op::Activation, fused, {from}, {output});
}

ValueId ArmnnRewrite::binary(Op op, ValueId a, ValueId b, Shape shape) {
  const ValueId to = temporary(a, std::move(shape));
  add(op, BinaryAttributes{}, {a, b}, {to});
  return to;
}

ValueId ArmnnRewrite::activated(ValueId a, Activation function, float upper, float lower) {
  const ValueId to = temporary(a, value(a).shape);
  add(Op::Activation, ActivationAttributes{function, upper, lower, false}, {a}, {to});
  return to;
}

ValueId ArmnnRewrite::decoded(ValueId id) {
  if (!is_code(id)) return id;
  const ValueId to = float_temporary(value(id).shape);
  add(Op::Dequantize, {}, {id}, {to});
  return to;
}

namespace {

// What was written for a node has to be what Arm NN's reference backend computes.
std::string objection(const Graph& graph, std::size_t first) {
  for (std::size_t i = first; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    for (ValueId id : node.outputs)
      if (graph.value(id).type == DType::I16 && graph.value(id).quantization.zero_point() != 0)
        return fmt::format("an int16 result with zero point {}; Arm NN's have none",
                           graph.value(id).quantization.zero_point());
    const exec::KernelRow* row = exec::find_reference_kernel(node.op, node.rules);
    if (row == nullptr) return fmt::format("no layer for {}", graph::to_string(node.op));
    if (row->limits == nullptr) continue;
    if (std::string why = row->limits(graph, node); !why.empty()) return why;
  }
  return {};
}

}  // namespace

Result<Graph> to_armnn_rules(const Graph& source) {
  const Graph folded = fold_constants(source);
  ArmnnRewrite out(folded);
  std::string reasons;
  for (const graph::Node& node : folded.nodes) {
    out.begin(node);
    const Rewrite rewrite = find_rewrite(node.op);
    const std::size_t before = out.count();
    std::string why = rewrite == nullptr ? "no layer for it" : rewrite(out, node);
    if (why.empty()) why = objection(out.graph(), before);
    if (why.empty()) continue;
    const std::string_view type =
        node.source_type.empty() ? graph::to_string(node.op) : std::string_view(node.source_type);
    reasons +=
        fmt::format("{}{} {} '{}': {}", reasons.empty() ? "" : "; ", type, node.source_index, node.name, why);
  }
  if (!reasons.empty()) return refused("these operators cannot be expressed in Arm NN: " + reasons);
  Graph result = out.take();
  NPUBIN_CHECK(graph::verify(result));
  return result;
}

}  // namespace npubin::convert
