// Element-wise operators over operands that repeat: the output as runs, along which every operand either goes
// on element by element or stays where it is.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>

#include "npubin/tensor.h"

namespace npubin::exec::fast {

class BroadcastRuns {
 public:
  static constexpr std::size_t kMostOperands = 3;
  using Places = std::array<std::size_t, kMostOperands>;

  // nullopt where there are more turns between repeating and going on than are kept.
  static std::optional<BroadcastRuns> of(const Shape& out, std::initializer_list<const Shape*> operands);

  std::size_t count() const { return count_; }    // runs
  std::size_t length() const { return length_; }  // elements of each
  bool stays(std::size_t operand) const { return steps_[0][operand] == 0; }

  // Calls f(output element, Places of the operands' elements) for runs first..last.
  template <class F>
  void for_each(std::size_t first, std::size_t last, F&& f) const {
    std::array<std::size_t, kMostDims> index{};
    Places places{};
    for (std::size_t d = 1, rest = first; d < dims_; rest /= lengths_[d], ++d) {
      index[d] = rest % lengths_[d];
      for (std::size_t k = 0; k < kMostOperands; ++k) places[k] += index[d] * steps_[d][k];
    }
    for (std::size_t run = first; run < last; ++run) {
      f(run * length_, places);
      for (std::size_t d = 1; d < dims_; ++d) {
        for (std::size_t k = 0; k < kMostOperands; ++k) places[k] += steps_[d][k];
        if (++index[d] < lengths_[d]) break;
        for (std::size_t k = 0; k < kMostOperands; ++k) places[k] -= steps_[d][k] * lengths_[d];
        index[d] = 0;
      }
    }
  }

 private:
  static constexpr std::size_t kMostDims = 8;
  // Innermost first; dimension 0 is the run.
  std::array<std::size_t, kMostDims> lengths_{};
  std::array<Places, kMostDims> steps_{};
  std::size_t dims_ = 0, count_ = 1, length_ = 1;
};

}  // namespace npubin::exec::fast
