// Convolutions of codes in groups of channels by TensorFlow Lite's rules: every group is a convolution of its
// own over its channels of the image.
#include <algorithm>
#include <cstring>

#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::ValueId;

// More of them would cost more to take apart than to compute.
constexpr std::size_t kMostGroups = 64;

struct ChannelGroup {
  DraftNode node;
  std::unique_ptr<Step> step;
};

// The groups' layers. Stays where it is: steps point into it.
struct GroupedLayer {
  Draft draft;
  std::vector<ChannelGroup> groups;
  std::size_t pixels_in = 0, pixels_out = 0;
  std::size_t slice_in = 0, slice_out = 0;  // bytes of a group's pixel
};

class GroupedConvolutionStep : public Step {
 public:
  GroupedConvolutionStep(const graph::Node& node, std::unique_ptr<GroupedLayer> layer)
      : node_(node),
        layer_(std::move(layer)),
        in_bytes_(whole_lines(layer_->pixels_in * layer_->slice_in)),
        out_bytes_(whole_lines(layer_->pixels_out * layer_->slice_out)) {
    for (const ChannelGroup& group : layer_->groups)
      scratch_ = std::max(scratch_, group.step->scratch_bytes());
    scratch_ += in_bytes_ + out_bytes_;
  }

  std::string kernel() const override { return "in groups: " + layer_->groups[0].step->kernel(); }
  std::size_t scratch_bytes() const override { return scratch_; }

  struct State {
    std::vector<std::byte*> data;  // by inner ValueId
    std::vector<std::shared_ptr<void>> groups;
  };
  std::shared_ptr<void> new_state() const override {
    auto state = std::make_shared<State>();
    for (const graph::Value& value : layer_->draft.graph.values)
      state->data.push_back(value.constant ? const_cast<std::byte*>(value.constant->data()) : nullptr);
    for (const ChannelGroup& group : layer_->groups) state->groups.push_back(group.step->new_state());
    return state;
  }

  Result<void> run(const Frame& frame) const override {
    auto& state = *static_cast<State*>(frame.state);
    const std::byte* in = frame.in<std::byte>(node_.inputs[0]);
    std::byte* out = frame.out<std::byte>(node_.outputs[0]);
    std::byte *const image = frame.scratch, *const result = frame.scratch + in_bytes_;
    const std::size_t count = layer_->groups.size();
    for (std::size_t g = 0; g < count; ++g, in += layer_->slice_in, out += layer_->slice_out) {
      const ChannelGroup& group = layer_->groups[g];
      for (std::size_t p = 0; p < layer_->pixels_in; ++p)
        std::memcpy(image + p * layer_->slice_in, in + p * count * layer_->slice_in, layer_->slice_in);
      state.data[to_size(group.node.node.inputs[0])] = image;
      state.data[to_size(group.node.node.outputs[0])] = result;
      NPUBIN_CHECK(group.step->run(Frame{state.data.data(), nullptr, nullptr, result + out_bytes_,
                                         frame.workspace, state.groups[g].get()}));
      for (std::size_t p = 0; p < layer_->pixels_out; ++p)
        std::memcpy(out + p * count * layer_->slice_out, result + p * layer_->slice_out, layer_->slice_out);
    }
    return {};
  }

 private:
  const graph::Node& node_;
  std::unique_ptr<GroupedLayer> layer_;
  std::size_t in_bytes_, out_bytes_, scratch_ = 0;
};

// Elements first..first + count of the outermost dimension, with their scales.
graph::Value outer_slice(const graph::Value& whole, std::size_t first, std::size_t count) {
  graph::Value part;
  part.type = whole.type;
  part.shape = whole.shape;
  part.shape[0] = static_cast<std::int64_t>(count);
  part.quantization = whole.quantization;
  const auto cut = [&](auto& list) {
    if (list.size() < first + count || list.size() < 2) return;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(first + count), list.end());
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first));
  };
  cut(part.quantization.scales);
  cut(part.quantization.zero_points);
  Tensor tensor(part.type, part.shape, part.quantization);
  const std::size_t row = whole.constant->byte_size() / to_size(whole.shape[0]);
  std::memcpy(tensor.mutable_data(), whole.constant->data() + first * row, count * row);
  part.constant = std::move(tensor);
  return part;
}

void add_group(const Draft& draft, const DraftNode& entry, std::size_t index, std::size_t outputs,
               GroupedLayer& layer) {
  const graph::Node& node = entry.node;
  const auto sliced = [&](const graph::Value& value, std::int64_t channels) {
    graph::Value slice;
    slice.type = value.type;
    slice.shape = value.shape;
    slice.shape[3] = channels;
    slice.quantization = value.quantization;
    return layer.draft.graph.add_value(std::move(slice));
  };
  const graph::Value& weights = draft.value(node.inputs[1]);
  ChannelGroup group;
  group.node = entry;
  graph::Node& inner = group.node.node;
  inner.inputs = {
      sliced(draft.value(node.inputs[0]), weights.shape[3]),
      layer.draft.graph.add_value(outer_slice(weights, index * outputs, outputs)),
  };
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue)
    inner.inputs.push_back(
        layer.draft.graph.add_value(outer_slice(draft.value(node.inputs[2]), index * outputs, outputs)));
  inner.outputs = {sliced(draft.value(node.outputs[0]), static_cast<std::int64_t>(outputs))};
  layer.groups.push_back(std::move(group));
}

bool takes_groups(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::Conv2d || node.rules != graph::Rules::Tflite || !entry.post.empty() ||
      node.inputs.size() < 2)
    return false;
  const graph::Value &in = draft.value(node.inputs[0]), &weights = draft.value(node.inputs[1]);
  if (is_float(in.type) || node.attr<ConvAttributes>().layout != graph::DataLayout::Nhwc ||
      !weights.constant || count_of(weights.shape) == 0 || in.shape[3] == weights.shape[3])
    return false;
  return node.inputs.size() < 3 || node.inputs[2] == graph::kNoValue || draft.is_constant(node.inputs[2]);
}

}  // namespace

std::unique_ptr<Step> make_grouped_convolution(const Draft& draft, const DraftNode& entry) {
  if (!takes_groups(draft, entry)) return nullptr;
  const graph::Node& node = entry.node;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]),
                     &weights = draft.value(node.inputs[1]);
  const std::size_t count = to_size(in.shape[3] / weights.shape[3]), channels = to_size(out.shape[3]);
  if (count > kMostGroups || channels % count != 0) return nullptr;
  auto layer = std::make_unique<GroupedLayer>();
  layer->draft.threads = draft.threads;
  layer->pixels_in = to_size(in.shape[0] * in.shape[1] * in.shape[2]);
  layer->pixels_out = to_size(out.shape[0] * out.shape[1] * out.shape[2]);
  layer->slice_in = to_size(weights.shape[3]) * size_of(in.type);
  layer->slice_out = channels / count * size_of(out.type);
  for (std::size_t g = 0; g < count; ++g) add_group(draft, entry, g, channels / count, *layer);
  for (ChannelGroup& group : layer->groups) {
    for (StepMaker maker : {make_integer_product, make_integer_wide})
      if (group.step == nullptr) group.step = maker(layer->draft, group.node);
    if (group.step == nullptr) return nullptr;
  }
  return std::make_unique<GroupedConvolutionStep>(node, std::move(layer));
}

}  // namespace npubin::exec::fast
