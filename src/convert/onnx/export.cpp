#include "convert/onnx/export.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "convert/onnx/builder.h"
#include "convert/onnx/operators.h"

namespace npubin::convert {
namespace {

using graph::Op;

struct ExportRow {
  Op op;
  OnnxEmitter emit;
};

constexpr ExportRow kEmitters[] = {
    {Op::Conv2d, emit_conv},
    {Op::DepthwiseConv2d, emit_conv},
    {Op::TransposeConv2d, emit_transpose_conv},
    {Op::FullyConnected, emit_fully_connected},
    {Op::BatchMatMul, emit_batch_matmul},
    {Op::Pool2d, emit_pool},
    {Op::LocalResponseNormalization, emit_local_response},
    {Op::Add, emit_binary},
    {Op::Sub, emit_binary},
    {Op::Mul, emit_binary},
    {Op::Div, emit_binary},
    {Op::Minimum, emit_binary},
    {Op::Maximum, emit_binary},
    {Op::Pow, emit_binary},
    {Op::SquaredDifference, emit_binary},
    {Op::Equal, emit_binary},
    {Op::NotEqual, emit_binary},
    {Op::Greater, emit_binary},
    {Op::GreaterEqual, emit_binary},
    {Op::Less, emit_binary},
    {Op::LessEqual, emit_binary},
    {Op::LogicalAnd, emit_binary},
    {Op::LogicalOr, emit_binary},
    {Op::Abs, emit_unary},
    {Op::Neg, emit_unary},
    {Op::Exp, emit_unary},
    {Op::Log, emit_unary},
    {Op::Sqrt, emit_unary},
    {Op::Rsqrt, emit_unary},
    {Op::Square, emit_unary},
    {Op::Floor, emit_unary},
    {Op::Ceil, emit_unary},
    {Op::Round, emit_unary},
    {Op::Sin, emit_unary},
    {Op::Cos, emit_unary},
    {Op::LogicalNot, emit_unary},
    {Op::Activation, emit_activation_node},
    {Op::Prelu, emit_prelu},
    {Op::Softmax, emit_softmax},
    {Op::LogSoftmax, emit_softmax},
    {Op::L2Normalization, emit_l2_normalization},
    {Op::BatchNormalization, emit_batch_normalization},
    {Op::Reduce, emit_reduce},
    {Op::Dequantize, emit_dequantize},
    {Op::Reshape, emit_reshape},
    {Op::Transpose, emit_transpose},
    {Op::Concat, emit_concat},
    {Op::Split, emit_split},
    {Op::Slice, emit_slice},
    {Op::StridedSlice, emit_strided_slice},
    {Op::Pad, emit_pad},
    {Op::Resize, emit_resize},
};

// What stands in the way, once per operator or type.
std::set<std::string> obstacles(const graph::Graph& graph) {
  std::set<std::string> out;
  for (const graph::Node& node : graph.nodes) {
    const std::string name = node.source_type.empty() ? std::string(to_string(node.op)) : node.source_type;
    if (find_emitter(node.op) == nullptr) out.insert(name);
    for (graph::ValueId id : node.outputs)
      if (const graph::Value& v = graph.value(id); v.quantization.present() && !is_float(v.type))
        out.insert(fmt::format("{} of quantised {}", name, to_string(v.type)));
  }
  return out;
}

}  // namespace

OnnxEmitter find_emitter(graph::Op op) {
  for (const ExportRow& row : kEmitters)
    if (row.op == op) return row.emit;
  return nullptr;
}

Result<std::string> to_onnx(const graph::Graph& graph) {
  if (const auto names = obstacles(graph); !names.empty())
    return refused(fmt::format("ONNX export does not know: {}", fmt::join(names, ", ")),
                   "only float graphs of the operators in docs/onnx.md are exported");
  OnnxBuilder builder(graph);
  for (const graph::Node& node : graph.nodes) {
    if (auto done = find_emitter(node.op)(builder, node); !done) {
      Error error = std::move(done).error();
      error.message = fmt::format("ONNX export of '{}' ({}): {} cannot be expressed", node.name,
                                  node.source_type, error.message);
      return Unexpected(std::move(error));
    }
  }
  return builder.finish();
}

}  // namespace npubin::convert
