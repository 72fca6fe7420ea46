// Elements moved in blocks, whatever their type: Concat, and Pad with a constant.
#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

// Arm NN's views that lie one after the other along one axis, and nothing else.
std::optional<int> axis_of_views(const Draft& draft, const graph::Node& node,
                                 const graph::ConcatAttributes& a) {
  const std::size_t rank = draft.value(node.outputs[0]).shape.size();
  if (a.view_origins.empty()) return a.axis < 0 ? a.axis + static_cast<int>(rank) : a.axis;
  if (a.view_origins.size() != node.inputs.size()) return std::nullopt;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t offset = 0;
    bool fits = true;
    for (std::size_t k = 0; fits && k < node.inputs.size(); ++k) {
      for (std::size_t d = 0; fits && d < rank; ++d)
        fits = a.view_origins[k][d] == (d == axis ? static_cast<std::uint32_t>(offset) : 0u);
      offset += draft.value(node.inputs[k]).shape[axis];
    }
    if (fits && offset == draft.value(node.outputs[0]).shape[axis]) return static_cast<int>(axis);
  }
  return std::nullopt;
}

class ConcatStep : public Step {
 public:
  ConcatStep(const graph::Node& node, std::size_t outer, std::vector<std::size_t> blocks)
      : node_(node), outer_(outer), blocks_(std::move(blocks)) {}
  std::string kernel() const override { return "own concat"; }
  Result<void> run(const Frame& frame) const override {
    std::byte* out = frame.out<std::byte>(node_.outputs[0]);
    for (std::size_t o = 0; o < outer_; ++o)
      for (std::size_t k = 0; k < blocks_.size(); ++k) {
        std::memcpy(out, frame.in<std::byte>(node_.inputs[k]) + o * blocks_[k], blocks_[k]);
        out += blocks_[k];
      }
    return {};
  }

 private:
  const graph::Node& node_;
  std::size_t outer_;
  std::vector<std::size_t> blocks_;  // bytes of each operand per outer index
};

std::unique_ptr<Step> make_concat(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<graph::ConcatAttributes>();
  const graph::Value& out = draft.value(node.outputs[0]);
  if (a.activation.function != graph::Activation::None) return nullptr;
  for (ValueId id : node.inputs) {
    const graph::Value& in = draft.value(id);
    // Arm NN brings codes of another scale to the output's; TensorFlow Lite copies codes.
    if (in.type != out.type ||
        (node.rules == graph::Rules::ArmNn && !is_float(in.type) && in.quantization != out.quantization))
      return nullptr;
  }
  const auto axis = axis_of_views(draft, node, a);
  if (!axis) return nullptr;
  std::size_t outer = 1;
  for (int d = 0; d < *axis; ++d) outer *= static_cast<std::size_t>(out.shape[static_cast<std::size_t>(d)]);
  if (outer == 0) return nullptr;
  std::vector<std::size_t> blocks;
  for (ValueId id : node.inputs) blocks.push_back(bytes_of(draft.value(id)) / outer);
  return std::make_unique<ConcatStep>(node, outer, std::move(blocks));
}

// The bytes of one padded element; nullopt where the fill is an operand of the run.
std::optional<std::vector<std::byte>> fill_element(const Draft& draft, const graph::Node& node) {
  const graph::Value& out = draft.value(node.outputs[0]);
  const auto& a = node.attr<graph::PadAttributes>();
  std::vector<std::byte> element(size_of(out.type), std::byte{0});
  if (node.rules == graph::Rules::Tflite) {
    if (node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue) {  // PADV2
      const graph::Value& fill = draft.value(node.inputs[2]);
      if (!fill.constant || fill.constant->byte_size() < element.size()) return std::nullopt;
      std::copy_n(fill.constant->data(), element.size(), element.begin());
    } else if (!is_float(out.type) && out.quantization.present()) {
      const auto zero = static_cast<std::uint64_t>(out.quantization.zero_point());
      for (std::size_t k = 0; k < element.size(); ++k) element[k] = static_cast<std::byte>(zero >> (8 * k));
    }
    return element;
  }
  if (is_float(out.type)) {
    if (a.value == 0) return element;
    if (out.type != DType::F32) return std::nullopt;
    std::memcpy(element.data(), &a.value, element.size());
    return element;
  }
  if (element.size() != 1 || a.value != static_cast<float>(static_cast<int>(a.value)) || a.value < -128 ||
      a.value > 255)
    return std::nullopt;
  if (out.type == DType::I8 ? a.value > 127 : a.value < 0) return std::nullopt;
  element[0] = static_cast<std::byte>(static_cast<int>(a.value));
  return element;
}

// `total` bytes of elements.
void fill_with(const std::vector<std::byte>& element, std::byte* out, std::size_t total) {
  const bool alike =
      std::all_of(element.begin(), element.end(), [&](std::byte b) { return b == element[0]; });
  if (alike) {
    std::memset(out, static_cast<int>(element[0]), total);
    return;
  }
  std::memcpy(out, element.data(), std::min(total, element.size()));
  for (std::size_t done = element.size(); done < total; done *= 2)
    std::memcpy(out + done, out, std::min(done, total - done));
}

class PadStep : public Step {
 public:
  PadStep(const graph::Node& node, const graph::Value& in, const graph::Value& out,
          std::vector<std::byte> element)
      : node_(node),
        in_(in.shape),
        out_(out.shape),
        pads_(node.attr<graph::PadAttributes>().pads),
        element_(std::move(element)),
        total_(bytes_of(out)) {}
  std::string kernel() const override { return "own pad"; }
  Result<void> run(const Frame& frame) const override {
    std::byte* out = frame.out<std::byte>(node_.outputs[0]);
    fill_with(element_, out, total_);
    copy(frame.in<std::byte>(node_.inputs[0]), out, 0);
    return {};
  }

 private:
  // The box of dimensions d and further in.
  void copy(const std::byte* in, std::byte* out, std::size_t d) const {
    const std::size_t element = element_.size();
    std::size_t in_block = element, out_block = element;
    bool rest_unpadded = true;
    for (std::size_t k = d + 1; k < in_.size(); ++k) {
      in_block *= static_cast<std::size_t>(in_[k]);
      out_block *= static_cast<std::size_t>(out_[k]);
      rest_unpadded = rest_unpadded && in_[k] == out_[k];
    }
    out += pads_[d].first * out_block;
    if (rest_unpadded) {
      std::memcpy(out, in, static_cast<std::size_t>(in_[d]) * in_block);
      return;
    }
    for (std::int64_t i = 0; i < in_[d]; ++i, in += in_block, out += out_block) copy(in, out, d + 1);
  }

  const graph::Node& node_;
  Shape in_, out_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pads_;
  std::vector<std::byte> element_;
  std::size_t total_;
};

std::unique_ptr<Step> make_pad(const Draft& draft, const graph::Node& node) {
  const auto& a = node.attr<graph::PadAttributes>();
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  if (a.mode != graph::PadMode::Constant || in.shape.empty() || a.pads.size() != in.shape.size() ||
      in.type != out.type)
    return nullptr;
  auto element = fill_element(draft, node);
  if (!element) return nullptr;
  return std::make_unique<PadStep>(node, in, out, std::move(*element));
}

}  // namespace

std::unique_ptr<Step> make_movement(const Draft& draft, const DraftNode& entry) {
  if (!entry.post.empty() || entry.node.inputs.empty() || entry.node.outputs.size() != 1) return nullptr;
  switch (entry.node.op) {
    case Op::Concat:
      return make_concat(draft, entry.node);
    case Op::Pad:
      return make_pad(draft, entry.node);
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
