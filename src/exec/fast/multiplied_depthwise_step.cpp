// Depthwise convolutions of int8 with several outputs for each channel: over an image that holds every
// channel that often they have one output each.
#include <algorithm>

#include "exec/fast/integer_layer.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::ValueId;

// The layer over the spread image. Stays where it is: the step points into it.
struct SpreadLayer {
  Draft draft;
  DraftNode node;
  ValueId image = graph::kNoValue;
  std::unique_ptr<Step> step;
};

class MultipliedDepthwiseStep : public Step {
 public:
  MultipliedDepthwiseStep(const graph::Node& node, std::unique_ptr<SpreadLayer> layer, std::size_t numbers,
                          std::size_t multiplier)
      : node_(node),
        layer_(std::move(layer)),
        numbers_(numbers),
        multiplier_(multiplier),
        image_bytes_(whole_lines(numbers * multiplier)) {}

  std::string kernel() const override { return layer_->step->kernel(); }
  std::size_t scratch_bytes() const override { return image_bytes_ + layer_->step->scratch_bytes(); }

  struct State {
    std::vector<std::byte*> data;  // by inner ValueId
    std::shared_ptr<void> inner;
  };
  std::shared_ptr<void> new_state() const override {
    auto state = std::make_shared<State>();
    state->data.resize(layer_->draft.graph.values.size(), nullptr);
    state->inner = layer_->step->new_state();
    return state;
  }

  Result<void> run(const Frame& frame) const override {
    auto& state = *static_cast<State*>(frame.state);
    const auto* in = frame.in<std::int8_t>(node_.inputs[0]);
    auto* image = reinterpret_cast<std::int8_t*>(frame.scratch);
    for (std::size_t i = 0; i < numbers_; ++i, image += multiplier_) std::fill_n(image, multiplier_, in[i]);
    state.data[to_size(layer_->image)] = frame.scratch;
    state.data[to_size(layer_->node.node.outputs[0])] = frame.data[to_size(node_.outputs[0])];
    return layer_->step->run(Frame{state.data.data(), nullptr, nullptr, frame.scratch + image_bytes_,
                                   frame.workspace, state.inner.get()});
  }

 private:
  const graph::Node& node_;
  std::unique_ptr<SpreadLayer> layer_;
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
  auto layer = std::make_unique<SpreadLayer>();
  layer->draft.threads = draft.threads;
  layer->node.node = node;
  layer->node.reference = entry.reference;
  std::get<ConvAttributes>(layer->node.node.attributes).depth_multiplier = 1;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    graph::Value value = draft.value(node.inputs[k]);
    if (k == 0) value.shape[3] = out.shape[3];
    layer->node.node.inputs[k] = layer->draft.graph.add_value(std::move(value));
  }
  layer->image = layer->node.node.inputs[0];
  layer->node.node.outputs[0] = layer->draft.graph.add_value(out);
  layer->step = make_integer_depthwise(layer->draft, layer->node);
  if (layer->step == nullptr) return nullptr;
  return std::make_unique<MultipliedDepthwiseStep>(node, std::move(layer), to_size(count_of(in.shape)),
                                                   to_size(out.shape[3] / in.shape[3]));
}

}  // namespace npubin::exec::fast
