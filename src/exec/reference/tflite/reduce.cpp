// MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, ARG_MAX, ARG_MIN. tflite spec 6.
#include <bit>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"
#include "exec/reference/tflite/reduce.h"

namespace npubin::exec::tflite {
namespace {

using graph::ReduceAttributes;
using graph::ReduceOperation;

// Output element of every input element, in input order.
class Folding {
 public:
  Folding(const Shape& in, const std::vector<std::int32_t>& axes)
      : in_(in), index_(in.size(), 0), steps_(in.size(), 0) {
    WorkVector<bool> gone(in.size(), axes.empty());
    for (std::int32_t axis : axes)
      gone[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(in.size()) : axis)] = true;
    std::int64_t step = 1;
    for (std::size_t d = in.size(); d-- > 0;) {
      if (gone[d]) {
        reduced_ *= in[d];
        continue;
      }
      steps_[d] = step;
      step *= in[d];
    }
  }
  std::int64_t reduced() const { return reduced_; }  // elements folded into one
  std::size_t place() const { return static_cast<std::size_t>(place_); }
  void next() {
    for (std::size_t d = in_.size(); d-- > 0;) {
      place_ += steps_[d];
      if (++index_[d] < in_[d]) return;
      place_ -= steps_[d] * in_[d];
      index_[d] = 0;
    }
  }

 private:
  const Shape& in_;
  WorkVector<std::int64_t> index_, steps_;
  std::int64_t reduced_ = 1, place_ = 0;
};

template <class T, class Acc, class F>
WorkVector<Acc> fold(const KernelCall& call, Acc start, F f) {
  Folding folding(call.input(0).shape(), call.node.attr<ReduceAttributes>().axes);
  WorkVector<Acc> out(static_cast<std::size_t>(call.output().count()), start);
  for (T x : call.input(0).as<T>()) {
    Acc& sum = out[folding.place()];
    sum = f(sum, x);
    folding.next();
  }
  return out;
}

template <class T>
void sum_codes(const KernelCall& call) {
  const std::int64_t n = Folding(call.input(0).shape(), call.node.attr<ReduceAttributes>().axes).reduced();
  const std::int64_t zi = call.input(0).quantization().zero_point(),
                     zo = call.output().quantization().zero_point();
  const Multiplier m =
      mean_multiplier(call.input(0).quantization().scale(), call.output().quantization().scale(),
                      call.node.attr<ReduceAttributes>().operation, n);
  const auto sums = fold<T, std::int64_t>(call, 0, [](std::int64_t sum, T q) { return sum + q; });
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < sums.size(); ++i)
    out[i] = clamp_to<T>(multiply(wrap32(sums[i] - static_cast<std::int64_t>(static_cast<std::uint64_t>(zi) *
                                                                             static_cast<std::uint64_t>(n))),
                                  m) +
                         zo);
}

void sum_floats(const KernelCall& call) {
  const auto sums = fold<float, float>(call, 0.0f, [](float sum, float x) { return sum + x; });
  const std::int64_t n = Folding(call.input(0).shape(), call.node.attr<ReduceAttributes>().axes).reduced();
  const bool mean = call.node.attr<ReduceAttributes>().operation == ReduceOperation::Mean;
  auto out = call.output().as_mutable<float>();
  for (std::size_t i = 0; i < sums.size(); ++i) out[i] = mean ? sums[i] / static_cast<float>(n) : sums[i];
}

template <class T>
void extremes(const KernelCall& call) {
  const bool largest = call.node.attr<ReduceAttributes>().operation == ReduceOperation::Max;
  const T start = largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
  const auto found =
      fold<T, T>(call, start, [largest](T best, T x) { return (largest ? x > best : x < best) ? x : best; });
  std::copy(found.begin(), found.end(), call.output().template as_mutable<T>().begin());
}

void products(const KernelCall& call) {
  if (call.input(0).type() == DType::F32) {
    const auto found = fold<float, float>(call, 1.0f, [](float p, float x) { return p * x; });
    std::copy(found.begin(), found.end(), call.output().as_mutable<float>().begin());
    return;
  }
  const auto found = fold<std::int32_t, std::uint32_t>(
      call, 1u, [](std::uint32_t p, std::int32_t x) { return p * static_cast<std::uint32_t>(x); });
  auto out = call.output().as_mutable<std::int32_t>();
  for (std::size_t i = 0; i < found.size(); ++i) out[i] = static_cast<std::int32_t>(found[i]);
}

template <class T>
void arg(const KernelCall& call) {
  const auto& a = call.node.attr<graph::ArgMinMaxAttributes>();
  const Shape& shape = call.input(0).shape();
  const auto axis = static_cast<std::size_t>(a.axis < 0 ? a.axis + static_cast<int>(shape.size()) : a.axis);
  std::int64_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= shape[d];
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  const T* in = call.input(0).as<T>().data();
  Tensor& out = call.output();
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      const T* row = in + o * shape[axis] * inner + i;
      std::int64_t best = 0;
      for (std::int64_t k = 1; k < shape[axis]; ++k)
        if (a.maximum ? row[k * inner] > row[best * inner] : row[k * inner] < row[best * inner]) best = k;
      const auto place = static_cast<std::size_t>(o * inner + i);
      if (out.type() == DType::I32)
        out.as_mutable<std::int32_t>()[place] = static_cast<std::int32_t>(best);
      else
        out.as_mutable<std::int64_t>()[place] = best;
    }
}

}  // namespace

Multiplier mean_multiplier(float scale_in, float scale_out, ReduceOperation operation, std::int64_t n) {
  Multiplier m = quantize_multiplier(static_cast<double>(scale_in) / static_cast<double>(scale_out));
  if (operation != ReduceOperation::Mean || n < 1) return m;
  const int log2 = 63 - std::countl_zero(static_cast<std::uint64_t>(n));
  const int h = std::max(0, std::min({log2, 32, 31 + m.shift}));
  m.mantissa = static_cast<std::int32_t>((std::int64_t{m.mantissa} << h) / n);
  m.shift -= h;
  return m;
}

Result<void> run_reduce(const KernelCall& call) {
  const ReduceOperation operation = call.node.attr<ReduceAttributes>().operation;
  const bool sums = operation == ReduceOperation::Mean || operation == ReduceOperation::Sum;
  if (operation == ReduceOperation::Prod) {
    products(call);
    return {};
  }
  switch (call.input(0).type()) {
    case DType::F32:
      sums ? sum_floats(call) : extremes<float>(call);
      break;
    case DType::I8:
      sums ? sum_codes<std::int8_t>(call) : extremes<std::int8_t>(call);
      break;
    case DType::U8:
      sums ? sum_codes<std::uint8_t>(call) : extremes<std::uint8_t>(call);
      break;
    case DType::I16:
      sums ? sum_codes<std::int16_t>(call) : extremes<std::int16_t>(call);
      break;
    case DType::I32:
      extremes<std::int32_t>(call);
      break;
    default:
      extremes<std::int64_t>(call);
  }
  return {};
}

Result<void> run_arg_min_max(const KernelCall& call) {
  switch (call.input(0).type()) {
    case DType::F32:
      arg<float>(call);
      break;
    case DType::I8:
      arg<std::int8_t>(call);
      break;
    case DType::U8:
      arg<std::uint8_t>(call);
      break;
    case DType::I16:
      arg<std::int16_t>(call);
      break;
    default:
      arg<std::int32_t>(call);
  }
  return {};
}

}  // namespace npubin::exec::tflite
