#include "exec/fast/broadcast_runs.h"

#include <vector>

#include "exec/fast/sizes.h"

namespace npubin::exec::fast {

std::optional<BroadcastRuns> BroadcastRuns::of(const Shape& out,
                                               std::initializer_list<const Shape*> operands) {
  BroadcastRuns runs;
  const std::size_t rank = out.size();
  std::vector<Places> steps(rank, Places{});
  std::size_t k = 0;
  for (const Shape* operand : operands) {
    if (operand->size() > rank) return std::nullopt;
    std::size_t step = 1;
    for (std::size_t i = operand->size(); i-- > 0;) {
      const std::size_t d = i + rank - operand->size();
      if ((*operand)[i] != 1 && (*operand)[i] != out[d]) return std::nullopt;
      steps[d][k] = (*operand)[i] == 1 ? 0 : step;
      step *= to_size((*operand)[i]);
    }
    ++k;
  }
  for (std::size_t d = rank; d-- > 0;) {
    const std::size_t length = to_size(out[d]);
    if (length == 1) continue;
    bool goes_on = runs.dims_ > 0;  // every operand as it does along the dimension inside this one
    for (std::size_t i = 0; i < k && goes_on; ++i)
      goes_on = steps[d][i] == runs.steps_[runs.dims_ - 1][i] * runs.lengths_[runs.dims_ - 1];
    if (goes_on) {
      runs.lengths_[runs.dims_ - 1] *= length;
      continue;
    }
    if (runs.dims_ == kMostDims) return std::nullopt;
    runs.lengths_[runs.dims_] = length;
    runs.steps_[runs.dims_++] = steps[d];
  }
  if (runs.dims_ == 0) {  // one element
    runs.lengths_[0] = 1;
    runs.dims_ = 1;
    for (std::size_t i = 0; i < k; ++i) runs.steps_[0][i] = 1;
  }
  runs.length_ = runs.lengths_[0];
  for (std::size_t d = 1; d < runs.dims_; ++d) runs.count_ *= runs.lengths_[d];
  return runs;
}

}  // namespace npubin::exec::fast
