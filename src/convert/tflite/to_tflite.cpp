#include "convert/tflite/to_tflite.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "convert/tflite/lowering.h"
#include "convert/tflite/prepare.h"

namespace npubin::convert {
namespace {

using graph::Op;

struct LoweringRow {
  Op op;
  Lowering lower;
};

constexpr LoweringRow kLowerings[] = {
    {Op::Conv2d, lower_conv},
    {Op::DepthwiseConv2d, lower_depthwise},
    {Op::TransposeConv2d, lower_transpose_conv},
    {Op::FullyConnected, lower_fully_connected},
    {Op::Pool2d, lower_pool},
    {Op::Resize, lower_resize},
    {Op::BatchNormalization, lower_batch_normalization},
    {Op::LocalResponseNormalization, lower_local_response},
    {Op::Add, lower_binary},
    {Op::Sub, lower_binary},
    {Op::Mul, lower_binary},
    {Op::Div, lower_binary},
    {Op::Minimum, lower_binary},
    {Op::Maximum, lower_binary},
    {Op::Pow, lower_binary},
    {Op::SquaredDifference, lower_binary},
    {Op::FloorDiv, lower_binary},
    {Op::Equal, lower_binary},
    {Op::NotEqual, lower_binary},
    {Op::Greater, lower_binary},
    {Op::GreaterEqual, lower_binary},
    {Op::Less, lower_binary},
    {Op::LessEqual, lower_binary},
    {Op::LogicalAnd, lower_binary},
    {Op::LogicalOr, lower_binary},
    {Op::Prelu, lower_binary},
    {Op::Abs, lower_unary},
    {Op::Neg, lower_unary},
    {Op::Exp, lower_unary},
    {Op::Log, lower_unary},
    {Op::Sqrt, lower_unary},
    {Op::Rsqrt, lower_unary},
    {Op::Square, lower_unary},
    {Op::Floor, lower_unary},
    {Op::Ceil, lower_unary},
    {Op::Round, lower_unary},
    {Op::Sin, lower_unary},
    {Op::Cos, lower_unary},
    {Op::LogicalNot, lower_unary},
    {Op::Quantize, lower_unary},
    {Op::Dequantize, lower_unary},
    {Op::Activation, lower_activation},
    {Op::Softmax, lower_softmax},
    {Op::LogSoftmax, lower_softmax},
    {Op::L2Normalization, lower_l2_normalization},
    {Op::Reduce, lower_reduce},
    {Op::ArgMinMax, lower_arg_min_max},
    {Op::Reshape, lower_reshape},
    {Op::Transpose, lower_transpose},
    {Op::Concat, lower_concat},
    {Op::Split, lower_split},
    {Op::Slice, lower_slice},
    {Op::StridedSlice, lower_strided_slice},
    {Op::Pad, lower_pad},
    {Op::Gather, lower_gather},
    {Op::Stack, lower_stack},
    {Op::Fill, lower_fill},
    {Op::SpaceToBatchNd, lower_space_batch},
    {Op::BatchToSpaceNd, lower_space_batch},
    {Op::SpaceToDepth, lower_space_depth},
    {Op::DepthToSpace, lower_space_depth},
};

}  // namespace

Lowering find_lowering(graph::Op op) {
  for (const LoweringRow& row : kLowerings)
    if (row.op == op) return row.lower;
  return nullptr;
}

TfliteLowering::TfliteLowering(const graph::Graph& graph) : graph_(graph) {
  model_.description = "npubin";
  if (!graph.name.empty()) model_.name = graph.name;
  for (const graph::Value& value : graph.values)
    model_.tensors.push_back({value.name, value.type, value.shape, value.quantization,
                              value.constant ? Bytes::borrow(value.constant->bytes()) : Bytes()});
  for (const graph::Port& port : graph.inputs) {
    model_.inputs.push_back(port.value);
    if (!port.name.empty()) model_.tensors[static_cast<std::size_t>(port.value)].name = port.name;
  }
  for (const graph::Port& port : graph.outputs) {
    model_.outputs.push_back(port.value);
    if (!port.name.empty()) model_.tensors[static_cast<std::size_t>(port.value)].name = port.name;
  }
}

std::int32_t TfliteLowering::temporary(graph::ValueId like, Shape shape) {
  const graph::Value& value = graph_.value(like);
  model_.tensors.push_back({fmt::format("{}_{}", value.name, model_.tensors.size()),
                            value.type,
                            std::move(shape),
                            value.quantization,
                            {}});
  return static_cast<std::int32_t>(model_.tensors.size()) - 1;
}

std::int32_t TfliteLowering::constant(const std::string& name, const Tensor& tensor) {
  const ByteSpan data = tensor.bytes();
  model_.tensors.push_back({fmt::format("{}_{}", name, model_.tensors.size()), tensor.type(), tensor.shape(),
                            tensor.quantization(),
                            Bytes::own(std::vector<std::byte>(data.begin(), data.end()))});
  return static_cast<std::int32_t>(model_.tensors.size()) - 1;
}

std::int32_t TfliteLowering::ints(const std::string& name, const std::vector<std::int32_t>& values) {
  Tensor tensor(DType::I32, {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.as_mutable<std::int32_t>().begin());
  return constant(name, tensor);
}

std::int32_t TfliteLowering::scalar(const std::string& name, float value) {
  Tensor tensor(DType::F32, {});
  tensor.as_mutable<float>()[0] = value;
  return constant(name, tensor);
}

tflite::BuildOperator& TfliteLowering::op(std::string builtin, std::vector<std::int32_t> inputs,
                                          std::vector<std::int32_t> outputs) {
  return op(std::move(builtin), {}, std::move(inputs), std::move(outputs), {});
}

tflite::BuildOperator& TfliteLowering::op(std::string builtin, std::string options_table,
                                          std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
                                          std::vector<std::pair<std::string, tflite::OptionValue>> options) {
  return model_.operators.emplace_back(tflite::BuildOperator{std::move(builtin), std::move(options_table),
                                                             std::move(options), std::move(inputs),
                                                             std::move(outputs), 1});
}

namespace {

// Values that no operator uses any more (weights that were turned, operands that became options) are left
// out.
void drop_unused_tensors(tflite::BuildModel& model) {
  std::vector<bool> used(model.tensors.size(), false);
  const auto mark = [&](const std::vector<std::int32_t>& ids) {
    for (std::int32_t id : ids)
      if (id >= 0) used[static_cast<std::size_t>(id)] = true;
  };
  mark(model.inputs);
  mark(model.outputs);
  for (const tflite::BuildOperator& op : model.operators) {
    mark(op.inputs);
    mark(op.outputs);
  }
  std::vector<std::int32_t> moved(model.tensors.size(), -1);
  std::vector<tflite::BuildTensor> kept;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<std::int32_t>(kept.size());
    kept.push_back(std::move(model.tensors[i]));
  }
  model.tensors = std::move(kept);
  const auto renumber = [&](std::vector<std::int32_t>& ids) {
    for (std::int32_t& id : ids)
      if (id >= 0) id = moved[static_cast<std::size_t>(id)];
  };
  renumber(model.inputs);
  renumber(model.outputs);
  for (tflite::BuildOperator& op : model.operators) {
    renumber(op.inputs);
    renumber(op.outputs);
  }
}

}  // namespace

Result<std::vector<std::byte>> to_tflite(const graph::Graph& graph) {
  NPUBIN_TRY(const graph::Graph prepared, prepare_for_tflite(graph));
  return lower_graph(prepared);
}

Result<std::vector<std::byte>> lower_graph(const graph::Graph& graph) {
  TfliteLowering out(graph);
  std::set<std::string> obstacles;
  for (const graph::Node& node : graph.nodes) {
    const std::string name = node.source_type.empty() ? std::string(to_string(node.op)) : node.source_type;
    const Lowering lower = find_lowering(node.op);
    if (lower == nullptr) {
      obstacles.insert(name);
      continue;
    }
    if (auto done = lower(out, node); !done)
      obstacles.insert(fmt::format("{} ({})", name, done.error().message));
  }
  if (!obstacles.empty())
    return refused(fmt::format("TensorFlow Lite cannot express: {}", fmt::join(obstacles, ", ")),
                   "docs/convert.md lists what can be converted");
  tflite::BuildModel model = out.take();
  drop_unused_tensors(model);
  return tflite::build(model);
}

}  // namespace npubin::convert
