// How an operand of an element-wise operator repeats over the result.
#pragma once

#include <cstddef>
#include <optional>

#include "npubin/tensor.h"

namespace npubin::exec::fast {

// How many elements of the operand repeat: all of them, or a block of trailing dimensions; nullopt where the
// repetition is of another kind.
inline std::optional<std::size_t> period_over(const Shape& operand, const Shape& out) {
  std::size_t lead = 0;
  while (lead < operand.size() && operand[lead] == 1) ++lead;
  const std::size_t kept = operand.size() - lead;
  if (kept > out.size()) return std::nullopt;
  for (std::size_t d = 0; d < kept; ++d)
    if (operand[lead + d] != out[out.size() - kept + d]) return std::nullopt;
  return static_cast<std::size_t>(count_of(operand));
}

}  // namespace npubin::exec::fast
