#include "convert/float_twin.h"

#include <fmt/format.h>

namespace npubin::convert {
namespace {

using graph::Activation;
using graph::Graph;
using graph::Node;
using graph::Op;
using graph::Value;
using graph::ValueId;

std::size_t at(ValueId id) {
  return static_cast<std::size_t>(id);
}

bool is_code(DType type) {
  switch (type) {
    case DType::U8:
    case DType::I8:
    case DType::I16:
    case DType::I32:
    case DType::I64:  // biases of int16 activations
      return true;
    default:
      return false;
  }
}

bool quantised(const Value& value) {
  return is_code(value.type) && value.quantization.present();
}

// (code - zero point) * scale, rounded once.
Tensor decoded(Tensor codes, const Quantization& quantization) {
  codes.set_quantization(quantization);
  Tensor numbers(DType::F32, codes.shape());
  const auto out = numbers.as_mutable<float>();
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(codes.real(static_cast<std::int64_t>(i)));
  return numbers;
}

// The lowest code stands for 0: what lies below was cut.
bool cut_at_zero(const Value& value) {
  if (value.quantization.per_axis()) return false;
  const std::int64_t zero = value.quantization.zero_point();
  return (value.type == DType::I8 && zero == -128) || (value.type == DType::U8 && zero == 0);
}

graph::ActivationAttributes* fused_activation(Node& node) {
  if (auto* a = std::get_if<graph::ConvAttributes>(&node.attributes)) return &a->activation;
  if (auto* a = std::get_if<graph::FullyConnectedAttributes>(&node.attributes)) return &a->activation;
  if (auto* a = std::get_if<graph::BinaryAttributes>(&node.attributes)) return &a->activation;
  return nullptr;
}

class Twin {
 public:
  explicit Twin(const Graph& source) : source_(source), graph_(source), same_(source.values.size()) {
    for (std::size_t i = 0; i < same_.size(); ++i) same_[i] = static_cast<ValueId>(i);
  }

  Result<Graph> make() {
    std::size_t found = 0;
    for (Value& value : graph_.values)
      if (quantised(value)) {
        to_float(value);
        ++found;
      }
    if (found == 0) return refused("nothing in this network is quantised", "leave --dequantize out");
    graph_.nodes.clear();
    for (const Node& node : source_.nodes) NPUBIN_CHECK(add(node));
    for (graph::Port& port : graph_.outputs) port.value = same_[at(port.value)];
    return std::move(graph_);
  }

 private:
  static void to_float(Value& value) {
    if (value.constant) value.constant = decoded(*value.constant, value.quantization);
    value.type = DType::F32;
    value.quantization = {};
  }

  Result<void> add(const Node& node) {
    if (node.op == Op::EthosU)
      return refused("an Ethos-U command stream computes with codes: it has no float32 twin",
                     "start from the model that Vela compiled");
    const Value& in = source_.value(node.inputs.empty() ? ValueId{0} : node.inputs[0]);
    // Both sides are float32 now.
    if ((node.op == Op::Quantize && (quantised(in) || in.type == DType::F32)) ||
        (node.op == Op::Dequantize && quantised(in))) {
      same_[at(node.outputs[0])] = same_[at(node.inputs[0])];
      return {};
    }
    Node copy = node;
    for (ValueId& id : copy.inputs)
      if (id != graph::kNoValue) id = same_[at(id)];
    decode_bias(node, copy);
    graph::ActivationAttributes* const activation = fused_activation(copy);
    const Value& out = source_.value(node.outputs[0]);
    if (activation != nullptr && node.rules == graph::Rules::Tflite &&
        activation->function == Activation::None && quantised(out) && cut_at_zero(out))
      activation->function = Activation::ReLu;
    graph_.nodes.push_back(std::move(copy));
    return {};
  }

  // A bias without a scale of its own has that of the products.
  void decode_bias(const Node& node, Node& copy) {
    if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::FullyConnected) return;
    if (node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue) return;
    const Value &bias = source_.value(node.inputs[2]), &in = source_.value(node.inputs[0]),
                &weights = source_.value(node.inputs[1]);
    if (!bias.constant || !is_code(bias.type) || quantised(bias) || !quantised(in)) return;
    Value numbers = bias;
    for (float scale : weights.quantization.scales)
      numbers.quantization.scales.push_back(scale * in.quantization.scale());
    to_float(numbers);
    copy.inputs[2] = graph_.add_value(std::move(numbers));
  }

  const Graph& source_;
  Graph graph_;
  std::vector<ValueId> same_;  // by value of the source: what holds it now
};

}  // namespace

Result<Graph> float_twin(const Graph& graph) {
  return Twin(graph).make();
}

}  // namespace npubin::convert
