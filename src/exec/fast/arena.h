// Memory of a plan: one block in which values that are never alive together share space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::exec::fast {

struct Lifetime {
  std::size_t bytes = 0;
  std::size_t first = 0, last = 0;  // steps, inclusive
};

struct ArenaPlan {
  std::vector<std::size_t> offsets;  // as the lifetimes; 64-byte aligned
  std::size_t bytes = 0;             // of the whole block
  std::size_t lower_bound = 0;       // bytes alive together at the worst step
};

ArenaPlan plan_arena(const std::vector<Lifetime>& lifetimes);

}  // namespace npubin::exec::fast
