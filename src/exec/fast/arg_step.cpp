// ArgMax and ArgMin along the last axis; the first of equals.
#include <algorithm>

#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

// A code above its place, counted from the end: of equal codes the first is the largest.
template <class T, bool kMaximum>
std::size_t place_of_code(const T* row, std::size_t length) {
  constexpr std::int32_t kPlaces = 65536;
  std::int32_t best = INT32_MIN;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(length); ++k) {
    const std::int32_t key = (kMaximum ? row[k] : -row[k]) * kPlaces + (kPlaces - 1 - k);
    best = key > best ? key : best;
  }
  return static_cast<std::size_t>(kPlaces - 1 - (best & (kPlaces - 1)));
}

// First the extreme number, then where it stands.
template <class T, bool kMaximum>
std::size_t place_of_extreme(const T* row, std::size_t length) {
  constexpr std::size_t kMostKeys = 65536;
  if constexpr (sizeof(T) == 1)
    if (length <= kMostKeys) return place_of_code<T, kMaximum>(row, length);
  T best = row[0];
  for (std::size_t k = 1; k < length; ++k) best = (kMaximum ? row[k] > best : row[k] < best) ? row[k] : best;
  std::size_t at = 0;
  while (at + 1 < length && !(row[at] == best)) ++at;
  return row[at] == best ? at : 0;  // of unordered numbers alone: the first
}

template <class T, class Out, bool kMaximum>
class ArgStep : public Step {
 public:
  ArgStep(const graph::Node& node, std::size_t rows, std::size_t length, int threads)
      : node_(node), rows_(rows), length_(length) {
    constexpr std::size_t kWorthThreads = 65536;
    threads_ = rows * length < kWorthThreads ? 1 : threads;
  }
  std::string kernel() const override { return "own arg"; }
  Result<void> run(const Frame& frame) const override {
    const T* in = frame.in<T>(node_.inputs[0]);
    Out* out = frame.out<Out>(node_.outputs[0]);
    parallel_ranges(threads_, rows_, [&](std::size_t first, std::size_t last, std::size_t) {
      for (std::size_t r = first; r < last; ++r)
        out[r] = static_cast<Out>(place_of_extreme<T, kMaximum>(in + r * length_, length_));
    });
    return {};
  }

 private:
  const graph::Node& node_;
  std::size_t rows_, length_;
  int threads_ = 1;
};

template <class T, class Out>
std::unique_ptr<Step> arg_step(const Draft& draft, const graph::Node& node) {
  const Shape& shape = draft.value(node.inputs[0]).shape;
  const std::size_t length = to_size(shape.back()), rows = to_size(count_of(shape)) / length;
  if (node.attr<graph::ArgMinMaxAttributes>().maximum)
    return std::make_unique<ArgStep<T, Out, true>>(node, rows, length, draft.threads);
  return std::make_unique<ArgStep<T, Out, false>>(node, rows, length, draft.threads);
}

template <class T>
std::unique_ptr<Step> arg_step(const Draft& draft, const graph::Node& node) {
  switch (draft.value(node.outputs[0]).type) {
    case DType::I32:
      return arg_step<T, std::int32_t>(draft, node);
    case DType::I64:
      return arg_step<T, std::int64_t>(draft, node);
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<Step> make_arg(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::ArgMinMax || !entry.post.empty()) return nullptr;
  const graph::Value& in = draft.value(node.inputs[0]);
  const int axis = node.attr<graph::ArgMinMaxAttributes>().axis, rank = static_cast<int>(in.shape.size());
  if (rank == 0 || count_of(in.shape) == 0 || (axis != -1 && axis != rank - 1)) return nullptr;
  // Arm NN decodes elements first: whose numbers are as far apart as their codes is float32 alone for sure.
  if (node.rules != graph::Rules::Tflite && in.type != DType::F32) return nullptr;
  switch (in.type) {
    case DType::F32:
      return arg_step<float>(draft, node);
    case DType::I8:
      return arg_step<std::int8_t>(draft, node);
    case DType::U8:
      return arg_step<std::uint8_t>(draft, node);
    case DType::I16:
      return arg_step<std::int16_t>(draft, node);
    case DType::I32:
      return arg_step<std::int32_t>(draft, node);
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
