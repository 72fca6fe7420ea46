// Activations and requantisation of int16 by TensorFlow Lite's rules, equal to the reference to the byte.
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "exec/fast/kernels_codes.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/activations.h"

namespace npubin::exec::fast {
namespace {

using graph::Activation;
using graph::Op;

// `count` numbers from a place on.
using MapKernel = std::function<void(const std::int16_t* in, std::byte* out, std::size_t count)>;

class CodeMapStep : public Step {
 public:
  CodeMapStep(const graph::Node& node, MapKernel kernel, std::size_t count, std::size_t out_size, int threads)
      : node_(node), kernel_(std::move(kernel)), count_(count), out_size_(out_size) {
    constexpr std::size_t kWorthThreads = 32768;
    threads_ = count < kWorthThreads ? 1 : threads;
  }
  std::string kernel() const override { return "own codes"; }
  bool in_place(std::size_t) const override { return out_size_ == sizeof(std::int16_t); }
  Result<void> run(const Frame& frame) const override {
    const auto* in = frame.in<std::int16_t>(node_.inputs[0]);
    auto* out = frame.out<std::byte>(node_.outputs[0]);
    constexpr std::size_t kChunk = 8192;
    parallel_ranges(threads_, (count_ + kChunk - 1) / kChunk,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t from = first * kChunk, to = std::min(last * kChunk, count_);
                      kernel_(in + from, out + from * out_size_, to - from);
                    });
    return {};
  }

 private:
  const graph::Node& node_;
  MapKernel kernel_;
  std::size_t count_, out_size_;
  int threads_ = 1;
};

std::int32_t map_zero(const graph::Value& value) {
  return static_cast<std::int32_t>(value.quantization.zero_point());
}

// The multipliers as the reference takes them (tflite spec 3 and 4).
// nullopt for other functions.
std::optional<CodeMap> piecewise(const graph::Node& node, const graph::Value& in, const graph::Value& out) {
  const float si = in.quantization.scale(), so = out.quantization.scale();
  const bool words = out.type == DType::I16;
  CodeMap map;
  map.zero_in = map_zero(in);
  map.zero_out = map_zero(out);
  map.low = words ? INT16_MIN : INT8_MIN;
  map.high = words ? INT16_MAX : INT8_MAX;
  if (node.op == Op::Quantize) {
    map.rising = map.falling = tflite::quantize_multiplier(static_cast<double>(si) / static_cast<double>(so));
  } else {
    const auto& a = node.attr<graph::ActivationAttributes>();
    map.rising = map.falling = tflite::quantize_multiplier(si / so);
    if (a.function == Activation::ReLu) {
      map.low = std::max(map.low, map.zero_out);
    } else if (a.function == Activation::LeakyReLu) {
      map.falling = tflite::quantize_multiplier(si * std::fabs(a.a) / so);
      map.negated = a.a < 0;
    } else {
      return std::nullopt;
    }
  }
  if (!takes_shift(map.rising) || !takes_shift(map.falling)) return std::nullopt;
  return map;
}

// The samples of the sigmoid with the way to the next one above them.
const std::array<std::int32_t, 256>& samples() {
  static const std::array<std::int32_t, 256> kSamples = [] {
    const auto& values = tflite::sigmoid_samples();
    std::array<std::int32_t, 256> packed{};
    for (std::size_t i = 0; i + 1 < packed.size(); ++i)
      packed[i] = values[i] + (values[i + 1] - values[i]) * 65536;
    return packed;
  }();
  return kSamples;
}

std::optional<Squash> squashed(const graph::Node& node, const graph::Value& in) {
  const bool logistic = node.attr<graph::ActivationAttributes>().function == Activation::Sigmoid;
  const tflite::SquashScaling scaling = tflite::squash_scaling(in.quantization.scale(), logistic);
  constexpr std::int32_t kLargestFactor = 32767;  // products and halves stay within 32 bits
  if (scaling.factor > kLargestFactor) return std::nullopt;
  return Squash{samples().data(), scaling.factor, scaling.shift, logistic};
}

bool is_squash(const graph::Node& node) {
  if (node.op != Op::Activation) return false;
  const Activation function = node.attr<graph::ActivationAttributes>().function;
  return function == Activation::Sigmoid || function == Activation::TanH;
}

std::unique_ptr<Step> map_step(const Draft& draft, const graph::Node& node, MapKernel kernel) {
  const graph::Value& out = draft.value(node.outputs[0]);
  return std::make_unique<CodeMapStep>(node, std::move(kernel), to_size(count_of(out.shape)),
                                       size_of(out.type), draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_code_map(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.rules != graph::Rules::Tflite || !entry.post.empty() || node.inputs.size() != 1 ||
      node.outputs.size() != 1)
    return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  const auto one_scale = [](const graph::Value& value) {
    return value.quantization.present() && !value.quantization.per_axis() && value.quantization.scale() > 0;
  };
  if (in.type != DType::I16 || !one_scale(in) || !one_scale(out)) return nullptr;
  if (out.type != DType::I16 && !(node.op == Op::Quantize && out.type == DType::I8)) return nullptr;
  if (is_squash(node)) {
    const auto squash = squashed(node, in);
    if (!squash) return nullptr;
    return map_step(draft, node, [s = *squash](const std::int16_t* from, std::byte* to, std::size_t count) {
      squash_codes(s, from, reinterpret_cast<std::int16_t*>(to), count);
    });
  }
  if (node.op != Op::Activation && node.op != Op::Quantize) return nullptr;
  const auto map = piecewise(node, in, out);
  if (!map) return nullptr;
  const bool words = out.type == DType::I16;
  return map_step(draft, node, [m = *map, words](const std::int16_t* from, std::byte* to, std::size_t count) {
    words ? map_codes(m, from, reinterpret_cast<std::int16_t*>(to), count)
          : map_codes(m, from, reinterpret_cast<std::int8_t*>(to), count);
  });
}

}  // namespace npubin::exec::fast
