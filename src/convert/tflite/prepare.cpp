#include "convert/tflite/prepare.h"

#include <algorithm>
#include <array>

#include "convert/armnn/rewrite.h"
#include "convert/tflite/expand.h"
#include "convert/tflite/to_nhwc.h"
#include "convert/tflite/to_tflite.h"
#include "exec/admission.h"
#include "exec/real_values.h"
#include "formats/tflite/document.h"
#include "npubin/half.h"

namespace npubin::convert {
namespace {

using namespace graph;

bool is_code(const Value& value) {
  return value.quantization.present() && !is_float(value.type);
}

Tensor widened(const Tensor& half) {
  Tensor out(DType::F32, half.shape());
  for (std::size_t i = 0; i < static_cast<std::size_t>(half.count()); ++i)
    out.as_mutable<float>()[i] = half_to_float(half.as<std::uint16_t>()[i]);
  return out;
}

void widen(Graph& graph) {
  for (Value& value : graph.values) {
    if (value.type != DType::F16) continue;
    value.type = DType::F32;
    if (value.constant) value.constant = widened(*value.constant);
  }
}

// Would the own reader take this one node in a .tflite, and run it?
bool taken(const Graph& source, const graph::Node& node) {
  Graph one;
  std::vector<ValueId> known(source.values.size(), kNoValue);
  graph::Node copy = node;
  const auto bring = [&](ValueId& id) {
    if (id == kNoValue) return;
    ValueId& to = known[static_cast<std::size_t>(id)];
    if (to == kNoValue) to = one.add_value(source.value(id));
    id = to;
  };
  for (ValueId& id : copy.inputs) {
    bring(id);
    if (id == kNoValue || one.value(id).constant) continue;
    const bool fed =
        std::any_of(one.inputs.begin(), one.inputs.end(), [&](const Port& p) { return p.value == id; });
    if (!fed) one.inputs.push_back({one.value(id).name, id, 0});
  }
  for (ValueId& id : copy.outputs) {
    bring(id);
    if (id != kNoValue) one.outputs.push_back({one.value(id).name, id, 0});
  }
  one.nodes.push_back(std::move(copy));
  const auto bytes = lower_graph(one);
  if (!bytes) return false;
  const auto document = tflite::TfliteDocument::read(Bytes::own(std::vector<std::byte>(*bytes)), {});
  if (!document) return false;
  Diagnostics findings;
  (*document)->validate({}, findings);
  if (findings.has_errors()) return false;
  const auto graph = dynamic_cast<const GraphSource&>(**document).graph(findings);
  return graph && exec::admit(*graph).has_value();
}

// TensorFlow Lite's kernels of these copy or compare codes: operands and results have to have one scale.
bool copies_codes(const graph::Node& node) {
  switch (node.op) {
    case Op::Minimum:
    case Op::Maximum:
    case Op::Resize:
    case Op::Gather:
    case Op::Slice:
    case Op::Split:
    case Op::Stack:
      return true;
    case Op::Pool2d:
      return true;
    case Op::Activation: {
      const Activation function = node.attr<ActivationAttributes>().function;
      return function == Activation::BoundedReLu || function == Activation::Abs;
    }
    default:
      return false;
  }
}

class Preparation {
 public:
  explicit Preparation(const Graph& graph) : source_(graph), out_(graph) {}

  Graph run() {
    for (const graph::Node& node : source_.nodes) {
      out_.begin(node);
      express(node);
    }
    return out_.take();
  }

 private:
  void express(const graph::Node& node) {
    // Nodes of TensorFlow Lite's own rules (a float twin's) are what they are.
    if (node.rules == Rules::Tflite || node.inputs.empty() || node.outputs.empty() ||
        node.inputs[0] == kNoValue || node.op == Op::Unsupported) {
      out_.keep(node);
      return;
    }
    if (rescale(node)) return;
    const std::size_t before = out_.count();
    if (expand_for_tflite(out_, node)) {
      again(before);
      return;
    }
    if (has_codes(node) && !taken(out_.graph(), node) && in_float(node)) return;
    out_.keep(node);
  }

  // What an expansion wrote is looked at once more: parts of it may have to be in float.
  void again(std::size_t before) {
    for (graph::Node& node : out_.take_nodes(before)) {
      if (has_codes(node) && !taken(out_.graph(), node) && in_float(node)) continue;
      out_.keep(node);
    }
  }

  bool has_codes(const graph::Node& node) const {
    const auto code = [&](ValueId id) { return id != kNoValue && is_code(out_.value(id)); };
    return std::any_of(node.inputs.begin(), node.inputs.end(), code) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), code);
  }

  // Codes of one scale: those of the operand, and the result quantised anew; for Minimum and Maximum those of
  // the result, which the larger and the smaller keep.
  bool rescale(const graph::Node& node) {
    if (!copies_codes(node) || node.outputs.size() != 1 || !is_code(out_.value(node.outputs[0])))
      return false;
    const Quantization wanted = out_.value(node.outputs[0]).quantization;
    const DType type = out_.value(node.outputs[0]).type;
    graph::Node same = node;
    if (node.op == Op::Minimum || node.op == Op::Maximum || node.op == Op::Stack) {
      bool changed = false;
      for (ValueId& id : same.inputs) {
        if (out_.value(id).quantization == wanted || out_.value(id).type != type) continue;
        id = requantised(id, node.outputs[0]);
        changed = true;
      }
      if (!changed) return false;
      finish(same);
      return true;
    }
    const Value in = out_.value(node.inputs[0]);
    if (in.quantization == wanted || in.type != type) return false;
    const ValueId between = out_.temporary(node.inputs[0], out_.value(node.outputs[0]).shape);
    same.outputs[0] = between;
    finish(same);
    out_.add(Op::Quantize, {}, {between}, node.outputs);
    return true;
  }

  void finish(const graph::Node& node) {
    const std::size_t before = out_.count();
    if (expand_for_tflite(out_, node)) {
      again(before);
      return;
    }
    if (!taken(out_.graph(), node) && in_float(node)) return;
    out_.keep(node);
  }

  ValueId requantised(ValueId id, ValueId like) {
    const ValueId to = out_.temporary(like, out_.value(id).shape);
    out_.add(Op::Quantize, {}, {id}, {to});
    return to;
  }

  ValueId real(ValueId id) {
    const Value value = out_.value(id);
    if (!is_code(value)) return id;
    if (value.constant) {
      Tensor stored = *value.constant;
      stored.set_quantization(value.quantization);
      return out_.constant(value.name, exec::to_real(stored));
    }
    const ValueId to = out_.float_temporary(value.shape);
    out_.add(Op::Dequantize, {}, {id}, {to});
    return to;
  }

  // Arm NN's own arithmetic: decode, compute in float, encode (armnn spec 3).
  bool in_float(const graph::Node& node) {
    // Encoded by its input's scale, whatever its own says (armnn spec 3, Normalization).
    if (node.op == Op::LocalResponseNormalization &&
        !(out_.value(node.inputs[0]).quantization == out_.value(node.outputs[0]).quantization))
      return false;
    if (node.op == Op::Quantize || node.op == Op::Dequantize || node.op == Op::Reshape || node.op == Op::Pad)
      return false;
    graph::Node plain = node;
    std::vector<std::pair<ValueId, ValueId>> encoded;  // float result, codes
    for (ValueId& id : plain.inputs)
      if (id != kNoValue) id = real(id);
    for (ValueId& id : plain.outputs) {
      if (id == kNoValue || !is_code(out_.value(id))) continue;
      const ValueId to = out_.float_temporary(out_.value(id).shape);
      encoded.emplace_back(to, id);
      id = to;
    }
    if (!expand_for_tflite(out_, plain)) out_.add(plain.op, plain.attributes, plain.inputs, plain.outputs);
    for (const auto& [from, to] : encoded) out_.add(Op::Quantize, {}, {from}, {to});
    return true;
  }

  const Graph& source_;
  ArmnnRewrite out_;
};

}  // namespace

Result<Graph> prepare_for_tflite(const Graph& graph) {
  Graph wide = graph;
  widen(wide);
  Graph result = Preparation(to_nhwc(wide)).run();
  NPUBIN_CHECK(graph::verify(result));
  return result;
}

}  // namespace npubin::convert
