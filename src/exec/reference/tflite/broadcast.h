// Walks the elements of an output in order, with the places of up to three operands that broadcast to it.
// tflite spec 2.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "exec/workspace.h"
#include "npubin/tensor.h"

namespace npubin::exec::tflite {

class BroadcastWalk {
 public:
  // Precondition: every operand broadcasts to `out`.
  BroadcastWalk(const Shape& out, std::initializer_list<const Shape*> operands)
      : shape_(out), index_(out.size(), 0) {
    std::size_t k = 0;
    for (const Shape* operand : operands) {
      auto& strides = strides_[k++];
      strides.assign(out.size(), 0);
      std::int64_t step = 1;
      for (std::size_t i = operand->size(); i-- > 0;) {
        const std::size_t d = i + out.size() - operand->size();
        strides[d] = (*operand)[i] == 1 ? 0 : step;
        step *= (*operand)[i];
      }
    }
    operands_ = k;
  }

  // Element of operand k for the present output element.
  std::size_t at(std::size_t k) const { return static_cast<std::size_t>(place_[k]); }

  void next() {
    for (std::size_t d = shape_.size(); d-- > 0;) {
      for (std::size_t k = 0; k < operands_; ++k) place_[k] += strides_[k][d];
      if (++index_[d] < shape_[d]) return;
      for (std::size_t k = 0; k < operands_; ++k) place_[k] -= strides_[k][d] * shape_[d];
      index_[d] = 0;
    }
  }

 private:
  const Shape& shape_;
  WorkVector<std::int64_t> index_;
  std::array<WorkVector<std::int64_t>, 3> strides_;
  std::array<std::int64_t, 3> place_{};
  std::size_t operands_ = 0;
};

// out[i] = f(a[...], b[...]) over broadcast operands.
template <class In, class Out, class F>
void for_each_pair(const Tensor& a, const Tensor& b, Tensor& out, F f) {
  const auto x = a.as<In>(), y = b.as<In>();
  auto to = out.as_mutable<Out>();
  if (a.shape() == out.shape() && b.shape() == out.shape()) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = f(x[i], y[i]);
    return;
  }
  BroadcastWalk walk(out.shape(), {&a.shape(), &b.shape()});
  for (std::size_t i = 0; i < to.size(); ++i, walk.next()) to[i] = f(x[walk.at(0)], y[walk.at(1)]);
}

}  // namespace npubin::exec::tflite
