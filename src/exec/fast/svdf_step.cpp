// SVDF by TensorFlow Lite's rules (tflite spec 5): of int8 equal to the reference to the byte. All filters of
// a frame are one product.
#include <algorithm>
#include <cstring>

#include "exec/fast/kernels_i16.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {
namespace {

using graph::SvdfAttributes;

struct SvdfSizes {
  std::size_t batches, features, filters, memory, rank, units;
};

// Operands: input, feature weights, time weights, bias, state.
constexpr std::size_t kBias = 3, kState = 4;

class SvdfStep : public Step {
 public:
  SvdfStep(const graph::Node& node, const SvdfSizes& sizes) : node_(node), n_(sizes) {}
  std::string kernel() const override { return "own svdf"; }

 protected:
  // The oldest value of every filter falls out; the newest place, which is written next, may hold anything.
  template <class T>
  void shift(T* state) const {
    std::memmove(state, state + 1, (n_.batches * n_.filters * n_.memory - 1) * sizeof(T));
  }
  template <class T>
  T* state(const Frame& frame) const {
    return reinterpret_cast<T*>(frame.mutable_tensors[to_size(node_.inputs[kState])].mutable_data());
  }
  bool has_bias() const { return node_.inputs[kBias] != graph::kNoValue; }

  const graph::Node& node_;
  SvdfSizes n_;
};

class FloatSvdfStep : public SvdfStep {
 public:
  using SvdfStep::SvdfStep;
  Result<void> run(const Frame& frame) const override {
    const float *in = frame.in<float>(node_.inputs[0]), *feature = frame.in<float>(node_.inputs[1]),
                *time = frame.in<float>(node_.inputs[2]);
    const float* bias = has_bias() ? frame.in<float>(node_.inputs[kBias]) : nullptr;
    float* row = state<float>(frame);
    float* out = frame.out<float>(node_.outputs[0]);
    const tflite::FloatRange range = tflite::float_range(node_.attr<SvdfAttributes>().activation);
    shift(row);
    for (std::size_t b = 0; b < n_.batches; ++b, in += n_.features)
      for (std::size_t u = 0; u < n_.units; ++u) {
        float total = bias != nullptr ? bias[u] : 0.0f;
        for (std::size_t f = u * n_.rank; f < (u + 1) * n_.rank; ++f, row += n_.memory) {
          row[n_.memory - 1] = dot(feature + f * n_.features, in, n_.features);
          total += dot(time + f * n_.memory, row, n_.memory);
        }
        *out++ = range.clamp(total);
      }
    return {};
  }

 private:
  // Several sums at once: one after the other they would wait for each other.
  static float dot(const float* a, const float* b, std::size_t count) {
    constexpr std::size_t kSideBySide = 16;
    float side[kSideBySide] = {};
    std::size_t i = 0;
    for (; i + kSideBySide <= count; i += kSideBySide)
      for (std::size_t k = 0; k < kSideBySide; ++k) side[k] += a[i + k] * b[i + k];
    float sum = 0;
    for (float part : side) sum += part;
    for (; i < count; ++i) sum += a[i] * b[i];
    return sum;
  }
};

struct SvdfCodes {
  tflite::Multiplier to_state, to_out;
  std::int32_t zero_in = 0, zero_state = 0, zero_out = 0;
};

// S: of the state and the time weights.
template <class S>
class CodeSvdfStep : public SvdfStep {
 public:
  CodeSvdfStep(const graph::Node& node, const SvdfSizes& sizes, const SvdfCodes& codes, const Tensor& feature,
               const Tensor& time)
      : SvdfStep(node, sizes), codes_(codes), time_sums_(sizes.filters, 0) {
    const auto weights = feature.as<std::int8_t>();
    panels_ = wide_panels(std::vector<std::int16_t>(weights.begin(), weights.end()).data(), sizes.filters,
                          sizes.features);
    const auto numbers = time.as<S>();
    for (std::size_t f = 0; f < sizes.filters; ++f)
      for (std::size_t t = 0; t < sizes.memory; ++t)
        time_sums_[f] += static_cast<std::uint32_t>(std::int32_t{numbers[f * sizes.memory + t]});
  }
  std::size_t scratch_bytes() const override {
    return numbers_bytes() + panels_.padded_outputs() * sizeof(std::int32_t);
  }

  Result<void> run(const Frame& frame) const override {
    const auto* in = frame.in<std::int8_t>(node_.inputs[0]);
    const S* time = frame.in<S>(node_.inputs[2]);
    auto* out = frame.out<std::int8_t>(node_.outputs[0]);
    auto* const numbers = reinterpret_cast<std::int16_t*>(frame.scratch);
    auto* const sums = reinterpret_cast<std::int32_t*>(frame.scratch + numbers_bytes());
    S* row = state<S>(frame);
    shift(row);
    for (std::size_t b = 0; b < n_.batches; ++b, in += n_.features) {
      numbers[2 * panels_.pairs - 1] = 0;
      for (std::size_t i = 0; i < n_.features; ++i)
        numbers[i] = static_cast<std::int16_t>(in[i] - codes_.zero_in);
      wide_products(panels_, numbers, 1, 0, panels_.pairs, sums);
      for (std::size_t f = 0; f < n_.filters; ++f)
        row[(f + 1) * n_.memory - 1] = static_cast<S>(
            tflite::clamp_to<S>(tflite::multiply(sums[f], codes_.to_state)) + codes_.zero_state);
      for (std::size_t u = 0; u < n_.units; ++u, row += n_.rank * n_.memory)
        *out++ = unit(frame, u, time + u * n_.rank * n_.memory, row);
    }
    return {};
  }

 private:
  std::size_t numbers_bytes() const { return whole_lines(2 * panels_.pairs * sizeof(std::int16_t)); }

  // Modulo 2^32, as the reference cuts its sum.
  std::int8_t unit(const Frame& frame, std::size_t u, const S* time, const S* row) const {
    std::uint32_t total = 0;
    if (has_bias()) total = static_cast<std::uint32_t>(frame.in<std::int32_t>(node_.inputs[kBias])[u]);
    for (std::size_t i = 0; i < n_.rank * n_.memory; ++i)
      total += static_cast<std::uint32_t>(std::int32_t{time[i]} * row[i]);
    for (std::size_t f = u * n_.rank; f < (u + 1) * n_.rank; ++f)
      total -= static_cast<std::uint32_t>(codes_.zero_state) * time_sums_[f];
    return tflite::clamp_to<std::int8_t>(
        std::int64_t{tflite::multiply(static_cast<std::int32_t>(total), codes_.to_out)} + codes_.zero_out);
  }

  SvdfCodes codes_;
  WidePanels panels_;
  std::vector<std::uint32_t> time_sums_;  // by filter
};

std::unique_ptr<Step> make_code_svdf(const Draft& draft, const graph::Node& node, const SvdfSizes& sizes) {
  const auto scale = [&](graph::ValueId id) { return draft.value(id).quantization.scale(); };
  const auto zero = [&](graph::ValueId id) {
    return static_cast<std::int32_t>(draft.value(id).quantization.zero_point());
  };
  const float of_state = scale(node.inputs[kState]);
  SvdfCodes codes;
  codes.to_state = tflite::quantize_multiplier(scale(node.inputs[0]) * scale(node.inputs[1]) / of_state);
  codes.to_out = tflite::quantize_multiplier(of_state * scale(node.inputs[2]) / scale(node.outputs[0]));
  codes.zero_in = zero(node.inputs[0]);
  codes.zero_state = zero(node.inputs[kState]);
  codes.zero_out = zero(node.outputs[0]);
  const graph::Value &feature = draft.value(node.inputs[1]), &time = draft.value(node.inputs[2]);
  if (!feature.constant || !time.constant) return nullptr;
  if (draft.value(node.inputs[kState]).type == DType::I16)
    return std::make_unique<CodeSvdfStep<std::int16_t>>(node, sizes, codes, *feature.constant,
                                                        *time.constant);
  return std::make_unique<CodeSvdfStep<std::int8_t>>(node, sizes, codes, *feature.constant, *time.constant);
}

}  // namespace

std::unique_ptr<Step> make_svdf(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::Svdf || node.rules != graph::Rules::Tflite || !entry.post.empty() ||
      node.inputs.size() != 5 || node.inputs[kState] == graph::kNoValue ||
      !draft.value(node.inputs[kState]).variable)
    return nullptr;
  const Shape &in = draft.value(node.inputs[0]).shape, &feature = draft.value(node.inputs[1]).shape,
              &time = draft.value(node.inputs[2]).shape;
  if (node.attr<SvdfAttributes>().rank < 1) return nullptr;
  const std::size_t rank = to_size(node.attr<SvdfAttributes>().rank), filters = to_size(feature[0]);
  const SvdfSizes sizes{to_size(in[0]), to_size(in[1]), filters, to_size(time[1]), rank, filters / rank};
  if (count_of(in) == 0 || sizes.memory == 0 || sizes.units * rank != filters || filters == 0) return nullptr;
  if (draft.value(node.inputs[0]).type == DType::F32) return std::make_unique<FloatSvdfStep>(node, sizes);
  return make_code_svdf(draft, node, sizes);
}

}  // namespace npubin::exec::fast
