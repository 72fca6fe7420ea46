// Where every element of a result comes from, as loops or runs that can be copied fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::exec::fast {

// For every element of the result in order: which element of the operands, counted through all of them one
// after the other; -1: the fill.
using ElementSources = std::vector<std::int32_t>;

// One loop: `count` times, `from` elements further in the operand, `to` in the result.
struct MovementLoop {
  std::int64_t count = 1, from = 0, to = 0;
};

// Outermost first; loops that are one are joined. Counts are above 1 (none at all: one element).
struct StridedMovement {
  std::int64_t start = 0;
  std::vector<MovementLoop> loops;
};

// `length` elements from `from` (-1: the fill) to `to`.
struct MovementRun {
  std::int32_t from = 0, to = 0, length = 0;
};

// Whether the sources are strided loops over the result's shape; false leaves `movement` undefined.
bool find_strided(const ElementSources& sources, const std::vector<std::int64_t>& shape,
                  StridedMovement& movement);
std::vector<MovementRun> find_runs(const ElementSources& sources);

// Elements of `size` bytes: 1, 2, 4 or 8.
void move_strided(const StridedMovement& movement, std::size_t size, const std::byte* from, std::byte* to);

}  // namespace npubin::exec::fast
