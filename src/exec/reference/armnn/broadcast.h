// Element-wise operands with dimensions of 1 repeated (armnn spec 3: equal ranks, no implicit extension).
#pragma once

#include <cstddef>
#include <optional>

#include "exec/workspace.h"
#include "npubin/tensor.h"

namespace npubin::exec::armnn {

// nullopt where the ranks differ or a dimension is neither equal nor 1.
inline std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return std::nullopt;
  Shape out(a.size());
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d] && a[d] != 1 && b[d] != 1) return std::nullopt;
    out[d] = a[d] == 1 ? b[d] : a[d];
  }
  return out;
}

// For every element of `out`, in order: f(position in out, position in a, position in b).
template <class F>
void for_each_broadcast(const Shape& out, const Shape& a, const Shape& b, F&& f) {
  const std::size_t rank = out.size();
  WorkVector<std::size_t> step_a(rank), step_b(rank), index(rank, 0);
  std::size_t run_a = 1, run_b = 1;
  for (std::size_t d = rank; d-- > 0;) {
    step_a[d] = a[d] == 1 ? 0 : run_a;
    step_b[d] = b[d] == 1 ? 0 : run_b;
    run_a *= static_cast<std::size_t>(a[d]);
    run_b *= static_cast<std::size_t>(b[d]);
  }
  const auto count = static_cast<std::size_t>(count_of(out));
  std::size_t at_a = 0, at_b = 0;
  for (std::size_t i = 0; i < count; ++i) {
    f(i, at_a, at_b);
    for (std::size_t d = rank; d-- > 0;) {
      at_a += step_a[d];
      at_b += step_b[d];
      if (++index[d] < static_cast<std::size_t>(out[d])) break;
      at_a -= step_a[d] * index[d];
      at_b -= step_b[d] * index[d];
      index[d] = 0;
    }
  }
}

}  // namespace npubin::exec::armnn
