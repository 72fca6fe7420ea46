// Softmax over the last axis, and means over neighbouring axes, of float32.
#include <algorithm>
#include <cmath>

#include "exec/fast/kernels_f32.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;

bool unary_f32(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  return entry.post.empty() && !node.inputs.empty() && draft.value(node.inputs[0]).type == DType::F32 &&
         node.outputs.size() == 1 && draft.value(node.outputs[0]).type == DType::F32;
}

class SoftmaxStep : public Step {
 public:
  SoftmaxStep(const graph::Node& node, std::size_t rows, std::size_t length, float beta, bool in_order)
      : node_(node), rows_(rows), length_(length), beta_(beta), in_order_(in_order) {}
  std::string kernel() const override { return "own softmax"; }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    if (in_order_)
      for (std::size_t r = 0; r < rows_; ++r) row_in_order(in + r * length_, out + r * length_);
    else
      softmax_rows(in, out, rows_, length_, beta_);
    return {};
  }

 private:
  // With the library's exponential function, added one after the other: as the reference rounds.
  void row_in_order(const float* in, float* out) const {
    const float largest = *std::max_element(in, in + length_);
    float sum = 0;
    for (std::size_t k = 0; k < length_; ++k) {
      out[k] = std::exp((in[k] - largest) * beta_);
      sum += out[k];
    }
    for (std::size_t k = 0; k < length_; ++k) out[k] /= sum;
  }

  const graph::Node& node_;
  std::size_t rows_, length_;
  float beta_;
  bool in_order_;
};

class MeanStep : public Step {
 public:
  MeanStep(const graph::Node& node, std::size_t outer, std::size_t reduced, std::size_t inner, bool mean,
           bool in_order)
      : node_(node), outer_(outer), reduced_(reduced), inner_(inner), mean_(mean), in_order_(in_order) {}
  std::string kernel() const override { return "own mean"; }
  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    for (std::size_t o = 0; o < outer_; ++o)
      sum_pixels(in + o * reduced_ * inner_, reduced_, inner_, out + o * inner_, inner_);
    const auto count = static_cast<float>(reduced_);
    if (mean_ && in_order_)
      binary(Binary::Div, out, outer_ * inner_, &count, 1, out, outer_ * inner_);
    else if (mean_)
      scale(1.0f / count, out, outer_ * inner_);
    return {};
  }

 private:
  const graph::Node& node_;
  std::size_t outer_, reduced_, inner_;
  bool mean_, in_order_;
};

}  // namespace

std::unique_ptr<Step> make_softmax(const Draft& draft, const DraftNode& entry) {
  if (entry.node.op != Op::Softmax || !unary_f32(draft, entry)) return nullptr;
  const auto& a = entry.node.attr<graph::SoftmaxAttributes>();
  const Shape& shape = draft.value(entry.node.inputs[0]).shape;
  if (shape.empty() || shape.back() == 0 || !(a.axis == -1 || a.axis == static_cast<int>(shape.size()) - 1))
    return nullptr;
  const auto length = static_cast<std::size_t>(shape.back());
  return std::make_unique<SoftmaxStep>(entry.node, static_cast<std::size_t>(count_of(shape)) / length, length,
                                       a.beta, entry.in_order);
}

std::unique_ptr<Step> make_mean(const Draft& draft, const DraftNode& entry) {
  if (entry.node.op != Op::Reduce || !unary_f32(draft, entry)) return nullptr;
  const auto& a = entry.node.attr<graph::ReduceAttributes>();
  if (a.operation != graph::ReduceOperation::Mean && a.operation != graph::ReduceOperation::Sum)
    return nullptr;
  const Shape& shape = draft.value(entry.node.inputs[0]).shape;
  std::vector<bool> reduced(shape.size(), a.axes.empty());
  for (std::int32_t axis : a.axes)
    reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis)] = true;
  const auto first = std::find(reduced.begin(), reduced.end(), true);
  const auto last = std::find(first, reduced.end(), false);
  if (first == reduced.end() || std::find(last, reduced.end(), true) != reduced.end()) return nullptr;
  std::size_t sizes[3] = {1, 1, 1};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto at = reduced.begin() + static_cast<std::ptrdiff_t>(d);
    sizes[at < first ? 0 : at < last ? 1 : 2] *= static_cast<std::size_t>(shape[d]);
  }
  // A single channel would be added one by one: the reference does that too.
  if (sizes[2] < 4 || sizes[1] == 0) return nullptr;
  return std::make_unique<MeanStep>(entry.node, sizes[0], sizes[1], sizes[2],
                                    a.operation == graph::ReduceOperation::Mean, entry.in_order);
}

}  // namespace npubin::exec::fast
