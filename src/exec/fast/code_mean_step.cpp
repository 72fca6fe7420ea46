// MEAN and SUM of codes over neighbouring axes by TensorFlow Lite's rules (tflite spec 6), equal to the
// reference to the bit.
#include <algorithm>

#include "exec/fast/step.h"
#include "exec/reference/tflite/reduce.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ReduceOperation;

template <class T>
class CodeMeanStep : public Step {
 public:
  CodeMeanStep(const graph::Node& node, std::size_t outer, std::size_t reduced, std::size_t inner,
               std::int64_t zero_in, std::int64_t zero_out, tflite::Multiplier multiplier)
      : node_(node),
        outer_(outer),
        reduced_(reduced),
        inner_(inner),
        offset_(zero_in * static_cast<std::int64_t>(reduced)),
        zero_out_(zero_out),
        multiplier_(multiplier) {}
  std::string kernel() const override { return "own mean of codes"; }
  std::size_t scratch_bytes() const override { return inner_ * sizeof(std::int32_t); }

  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    T* out = frame.out<T>(node_.outputs[0]);
    auto* const sums = reinterpret_cast<std::int32_t*>(frame.scratch);
    for (std::size_t o = 0; o < outer_; ++o) {
      std::fill_n(sums, inner_, 0);
      for (std::size_t r = 0; r < reduced_; ++r, in += inner_)
        for (std::size_t i = 0; i < inner_; ++i) sums[i] += in[i];
      for (std::size_t i = 0; i < inner_; ++i)
        *out++ = tflite::clamp_to<T>(
            tflite::multiply(tflite::wrap32(std::int64_t{sums[i]} - offset_), multiplier_) + zero_out_);
    }
    return {};
  }

 private:
  const graph::Node& node_;
  std::size_t outer_, reduced_, inner_;
  std::int64_t offset_, zero_out_;
  tflite::Multiplier multiplier_;
};

// Sizes before, of and behind the reduced axes; false where they are no neighbours.
bool neighbouring(const Shape& shape, const std::vector<std::int32_t>& axes, std::size_t (&sizes)[3]) {
  std::vector<bool> reduced(shape.size(), axes.empty());
  for (std::int32_t axis : axes)
    reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis)] = true;
  const auto first = std::find(reduced.begin(), reduced.end(), true);
  const auto last = std::find(first, reduced.end(), false);
  if (first == reduced.end() || std::find(last, reduced.end(), true) != reduced.end()) return false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto at = reduced.begin() + static_cast<std::ptrdiff_t>(d);
    sizes[at < first ? 0 : at < last ? 1 : 2] *= static_cast<std::size_t>(shape[d]);
  }
  return true;
}

}  // namespace

std::unique_ptr<Step> make_code_mean(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Reduce || node.rules != graph::Rules::Tflite || !entry.post.empty()) return nullptr;
  const auto& a = node.attr<graph::ReduceAttributes>();
  if (a.operation != ReduceOperation::Mean && a.operation != ReduceOperation::Sum) return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  std::size_t sizes[3] = {1, 1, 1};
  constexpr std::size_t kMostSummed = std::size_t{1} << 15;  // of 16 bits within 32
  if (in.type != out.type || (in.type != DType::I8 && in.type != DType::U8 && in.type != DType::I16) ||
      !neighbouring(in.shape, a.axes, sizes) || sizes[1] == 0 || sizes[1] > kMostSummed)
    return nullptr;
  const tflite::Multiplier m = tflite::mean_multiplier(in.quantization.scale(), out.quantization.scale(),
                                                       a.operation, static_cast<std::int64_t>(sizes[1]));
  const auto make = [&](auto sample) -> std::unique_ptr<Step> {
    return std::make_unique<CodeMeanStep<decltype(sample)>>(
        node, sizes[0], sizes[1], sizes[2], in.quantization.zero_point(), out.quantization.zero_point(), m);
  };
  if (in.type == DType::I8) return make(std::int8_t{});
  if (in.type == DType::U8) return make(std::uint8_t{});
  return make(std::int16_t{});
}

}  // namespace npubin::exec::fast
