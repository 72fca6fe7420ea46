#include "convert/onnx/builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "npubin/half.h"

namespace npubin::convert {
namespace {

constexpr std::int64_t kToNchw[] = {0, 3, 1, 2}, kToNhwc[] = {0, 2, 3, 1};

std::vector<float> permuted(const std::vector<float>& from, const Shape& shape,
                            const std::vector<int>& permutation) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  std::vector<std::int64_t> index(shape.size(), 0);
  std::vector<float> out;
  out.reserve(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < permutation.size(); ++d)
      at += index[d] * strides[static_cast<std::size_t>(permutation[d])];
    out.push_back(from[static_cast<std::size_t>(at)]);
    for (std::size_t d = permutation.size(); d-- > 0;) {
      if (++index[d] < shape[static_cast<std::size_t>(permutation[d])]) break;
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace

onnx::TensorProto::DataType onnx_type(DType type) {
  switch (type) {
    case DType::F32:
      return onnx::TensorProto::FLOAT;
    case DType::F16:
      return onnx::TensorProto::FLOAT16;
    case DType::U8:
      return onnx::TensorProto::UINT8;
    case DType::I8:
      return onnx::TensorProto::INT8;
    case DType::I16:
      return onnx::TensorProto::INT16;
    case DType::I32:
      return onnx::TensorProto::INT32;
    case DType::I64:
      return onnx::TensorProto::INT64;
    case DType::Bool:
      return onnx::TensorProto::BOOL;
    default:
      return onnx::TensorProto::UNDEFINED;
  }
}

std::vector<float> constant_floats(const graph::Value& value) {
  const Tensor& tensor = *value.constant;
  if (tensor.type() == DType::F32) return {tensor.as<float>().begin(), tensor.as<float>().end()};
  std::vector<float> out;
  for (std::uint16_t bits : tensor.as<std::uint16_t>()) out.push_back(half_to_float(bits));
  return out;
}

namespace {

onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& key,
                                onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& added = *node.add_attribute();
  added.set_name(key);
  added.set_type(type);
  return added;
}

}  // namespace

void set_int(onnx::NodeProto& node, const std::string& key, std::int64_t value) {
  attribute(node, key, onnx::AttributeProto::INT).set_i(value);
}
void set_float(onnx::NodeProto& node, const std::string& key, float value) {
  attribute(node, key, onnx::AttributeProto::FLOAT).set_f(value);
}
void set_ints(onnx::NodeProto& node, const std::string& key, const std::vector<std::int64_t>& values) {
  onnx::AttributeProto& added = attribute(node, key, onnx::AttributeProto::INTS);
  for (std::int64_t value : values) added.add_ints(value);
}
void set_string(onnx::NodeProto& node, const std::string& key, const std::string& value) {
  attribute(node, key, onnx::AttributeProto::STRING).set_s(value);
}

OnnxBuilder::OnnxBuilder(const graph::Graph& graph) : graph_(graph), names_(graph.values.size()) {
  model_.set_ir_version(8);
  model_.set_producer_name("npubin");
  auto* opset = model_.add_opset_import();
  opset->set_domain("");
  opset->set_version(13);
  model_.mutable_graph()->set_name(graph.name.empty() ? "graph" : graph.name);
  for (const graph::Port& port : graph.inputs) {
    const std::string name = unique(port.name.empty() ? graph.value(port.value).name : port.name);
    Names& names = names_[static_cast<std::size_t>(port.value)];
    names.original = name;
    names.has_original = true;
    declare(*model_.mutable_graph()->add_input(), name, graph.value(port.value));
  }
  // Outputs keep their names: reserve them before anything in between takes one.
  for (const graph::Port& port : graph.outputs) {
    Names& names = names_[static_cast<std::size_t>(port.value)];
    if (names.original.empty())
      names.original = unique(port.name.empty() ? graph.value(port.value).name : port.name);
  }
}

std::string OnnxBuilder::unique(std::string wish) {
  if (wish.empty()) wish = "value";
  std::string name = wish;
  while (!used_.insert(name).second) name = fmt::format("{}_{}", wish, ++serial_);
  return name;
}

std::string OnnxBuilder::temporary(const std::string& stem) {
  return unique(stem);
}

void OnnxBuilder::declare(onnx::ValueInfoProto& info, const std::string& name, const graph::Value& value) {
  info.set_name(name);
  auto* tensor = info.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(onnx_type(value.type));
  for (std::int64_t d : value.shape) tensor->mutable_shape()->add_dim()->set_dim_value(d);
}

onnx::TensorProto& OnnxBuilder::initializer(const std::string& stem, onnx::TensorProto::DataType type,
                                            const std::vector<std::int64_t>& dims) {
  onnx::TensorProto& added = *model_.mutable_graph()->add_initializer();
  added.set_name(unique(stem));
  added.set_data_type(type);
  for (std::int64_t d : dims) added.add_dims(d);
  return added;
}

std::string OnnxBuilder::floats(const std::string& stem, const std::vector<float>& values,
                                const std::vector<std::int64_t>& dims) {
  onnx::TensorProto& added = initializer(stem, onnx::TensorProto::FLOAT, dims);
  added.set_raw_data(values.data(), values.size() * sizeof(float));
  return added.name();
}

std::string OnnxBuilder::ints(const std::string& stem, const std::vector<std::int64_t>& values) {
  onnx::TensorProto& added =
      initializer(stem, onnx::TensorProto::INT64, {static_cast<std::int64_t>(values.size())});
  added.set_raw_data(values.data(), values.size() * sizeof(std::int64_t));
  return added.name();
}

std::string OnnxBuilder::weights(graph::ValueId id, const std::vector<int>& permutation,
                                 const std::vector<std::int64_t>& dims) {
  const graph::Value& value = graph_.value(id);
  std::vector<float> data = constant_floats(value);
  if (!permutation.empty()) data = permuted(data, value.shape, permutation);
  return floats(value.name.empty() ? "weights" : value.name, data, dims);
}

std::string OnnxBuilder::constant(graph::ValueId id) {
  const graph::Value& value = graph_.value(id);
  if (value.type == DType::F16) return floats(value.name, constant_floats(value), value.shape);
  onnx::TensorProto& added =
      initializer(value.name.empty() ? "constant" : value.name, onnx_type(value.type), value.shape);
  added.set_raw_data(value.constant->data(), value.constant->byte_size());
  return added.name();
}

bool OnnxBuilder::has_nchw(graph::ValueId id) const {
  return names_[static_cast<std::size_t>(id)].has_nchw;
}

std::string OnnxBuilder::name(graph::ValueId id, Layout layout) {
  Names& names = names_[static_cast<std::size_t>(id)];
  if (graph_.value(id).constant && !names.has_original) {
    names.original = constant(id);
    names.has_original = true;
  }
  if (layout == Layout::Nchw) {
    if (names.has_nchw) return names.nchw;
    const std::string to = define(id, Layout::Nchw);
    set_ints(node("Transpose", {names.original}, {to}), "perm", {std::begin(kToNchw), std::end(kToNchw)});
    return to;
  }
  if (names.has_original) return names.original;
  const std::string to = define(id);
  set_ints(node("Transpose", {names.nchw}, {to}), "perm", {std::begin(kToNhwc), std::end(kToNhwc)});
  return to;
}

std::string OnnxBuilder::define(graph::ValueId id, Layout layout) {
  Names& names = names_[static_cast<std::size_t>(id)];
  if (layout == Layout::Nchw) {
    names.has_nchw = true;
    return names.nchw = temporary(graph_.value(id).name + "_nchw");
  }
  names.has_original = true;
  if (names.original.empty()) names.original = temporary(graph_.value(id).name);
  return names.original;
}

onnx::NodeProto& OnnxBuilder::node(const std::string& op_type, const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs) {
  onnx::NodeProto& added = *model_.mutable_graph()->add_node();
  added.set_op_type(op_type);
  added.set_name(fmt::format("{}_{}", op_type, ++serial_));
  for (const std::string& input : inputs) added.add_input(input);
  for (const std::string& output : outputs) added.add_output(output);
  return added;
}

std::string OnnxBuilder::finish() {
  for (const graph::Port& port : graph_.outputs) {
    std::string produced = name(port.value);
    for (const graph::Port& input : graph_.inputs)
      if (input.value == port.value) {  // handed through: an output needs a name of its own
        const std::string own = temporary(port.name);
        node("Identity", {produced}, {own});
        produced = own;
        break;
      }
    declare(*model_.mutable_graph()->add_output(), produced, graph_.value(port.value));
  }
  return model_.SerializeAsString();
}

}  // namespace npubin::convert
