// Arm NN's rules for codes and half floats: every element is decoded to float32, computed, and encoded (armnn
// spec 3). So is it done here, around the float32 kernel of the operator: for codes one that gives the
// reference's numbers to the bit, for half floats any.
#include <algorithm>

#include "exec/fast/inner_steps.h"
#include "exec/fast/kernels_convert.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

bool computes_in_float(Op op) {
  switch (op) {
    case Op::Conv2d:
    case Op::DepthwiseConv2d:
    case Op::TransposeConv2d:
    case Op::FullyConnected:
    case Op::Pool2d:
    case Op::Softmax:
    case Op::Reduce:
    case Op::BatchNormalization:
    case Op::InstanceNormalization:
    case Op::L2Normalization:
    case Op::Activation:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Minimum:
    case Op::Maximum:
    case Op::Prelu:
    case Op::Abs:
    case Op::Neg:
    case Op::Exp:
    case Op::Sqrt:
    case Op::Rsqrt:
    case Op::Floor:
    case Op::Resize:
    case Op::Concat:
    case Op::Quantize:
    case Op::Dequantize:
      return true;
    default:
      return false;
  }
}

// A scale that decoding and encoding stay within float32's normal numbers with.
bool ordinary(const graph::Value& value) {
  if (is_float(value.type)) return true;
  const Quantization& q = value.quantization;
  return !q.per_axis() && q.present() && q.scale() > 1e-30f && q.scale() < 1e30f;
}

// Output channel of weight element k: the scale it goes by, whatever axis is stored (armnn spec 5).
std::size_t channel_of(const graph::Node& node, const Shape& w, std::size_t k) {
  if (node.op != Op::DepthwiseConv2d) return k / to_size(w[1] * w[2] * w[3]);
  const auto& a = node.attr<graph::ConvAttributes>();
  if (a.depthwise_weights != graph::DepthwiseWeights::Mihw) return k % to_size(w[3]);
  const std::size_t area = to_size(w[2] * w[3]), inputs = to_size(w[1]);
  return k / area % inputs * to_size(w[0]) + k / (inputs * area);
}

Tensor decoded_constant(const graph::Node& node, std::size_t operand, const graph::Value& value) {
  Tensor tensor = *value.constant;
  tensor.set_quantization(value.quantization);
  WorkVector<float> numbers;
  if (operand == 1 && value.quantization.per_axis()) {
    std::vector<std::size_t> channels(to_size(tensor.count()));
    for (std::size_t k = 0; k < channels.size(); ++k) channels[k] = channel_of(node, value.shape, k);
    numbers = armnn::decode_by_channel(tensor, channels);
  } else {
    numbers = armnn::decode(tensor);
  }
  Tensor out(DType::F32, value.shape);
  std::copy(numbers.begin(), numbers.end(), out.as_mutable<float>().begin());
  return out;
}

bool decodable_constant(const graph::Node& node, std::size_t operand, const graph::Value& value) {
  if (!armnn::is_numeric(value.type) && value.type != DType::I32) return false;
  const bool convolution =
      node.op == Op::Conv2d || node.op == Op::DepthwiseConv2d || node.op == Op::TransposeConv2d;
  if (value.quantization.per_axis() && operand == 1) return convolution;
  return true;  // biases: decode() goes by their own axis, the only one they have
}

// A value of the plan and its float32 counterpart.
struct Counterpart {
  ValueId outer = graph::kNoValue, inner = graph::kNoValue;
  DType type = DType::F32;
  float scale = 1;
  std::int32_t zero_point = 0;
  std::size_t count = 0, offset = 0;  // floats; bytes of scratch
};

class DecodedStep : public Step {
 public:
  DecodedStep(std::unique_ptr<InnerSteps> inner, std::vector<Counterpart> inputs, Counterpart output)
      : inner_(std::move(inner)), inputs_(std::move(inputs)), output_(output) {
    scratch_ = whole_lines(inner_->scratch_bytes());
    const auto reserve = [this](Counterpart& value) {
      value.offset = scratch_;
      scratch_ += whole_lines(value.count * sizeof(float));
    };
    for (Counterpart& input : inputs_) reserve(input);
    if (computes())
      reserve(output_);
    else
      output_.offset = inputs_[0].offset;
  }

  std::string kernel() const override {
    return "float32 between codes" + (computes() ? ": " + inner_->kernel(0) : std::string());
  }
  std::size_t scratch_bytes() const override { return scratch_; }

  std::shared_ptr<void> new_state() const override { return inner_->new_state(); }

  Result<void> run(const Frame& frame) const override {
    for (const Counterpart& v : inputs_) {
      auto* const numbers = reinterpret_cast<float*>(frame.scratch + v.offset);
      decode_elements(frame.in<std::byte>(v.outer), v.type, v.scale, v.zero_point, v.count, numbers);
      InnerSteps::place(frame, v.inner, frame.scratch + v.offset);
    }
    InnerSteps::place(frame, output_.inner, frame.scratch + output_.offset);
    if (computes()) NPUBIN_CHECK(inner_->run(0, frame, frame.scratch));
    encode_elements(reinterpret_cast<const float*>(frame.scratch + output_.offset), output_.type,
                    output_.scale, output_.zero_point, output_.count, frame.out<std::byte>(output_.outer));
    return {};
  }

 private:
  bool computes() const { return inner_->size() > 0; }

  // The operator by itself, in float32; empty where nothing is computed between decoding and encoding.
  std::unique_ptr<InnerSteps> inner_;
  std::vector<Counterpart> inputs_;
  Counterpart output_;
  std::size_t scratch_ = 0;
};

Counterpart counterpart(const graph::Value& value, ValueId outer, ValueId inner) {
  Counterpart c{outer, inner, value.type, 1, 0, to_size(count_of(value.shape)), 0};
  if (!is_float(value.type)) {
    c.scale = value.quantization.scale();
    c.zero_point = static_cast<std::int32_t>(value.quantization.zero_point());
  }
  return c;
}

ValueId add_float(Draft& draft, const graph::Value& value) {
  graph::Value copy;
  copy.type = DType::F32;
  copy.shape = value.shape;
  return draft.graph.add_value(std::move(copy));
}

bool runs_between_codes(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.rules != graph::Rules::ArmNn || !entry.post.empty() || !computes_in_float(node.op) ||
      node.inputs.empty() || node.outputs.size() != 1)
    return false;
  const graph::Value& out = draft.value(node.outputs[0]);
  if (!converts_fast(out.type) || !ordinary(out) || out.variable) return false;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    const graph::Value& in = draft.value(node.inputs[k]);
    if (in.variable) return false;
    if (in.constant ? !decodable_constant(node, k, in) : !converts_fast(in.type) || !ordinary(in))
      return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Step> make_decoded(const Draft& draft, const DraftNode& entry) {
  if (!runs_between_codes(draft, entry)) return nullptr;
  const graph::Node& node = entry.node;
  auto inner = std::make_unique<InnerSteps>(draft.threads);
  DraftNode in_float{node, entry.reference, {}, {}};
  in_float.in_order = !is_float(draft.value(node.outputs[0]).type);
  std::vector<Counterpart> inputs;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    const graph::Value& value = draft.value(node.inputs[k]);
    const ValueId id = add_float(inner->draft, value);
    in_float.node.inputs[k] = id;
    if (value.constant)
      inner->draft.graph.value(id).constant = decoded_constant(node, k, value);
    else
      inputs.push_back(counterpart(value, node.inputs[k], id));
  }
  const graph::Value& out = draft.value(node.outputs[0]);
  const ValueId id = in_float.node.outputs[0] = add_float(inner->draft, out);
  if (node.op == Op::Quantize || node.op == Op::Dequantize) {
    if (inputs.size() != 1) return nullptr;
  } else if (!inner->add(std::move(in_float),
                         {make_ordered_convolution, make_dnnl_convolution, make_transposed_convolution,
                          make_dnnl_product, make_pool, make_elementwise, make_pair, make_softmax, make_mean,
                          make_reduction, make_normalization, make_resize, make_movement})) {
    return nullptr;
  }
  return std::make_unique<DecodedStep>(std::move(inner), std::move(inputs),
                                       counterpart(out, node.outputs[0], id));
}

}  // namespace npubin::exec::fast
