// Sums, means, largest and smallest over any axes: the operand is walked in order, run by run, onto the
// places of the result.
#include <algorithm>
#include <limits>

#include "exec/fast/broadcast_runs.h"
#include "exec/fast/kernels_f32.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/reduce.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ReduceOperation;

// The result's shape with the reduced dimensions kept as 1.
Shape kept_shape(const Shape& in, const std::vector<std::int32_t>& axes) {
  if (axes.empty()) return Shape(in.size(), 1);
  Shape shape = in;
  for (std::int32_t axis : axes) shape[to_size(axis < 0 ? axis + static_cast<int>(in.size()) : axis)] = 1;
  return shape;
}

// Several results at once: one after the other they would wait for each other.
template <class Out, class In, class F>
Out along(const In* in, std::size_t count, Out start, F f) {
  constexpr std::size_t kSideBySide = 16;
  Out side[kSideBySide];
  std::fill_n(side, kSideBySide, start);
  std::size_t i = 0;
  for (; i + kSideBySide <= count; i += kSideBySide)
    for (std::size_t k = 0; k < kSideBySide; ++k) side[k] = f(side[k], static_cast<Out>(in[i + k]));
  for (; i < count; ++i) side[0] = f(side[0], static_cast<Out>(in[i]));
  for (std::size_t half = kSideBySide / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) side[k] = f(side[k], side[k + half]);
  return side[0];
}

// out[place] = f over everything that falls there, from `start` on.
template <class Out, class In, class F>
void fold(const BroadcastRuns& runs, const In* in, Out* out, std::size_t results, Out start, F f) {
  std::fill_n(out, results, start);
  const std::size_t length = runs.length();
  const bool stays = runs.stays(0);
  runs.for_each(0, runs.count(), [&](std::size_t place, const BroadcastRuns::Places& places) {
    const In* from = in + place;
    Out* to = out + places[0];
    if (stays && F::kInOrder) {
      for (std::size_t i = 0; i < length; ++i) *to = f(*to, static_cast<Out>(from[i]));
    } else if (stays) {
      *to = f(*to, along(from, length, start, f));
    } else {
      for (std::size_t i = 0; i < length; ++i) to[i] = f(to[i], static_cast<Out>(from[i]));
    }
  });
}

struct Larger {
  static constexpr bool kInOrder = false;
  template <class T>
  T operator()(T best, T x) const {
    return x > best ? x : best;
  }
};
struct Smaller {
  static constexpr bool kInOrder = false;
  template <class T>
  T operator()(T best, T x) const {
    return x < best ? x : best;
  }
};
struct Plus {
  static constexpr bool kInOrder = false;
  template <class T>
  T operator()(T sum, T x) const {
    return sum + x;
  }
};

// One number after the other.
struct PlusInOrder : Plus {
  static constexpr bool kInOrder = true;
};

class ReduceStep : public Step {
 public:
  ReduceStep(const graph::Node& node, const BroadcastRuns& runs, std::size_t results)
      : node_(node), runs_(runs), results_(results) {}
  std::string kernel() const override { return "own reduction"; }

 protected:
  const graph::Node& node_;
  BroadcastRuns runs_;
  std::size_t results_;
};

template <class T>
class ExtremeStep : public ReduceStep {
 public:
  using ReduceStep::ReduceStep;
  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    T* out = frame.out<T>(node_.outputs[0]);
    if (node_.attr<graph::ReduceAttributes>().operation == ReduceOperation::Max)
      fold(runs_, in, out, results_, std::numeric_limits<T>::lowest(), Larger());
    else
      fold(runs_, in, out, results_, std::numeric_limits<T>::max(), Smaller());
    return {};
  }
};

class FloatSumStep : public ReduceStep {
 public:
  FloatSumStep(const graph::Node& node, const BroadcastRuns& runs, std::size_t results, float divisor,
               bool in_order)
      : ReduceStep(node, runs, results), divisor_(divisor), in_order_(in_order) {}
  Result<void> run(const Frame& frame) const override {
    float* out = frame.out<float>(node_.outputs[0]);
    if (in_order_)
      fold(runs_, frame.in<float>(node_.inputs[0]), out, results_, 0.0f, PlusInOrder());
    else
      fold(runs_, frame.in<float>(node_.inputs[0]), out, results_, 0.0f, Plus());
    for (std::size_t i = 0; i < results_ && divisor_ != 1; ++i) out[i] /= divisor_;
    return {};
  }

 private:
  float divisor_;
  bool in_order_;
};

template <class T>
class CodeSumStep : public ReduceStep {
 public:
  CodeSumStep(const graph::Node& node, const BroadcastRuns& runs, std::size_t results, std::int64_t offset,
              std::int64_t zero_out, tflite::Multiplier multiplier)
      : ReduceStep(node, runs, results), offset_(offset), zero_out_(zero_out), multiplier_(multiplier) {}
  std::size_t scratch_bytes() const override { return results_ * sizeof(std::int32_t); }
  Result<void> run(const Frame& frame) const override {
    auto* const sums = reinterpret_cast<std::int32_t*>(frame.scratch);
    fold(runs_, frame.in<T>(node_.inputs[0]), sums, results_, std::int32_t{0}, Plus());
    T* out = frame.out<T>(node_.outputs[0]);
    for (std::size_t i = 0; i < results_; ++i)
      out[i] = tflite::clamp_to<T>(
          tflite::multiply(tflite::wrap32(std::int64_t{sums[i]} - offset_), multiplier_) + zero_out_);
    return {};
  }

 private:
  std::int64_t offset_, zero_out_;
  tflite::Multiplier multiplier_;
};

// Calls make with a number of the type; nullptr for others.
template <class F>
std::unique_ptr<Step> of_type(DType type, F make) {
  switch (type) {
    case DType::F32:
      return make(float{});
    case DType::I8:
      return make(std::int8_t{});
    case DType::U8:
      return make(std::uint8_t{});
    case DType::I16:
      return make(std::int16_t{});
    case DType::I32:
      return make(std::int32_t{});
    case DType::I64:
      return make(std::int64_t{});
    default:
      return nullptr;
  }
}

std::unique_ptr<Step> code_sums(const Draft& draft, const graph::Node& node, const BroadcastRuns& runs,
                                std::size_t results, std::size_t reduced) {
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  constexpr std::size_t kMostSummed = std::size_t{1} << 15;  // of 16 bits within 32
  if (node.rules != graph::Rules::Tflite || in.type != out.type || reduced > kMostSummed) return nullptr;
  const tflite::Multiplier m = tflite::mean_multiplier(in.quantization.scale(), out.quantization.scale(),
                                                       node.attr<graph::ReduceAttributes>().operation,
                                                       static_cast<std::int64_t>(reduced));
  const std::int64_t offset = in.quantization.zero_point() * static_cast<std::int64_t>(reduced),
                     zero = out.quantization.zero_point();
  return of_type(in.type, [&](auto sample) -> std::unique_ptr<Step> {
    using T = decltype(sample);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 2)
      return std::make_unique<CodeSumStep<T>>(node, runs, results, offset, zero, m);
    else
      return nullptr;
  });
}

}  // namespace

std::unique_ptr<Step> make_reduction(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Reduce || !entry.post.empty() || node.outputs.size() != 1) return nullptr;
  const auto& a = node.attr<graph::ReduceAttributes>();
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  const std::size_t results = to_size(count_of(out.shape)), count = to_size(count_of(in.shape));
  const Shape kept = kept_shape(in.shape, a.axes);
  const auto runs = BroadcastRuns::of(in.shape, {&kept});
  if (!runs || in.type != out.type || results == 0 || count == 0) return nullptr;
  const std::size_t reduced = count / results;
  switch (a.operation) {
    case ReduceOperation::Max:
    case ReduceOperation::Min:
      // Arm NN decodes elements first.
      if (node.rules != graph::Rules::Tflite && in.type != DType::F32) return nullptr;
      return of_type(in.type, [&](auto sample) -> std::unique_ptr<Step> {
        return std::make_unique<ExtremeStep<decltype(sample)>>(node, *runs, results);
      });
    case ReduceOperation::Mean:
    case ReduceOperation::Sum: {
      if (in.type != DType::F32) return code_sums(draft, node, *runs, results, reduced);
      const bool mean = a.operation == ReduceOperation::Mean;
      return std::make_unique<FloatSumStep>(node, *runs, results, mean ? static_cast<float>(reduced) : 1.0f,
                                            entry.in_order);
    }
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
