// ADD of int8 by TensorFlow Lite's rules (tflite spec 3), two operands of one shape.
#include <algorithm>

#include "exec/fast/cpu.h"
#include "exec/fast/integer_kernels.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;

bool int8_per_tensor(const graph::Value& value) {
  return value.type == DType::I8 && value.quantization.present() && !value.quantization.per_axis();
}

class AddStep : public Step {
 public:
  AddStep(const graph::Node& node, const IntegerAdd& add, std::size_t count)
      : node_(node), add_(add), count_(count), run_(has_avx512_vnni() ? run_add_vnni : run_add_generic) {}
  std::string kernel() const override {
    return run_ == run_add_vnni ? "own int8 add, AVX-512" : "own int8 add";
  }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    run_(add_, frame.in<std::int8_t>(node_.inputs[0]), frame.in<std::int8_t>(node_.inputs[1]),
         frame.out<std::int8_t>(node_.outputs[0]), count_);
    return {};
  }

 private:
  const graph::Node& node_;
  IntegerAdd add_;
  std::size_t count_;
  void (*run_)(const IntegerAdd&, const std::int8_t*, const std::int8_t*, std::int8_t*, std::size_t);
};

// The reals of ADD in double, as the reference takes them (tflite spec 3).
std::unique_ptr<Step> make_add(const Draft& draft, const graph::Node& node) {
  const graph::Value &a = draft.value(node.inputs[0]), &b = draft.value(node.inputs[1]),
                     &out = draft.value(node.outputs[0]);
  if (!int8_per_tensor(a) || !int8_per_tensor(b) || !int8_per_tensor(out) || a.shape != b.shape ||
      a.shape != out.shape)
    return nullptr;
  const float sa = a.quantization.scale(), sb = b.quantization.scale(), so = out.quantization.scale();
  const double twice = 2 * static_cast<double>(std::max(sa, sb));
  const auto ma = tflite::quantize_multiplier(sa / twice), mb = tflite::quantize_multiplier(sb / twice);
  const auto mo = tflite::quantize_multiplier(twice / ((1 << 20) * static_cast<double>(so)));
  if (ma.shift > 0 || mb.shift > 0 || mo.shift > 0 || std::min({ma.shift, mb.shift, mo.shift}) < -30)
    return nullptr;
  const auto* attributes = std::get_if<graph::BinaryAttributes>(&node.attributes);
  const auto range = tflite::activation_range<std::int8_t>(
      attributes == nullptr ? graph::ActivationAttributes{} : attributes->activation, out.quantization);
  const auto zero = [](const graph::Value& v) {
    return static_cast<std::int32_t>(v.quantization.zero_point());
  };
  IntegerAdd add{zero(a),   zero(b),   ma.mantissa, mb.mantissa, mo.mantissa, -ma.shift,
                 -mb.shift, -mo.shift, zero(out),   range.low,   range.high};
  return std::make_unique<AddStep>(node, add, static_cast<std::size_t>(count_of(out.shape)));
}

}  // namespace

std::unique_ptr<Step> make_integer_add(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Add || node.rules != graph::Rules::Tflite || node.inputs.size() != 2 ||
      !entry.post.empty())
    return nullptr;
  return make_add(draft, node);
}

}  // namespace npubin::exec::fast
