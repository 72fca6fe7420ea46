// The products of a BATCH_MATMUL: how many are computed together, and where each of them lies.
#pragma once

#include <optional>

#include "exec/fast/broadcast_runs.h"
#include "npubin/graph.h"

namespace npubin::exec::fast {

struct MatrixBatches {
  struct Places {
    std::size_t x, y, out;  // elements
  };

  // out[rows, columns] = x[rows, inner] y[inner, columns]. `join`: matrices that follow each other in every
  // operand are computed together, and where there is one y for many x, their rows become those of one
  // matrix. nullopt where there is nothing to compute.
  static std::optional<MatrixBatches> of(const Shape& x, const Shape& y, const Shape& out,
                                         const graph::BatchMatMulAttributes& attributes, bool join);

  bool one_y() const { return runs->count() == 1 && together == 1 && (single == 1 || runs->stays(1)); }

  template <class F>
  void for_each(F&& f) const {
    runs->for_each(0, runs->count(), [&](std::size_t place, const BroadcastRuns::Places& at) {
      for (std::size_t k = 0; k < single; ++k)
        f(Places{(at[0] + (runs->stays(0) ? 0 : k)) * rows_of_x * inner,
                 (at[1] + (runs->stays(1) ? 0 : k)) * inner * columns, (place + k) * rows_of_x * columns});
    });
  }

  std::optional<BroadcastRuns> runs;  // over matrices
  std::size_t together = 1;           // matrices of one call
  std::size_t single = 1;             // calls for each run
  std::size_t rows = 0, inner = 0, columns = 0;
  std::size_t rows_of_x = 0;  // of one stored matrix
  bool x_transposed = false, y_transposed = false;
};

}  // namespace npubin::exec::fast
