// Convolutions and fully connected layers of uint8 by Arm NN's rules: those of int8 with every code and zero
// point 128 less.
#include <algorithm>
#include <optional>

#include "exec/fast/inner_steps.h"
#include "exec/fast/integer_layer.h"
#include "exec/fast/kernels_i8.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

constexpr std::int32_t kMiddle = 128;
constexpr std::size_t kChunk = 65536;  // codes that are worth another thread

class Uint8LayerStep : public Step {
 public:
  Uint8LayerStep(const graph::Node& node, std::unique_ptr<InnerSteps> inner, std::size_t inputs,
                 std::size_t outputs, int threads)
      : node_(node),
        inner_(std::move(inner)),
        inputs_(inputs),
        outputs_(outputs),
        image_bytes_(whole_lines(inputs)),
        threads_(threads) {}

  std::string kernel() const override { return inner_->kernel(0); }
  std::size_t scratch_bytes() const override { return image_bytes_ + inner_->scratch_bytes(); }

  std::shared_ptr<void> new_state() const override { return inner_->new_state(); }

  Result<void> run(const Frame& frame) const override {
    auto* const out = frame.out<std::uint8_t>(node_.outputs[0]);
    move(frame.in<std::uint8_t>(node_.inputs[0]), inputs_, reinterpret_cast<std::uint8_t*>(frame.scratch));
    InnerSteps::place(frame, inner_->node(0).inputs[0], frame.scratch);
    InnerSteps::place(frame, inner_->node(0).outputs[0], reinterpret_cast<std::byte*>(out));
    NPUBIN_CHECK(inner_->run(0, frame, frame.scratch + image_bytes_));
    move(out, outputs_, out);
    return {};
  }

 private:
  void move(const std::uint8_t* from, std::size_t count, std::uint8_t* to) const {
    parallel_ranges(threads_, (count + kChunk - 1) / kChunk,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t begin = first * kChunk, end = std::min(last * kChunk, count);
                      turn_signs(from + begin, end - begin, to + begin);
                    });
  }

  const graph::Node& node_;
  std::unique_ptr<InnerSteps> inner_;  // the layer of int8
  std::size_t inputs_, outputs_, image_bytes_;
  int threads_;
};

graph::Value signed_value(graph::Value value) {
  value.type = DType::I8;
  for (std::int64_t& zero : value.quantization.zero_points) zero -= kMiddle;
  if (value.quantization.zero_points.empty()) value.quantization.zero_points = {-kMiddle};
  if (!value.constant) return value;
  Tensor codes(DType::I8, value.shape, value.quantization);
  turn_signs(value.constant->as<std::uint8_t>().data(), to_size(codes.count()),
             reinterpret_cast<std::uint8_t*>(codes.as_mutable<std::int8_t>().data()));
  value.constant = std::move(codes);
  return value;
}

bool is_uint8(const graph::Value& value) {
  return per_tensor(value, DType::U8);
}

// The layer of int8 without its step, over values of `inner`; nothing where there is none.
std::optional<DraftNode> signed_layer(const Draft& draft, const DraftNode& entry, Draft& inner) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Conv2d && node.op != Op::DepthwiseConv2d && node.op != Op::FullyConnected)
    return std::nullopt;
  if (node.rules != graph::Rules::ArmNn || node.inputs.size() < 2 || !is_uint8(draft.value(node.inputs[0])) ||
      !is_uint8(draft.value(node.outputs[0])) || !entry.post.empty())
    return std::nullopt;
  DraftNode layer{node, entry.reference, {}, {}};
  if (entry.code_range)
    layer.code_range = {entry.code_range->first - kMiddle, entry.code_range->second - kMiddle};
  layer.pixels_first = entry.pixels_first;
  for (ValueId& id : layer.node.inputs) {
    if (id == graph::kNoValue) continue;
    const graph::Value& value = draft.value(id);
    id = inner.graph.add_value(value.type == DType::U8 ? signed_value(value) : value);
  }
  layer.node.outputs[0] = inner.graph.add_value(signed_value(draft.value(node.outputs[0])));
  if (!takes_integers(inner, layer)) return std::nullopt;
  return layer;
}

}  // namespace

bool takes_uint8(const Draft& draft, const DraftNode& entry) {
  Draft inner;
  return signed_layer(draft, entry, inner).has_value();
}

std::unique_ptr<Step> make_uint8_layer(const Draft& draft, const DraftNode& entry) {
  auto inner = std::make_unique<InnerSteps>(draft.threads);
  auto layer = signed_layer(draft, entry, inner->draft);
  if (!layer || !inner->add(*std::move(layer), {make_integer_product, make_integer_depthwise}))
    return nullptr;
  const graph::Node& node = entry.node;
  return std::make_unique<Uint8LayerStep>(
      node, std::move(inner), to_size(count_of(draft.value(node.inputs[0]).shape)),
      to_size(count_of(draft.value(node.outputs[0]).shape)), draft.threads);
}

}  // namespace npubin::exec::fast
