// Depthwise convolutions of int8 with several outputs for each channel: over an image that holds every
// channel that often they have one output each.
#include <algorithm>

#include "exec/fast/inner_steps.h"
#include "exec/fast/integer_layer.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;

class MultipliedDepthwiseStep : public Step {
 public:
  MultipliedDepthwiseStep(const graph::Node& node, std::unique_ptr<InnerSteps> inner, std::size_t numbers,
                          std::size_t multiplier)
      : node_(node),
        inner_(std::move(inner)),
        numbers_(numbers),
        multiplier_(multiplier),
        image_bytes_(whole_lines(numbers * multiplier)) {}

  std::string kernel() const override { return inner_->kernel(0); }
  std::size_t scratch_bytes() const override { return image_bytes_ + inner_->scratch_bytes(); }

  std::shared_ptr<void> new_state() const override { return inner_->new_state(); }

  Result<void> run(const Frame& frame) const override {
    const auto* in = frame.in<std::int8_t>(node_.inputs[0]);
    auto* image = reinterpret_cast<std::int8_t*>(frame.scratch);
    for (std::size_t i = 0; i < numbers_; ++i, image += multiplier_) std::fill_n(image, multiplier_, in[i]);
    InnerSteps::place(frame, inner_->node(0).inputs[0], frame.scratch);
    InnerSteps::place(frame, inner_->node(0).outputs[0], frame.out<std::byte>(node_.outputs[0]));
    return inner_->run(0, frame, frame.scratch + image_bytes_);
  }

 private:
  const graph::Node& node_;
  std::unique_ptr<InnerSteps> inner_;  // the layer over the spread image
  std::size_t numbers_, multiplier_, image_bytes_;
};

}  // namespace

std::unique_ptr<Step> make_multiplied_depthwise(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::DepthwiseConv2d || node.rules != graph::Rules::Tflite || !entry.post.empty())
    return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  const auto& a = node.attr<ConvAttributes>();
  if (!per_tensor(in, DType::I8) || a.layout != graph::DataLayout::Nhwc || in.shape[3] == 0 ||
      out.shape[3] == in.shape[3] || out.shape[3] % in.shape[3] != 0)
    return nullptr;
  auto inner = std::make_unique<InnerSteps>(draft.threads);
  DraftNode layer{node, entry.reference, {}, {}};
  std::get<ConvAttributes>(layer.node.attributes).depth_multiplier = 1;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    graph::Value value = draft.value(node.inputs[k]);
    if (k == 0) value.shape[3] = out.shape[3];
    layer.node.inputs[k] = inner->draft.graph.add_value(std::move(value));
  }
  layer.node.outputs[0] = inner->draft.graph.add_value(out);
  if (!inner->add(std::move(layer), {make_integer_depthwise})) return nullptr;
  return std::make_unique<MultipliedDepthwiseStep>(node, std::move(inner), to_size(count_of(in.shape)),
                                                   to_size(out.shape[3] / in.shape[3]));
}

}  // namespace npubin::exec::fast
