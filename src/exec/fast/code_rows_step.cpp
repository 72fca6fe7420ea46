// Softmax and mean of 8-bit codes, and the encoding of float32, by TensorFlow Lite's rules; equal to the
// reference to the byte.
#include <algorithm>
#include <array>

#include "exec/fast/kernels_convert.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/softmax.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;

bool one_code_each(const Draft& draft, const DraftNode& entry, DType in, DType out) {
  const graph::Node& node = entry.node;
  if (node.rules != graph::Rules::Tflite || !entry.post.empty() || node.inputs.empty() ||
      node.outputs.size() != 1 || node.inputs[0] == graph::kNoValue)
    return false;
  const graph::Value &from = draft.value(node.inputs[0]), &to = draft.value(node.outputs[0]);
  return from.type == in && to.type == out && !from.quantization.per_axis() && !to.quantization.per_axis();
}

// A row's exponentials depend on the difference to its largest code alone, and there are 256 of these.
template <class T, class Out>
class CodeSoftmaxStep : public Step {
 public:
  CodeSoftmaxStep(const graph::Node& node, std::size_t rows, std::size_t length,
                  const tflite::SoftmaxScaling& scaling)
      : node_(node), rows_(rows), length_(length) {
    for (std::int32_t d = 0; d < 256; ++d) {
      const auto at = static_cast<std::size_t>(d);
      kept_[at] = -d >= scaling.smallest_difference;
      if (!kept_[at]) continue;
      exponential_[at] = tflite::exp_on_negative(scaling.scaled(-d), tflite::kSoftmaxBits);
      addend_[at] = tflite::rdp(exponential_[at], 12);
    }
  }
  std::string kernel() const override { return "own softmax of codes"; }
  bool in_place(std::size_t) const override { return sizeof(T) == sizeof(Out); }

  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    Out* out = frame.out<Out>(node_.outputs[0]);
    for (std::size_t row = 0; row < rows_; ++row, in += length_, out += length_) {
      const std::int32_t largest = *std::max_element(in, in + length_);
      std::uint32_t sum = 0;  // wraps as the reference's does
      for (std::size_t i = 0; i < length_; ++i)
        sum += static_cast<std::uint32_t>(addend_[static_cast<std::size_t>(largest - in[i])]);
      const tflite::Reciprocal inverse = tflite::reciprocal(static_cast<std::int32_t>(sum), 12);
      if (length_ < kWorthATable) {
        for (std::size_t i = 0; i < length_; ++i)
          out[i] = code(inverse, static_cast<std::size_t>(largest - in[i]));
        continue;
      }
      std::array<Out, 256> codes;
      for (std::size_t d = 0; d < 256; ++d) codes[d] = code(inverse, d);
      for (std::size_t i = 0; i < length_; ++i) out[i] = codes[static_cast<std::size_t>(largest - in[i])];
    }
    return {};
  }

 private:
  static constexpr std::size_t kWorthATable = 256;  // elements of a row

  Out code(const tflite::Reciprocal& inverse, std::size_t difference) const {
    constexpr Out kLowest = std::numeric_limits<Out>::min();
    if (!kept_[difference]) return kLowest;
    const int shift = inverse.bits_over_unit + 31 - static_cast<int>(8 * sizeof(Out));
    return tflite::clamp_to<Out>(tflite::rdp(tflite::srdhm(inverse.value, exponential_[difference]), shift) +
                                 kLowest);
  }

  const graph::Node& node_;
  std::size_t rows_, length_;
  std::array<std::int32_t, 256> exponential_{}, addend_{};  // by difference below the largest
  std::array<bool, 256> kept_{};
};

template <class T, class Out>
std::unique_ptr<Step> softmax_step(const Draft& draft, const graph::Node& node) {
  const graph::Value& in = draft.value(node.inputs[0]);
  const std::int64_t length = in.shape.empty() ? 0 : in.shape.back();
  if (length == 0) return nullptr;
  const tflite::SoftmaxScaling scaling(in.quantization.scale(), node.attr<graph::SoftmaxAttributes>().beta);
  return std::make_unique<CodeSoftmaxStep<T, Out>>(
      node, static_cast<std::size_t>(count_of(in.shape) / length), static_cast<std::size_t>(length), scaling);
}

class EncodeStep : public Step {
 public:
  EncodeStep(const graph::Node& node, const graph::Value& out)
      : node_(node),
        type_(out.type),
        scale_(out.quantization.scale()),
        zero_point_(static_cast<std::int32_t>(out.quantization.zero_point())),
        count_(static_cast<std::size_t>(count_of(out.shape))) {}
  std::string kernel() const override { return "own encoding"; }
  Result<void> run(const Frame& frame) const override {
    encode_elements(frame.in<float>(node_.inputs[0]), type_, scale_, zero_point_, count_,
                    frame.out<std::byte>(node_.outputs[0]));
    return {};
  }

 private:
  const graph::Node& node_;
  DType type_;
  float scale_;
  std::int32_t zero_point_;
  std::size_t count_;
};

}  // namespace

std::unique_ptr<Step> make_code_softmax(const Draft& draft, const DraftNode& entry) {
  if (entry.node.op != Op::Softmax) return nullptr;
  using std::int16_t, std::int8_t, std::uint8_t;
  if (one_code_each(draft, entry, DType::I8, DType::I8))
    return softmax_step<int8_t, int8_t>(draft, entry.node);
  if (one_code_each(draft, entry, DType::I8, DType::I16))
    return softmax_step<int8_t, int16_t>(draft, entry.node);
  if (one_code_each(draft, entry, DType::U8, DType::U8))
    return softmax_step<uint8_t, uint8_t>(draft, entry.node);
  return nullptr;
}

std::unique_ptr<Step> make_encoding(const Draft& draft, const DraftNode& entry) {
  if (entry.node.op != Op::Quantize) return nullptr;
  for (DType type : {DType::I8, DType::U8, DType::I16})
    if (one_code_each(draft, entry, DType::F32, type)) {
      const graph::Value& out = draft.value(entry.node.outputs[0]);
      if (!(out.quantization.scale() > 0)) return nullptr;
      return std::make_unique<EncodeStep>(entry.node, out);
    }
  return nullptr;
}

}  // namespace npubin::exec::fast
