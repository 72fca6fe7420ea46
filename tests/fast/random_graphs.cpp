#include "random_graphs.h"

#include <cmath>

#include "npubin/half.h"

namespace npubin::test {

using graph::ValueId;

Tensor random_tensor(Random& random, DType type, const Shape& shape) {
  Tensor tensor(type, shape);
  if (type == DType::F32) {
    for (float& x : tensor.as_mutable<float>()) x = random.real();
  } else if (type == DType::I32) {
    for (std::int32_t& x : tensor.as_mutable<std::int32_t>())
      x = static_cast<std::int32_t>(random.between(-3000, 3000));
  } else if (type == DType::I64) {
    for (std::int64_t& x : tensor.as_mutable<std::int64_t>()) x = random.between(-300000, 300000);
  } else if (type == DType::I16) {
    for (std::int16_t& x : tensor.as_mutable<std::int16_t>())
      x = static_cast<std::int16_t>(random.between(-32768, 32767));
  } else if (type == DType::F16) {
    for (std::uint16_t& x : tensor.as_mutable<std::uint16_t>()) x = float_to_half(random.real());
  } else {
    for (std::uint8_t& x : tensor.as_mutable<std::uint8_t>())
      x = static_cast<std::uint8_t>(random.between(0, 255));
  }
  return tensor;
}

Quantization random_quantization(Random& random, DType type) {
  if (type != DType::I8 && type != DType::U8 && type != DType::I16) return {};
  const float scale = 0.005f + static_cast<float>(random.between(0, 1000)) * 1e-4f;
  if (type == DType::I16) return Quantization::per_tensor(scale / 100, 0);
  return Quantization::per_tensor(scale,
                                  type == DType::U8 ? random.between(0, 255) : random.between(-128, 127));
}

ValueId GraphBuilder::input(DType type, Shape shape, Quantization quantization) {
  graph::Value value;
  value.type = type;
  value.shape = std::move(shape);
  value.quantization = std::move(quantization);
  const ValueId id = graph.add_value(std::move(value));
  graph.inputs.push_back({"in" + std::to_string(graph.inputs.size()), id, 0});
  return id;
}

ValueId GraphBuilder::constant(DType type, Shape shape, Quantization quantization) {
  Tensor tensor = random_tensor(random, type, shape);
  tensor.set_quantization(std::move(quantization));
  return constant(std::move(tensor));
}

ValueId GraphBuilder::constant(Tensor tensor) {
  graph::Value value;
  value.type = tensor.type();
  value.shape = tensor.shape();
  value.quantization = tensor.quantization();
  value.constant = std::move(tensor);
  return graph.add_value(std::move(value));
}

ValueId GraphBuilder::node(graph::Op op, graph::Attributes attributes, std::vector<ValueId> inputs,
                           DType type, Shape shape, Quantization quantization) {
  graph::Value value;
  value.type = type;
  value.shape = std::move(shape);
  value.quantization = std::move(quantization);
  const ValueId id = graph.add_value(std::move(value));
  graph::Node node;
  node.op = op;
  node.rules = rules_;
  node.attributes = std::move(attributes);
  node.inputs = std::move(inputs);
  node.outputs = {id};
  node.source_type = to_string(op);
  graph.nodes.push_back(std::move(node));
  return id;
}

void GraphBuilder::output(ValueId id) {
  graph.outputs.push_back({"out" + std::to_string(graph.outputs.size()), id, 0});
}

Comparison compare_modes(const GraphBuilder& builder, int threads) {
  Comparison result;
  Random random(77);
  std::vector<Tensor> inputs;
  for (const graph::Port& port : builder.graph.inputs)
    inputs.push_back(
        random_tensor(random, builder.graph.value(port.value).type, builder.graph.value(port.value).shape));
  std::vector<std::vector<Tensor>> outputs;
  for (ExecMode mode : {ExecMode::Reference, ExecMode::Fast}) {
    SessionOptions options;
    options.mode = mode;
    options.threads = threads;
    auto session = Session::compile(builder.graph, options);
    if (!session) {
      result.error = to_string(session.error());
      return result;
    }
    if (mode == ExecMode::Fast)
      for (const PlanStep& step : (*session)->plan().steps) {
        result.kernels += step.type;
        for (const std::string& part : step.absorbed) result.kernels += "+" + part;
        result.kernels += " " + step.kernel + "; ";
      }
    const auto context = (*session)->new_context();
    for (int run = 0; run < (mode == ExecMode::Fast ? 2 : 1); ++run) {
      auto tensors = (*session)->run(*context, inputs);
      if (!tensors) {
        result.error = to_string(tensors.error());
        return result;
      }
      if (run == 0) outputs.emplace_back();
      outputs.back().clear();
      for (const Tensor& tensor : *tensors) outputs.back().push_back(tensor.clone());
    }
  }
  for (std::size_t k = 0; k < outputs[0].size(); ++k) {
    Tensor want = outputs[0][k], got = outputs[1][k];
    want.set_quantization({});
    got.set_quantization({});
    for (std::int64_t i = 0; i < want.count(); ++i) {
      const double w = want.real(i), g = got.real(i);
      if (w == g || (std::isnan(w) && std::isnan(g))) continue;
      result.worst = std::max(result.worst, std::isfinite(w - g) ? std::fabs(w - g) : INFINITY);
      if (std::isfinite(w)) result.largest = std::max(result.largest, std::fabs(w));
    }
  }
  return result;
}

}  // namespace npubin::test
