#include "exec/fast/matrix_batches.h"

#include "exec/fast/sizes.h"

namespace npubin::exec::fast {

std::optional<MatrixBatches> MatrixBatches::of(const Shape& x, const Shape& y, const Shape& out,
                                               const graph::BatchMatMulAttributes& a, bool join) {
  if (x.size() < 2 || y.size() < 2 || out.size() < 2 || count_of(out) == 0) return std::nullopt;
  const auto outer = [](const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); };
  const Shape of_x = outer(x), of_y = outer(y);
  MatrixBatches b;
  b.runs = BroadcastRuns::of(outer(out), {&of_x, &of_y});
  if (!b.runs) return std::nullopt;
  b.rows = b.rows_of_x = to_size(out[out.size() - 2]);
  b.columns = to_size(out.back());
  b.inner = to_size(x[x.size() - (a.transpose_x ? 2 : 1)]);
  if (b.inner == 0) return std::nullopt;
  b.x_transposed = a.transpose_x;
  b.y_transposed = a.transpose_y;
  const bool x_stays = b.runs->stays(0), y_stays = b.runs->stays(1);
  if (!join || x_stays || (y_stays && a.transpose_x)) {
    b.single = b.runs->length();
  } else if (y_stays) {
    b.rows *= b.runs->length();
  } else {
    b.together = b.runs->length();
  }
  return b;
}

}  // namespace npubin::exec::fast
