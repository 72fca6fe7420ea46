// Convolutions of codes in groups of channels by TensorFlow Lite's rules: every group is a convolution of its
// own over its channels of the image.
#include <algorithm>
#include <cstring>

#include "exec/fast/inner_steps.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::ValueId;

// More of them would cost more to take apart than to compute.
constexpr std::size_t kMostGroups = 64;

// Pixels of the whole image, and what a group has of each.
struct GroupSizes {
  std::size_t pixels_in = 0, pixels_out = 0;
  std::size_t slice_in = 0, slice_out = 0;  // bytes
};

class GroupedConvolutionStep : public Step {
 public:
  GroupedConvolutionStep(const graph::Node& node, std::unique_ptr<InnerSteps> groups, const GroupSizes& sizes)
      : node_(node),
        groups_(std::move(groups)),
        sizes_(sizes),
        in_bytes_(whole_lines(sizes.pixels_in * sizes.slice_in)),
        out_bytes_(whole_lines(sizes.pixels_out * sizes.slice_out)) {}

  std::string kernel() const override { return "in groups: " + groups_->kernel(0); }
  std::size_t scratch_bytes() const override { return in_bytes_ + out_bytes_ + groups_->scratch_bytes(); }

  std::shared_ptr<void> new_state() const override { return groups_->new_state(); }

  Result<void> run(const Frame& frame) const override {
    const std::byte* in = frame.in<std::byte>(node_.inputs[0]);
    std::byte* out = frame.out<std::byte>(node_.outputs[0]);
    std::byte *const image = frame.scratch, *const result = frame.scratch + in_bytes_;
    const std::size_t count = groups_->size();
    for (std::size_t g = 0; g < count; ++g, in += sizes_.slice_in, out += sizes_.slice_out) {
      for (std::size_t p = 0; p < sizes_.pixels_in; ++p)
        std::memcpy(image + p * sizes_.slice_in, in + p * count * sizes_.slice_in, sizes_.slice_in);
      InnerSteps::place(frame, groups_->node(g).inputs[0], image);
      InnerSteps::place(frame, groups_->node(g).outputs[0], result);
      NPUBIN_CHECK(groups_->run(g, frame, result + out_bytes_));
      for (std::size_t p = 0; p < sizes_.pixels_out; ++p)
        std::memcpy(out + p * count * sizes_.slice_out, result + p * sizes_.slice_out, sizes_.slice_out);
    }
    return {};
  }

 private:
  const graph::Node& node_;
  std::unique_ptr<InnerSteps> groups_;
  GroupSizes sizes_;
  std::size_t in_bytes_, out_bytes_;
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

DraftNode group_of(const Draft& draft, const DraftNode& entry, std::size_t index, std::size_t outputs,
                   Draft& values) {
  const graph::Node& node = entry.node;
  const auto sliced = [&](const graph::Value& value, std::int64_t channels) {
    graph::Value slice;
    slice.type = value.type;
    slice.shape = value.shape;
    slice.shape[3] = channels;
    slice.quantization = value.quantization;
    return values.graph.add_value(std::move(slice));
  };
  const graph::Value& weights = draft.value(node.inputs[1]);
  DraftNode group = entry;
  graph::Node& inner = group.node;
  inner.inputs = {
      sliced(draft.value(node.inputs[0]), weights.shape[3]),
      values.graph.add_value(outer_slice(weights, index * outputs, outputs)),
  };
  if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue)
    inner.inputs.push_back(
        values.graph.add_value(outer_slice(draft.value(node.inputs[2]), index * outputs, outputs)));
  inner.outputs = {sliced(draft.value(node.outputs[0]), static_cast<std::int64_t>(outputs))};
  return group;
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
  const GroupSizes sizes{to_size(in.shape[0] * in.shape[1] * in.shape[2]),
                         to_size(out.shape[0] * out.shape[1] * out.shape[2]),
                         to_size(weights.shape[3]) * size_of(in.type), channels / count * size_of(out.type)};
  auto groups = std::make_unique<InnerSteps>(draft.threads);
  for (std::size_t g = 0; g < count; ++g) {
    DraftNode group = group_of(draft, entry, g, channels / count, groups->draft);
    if (!groups->add(std::move(group), {make_integer_product, make_integer_wide})) return nullptr;
  }
  return std::make_unique<GroupedConvolutionStep>(node, std::move(groups), sizes);
}

}  // namespace npubin::exec::fast
