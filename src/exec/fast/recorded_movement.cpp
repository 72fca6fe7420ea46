#include "exec/fast/recorded_movement.h"

#include <algorithm>
#include <cstring>

namespace npubin::exec::fast {
namespace {

// A loop within which the next one goes on where it ended is one loop with it.
void join(std::vector<MovementLoop>& loops) {
  std::vector<MovementLoop> joined;
  for (const MovementLoop& loop : loops) {
    if (loop.count == 1) continue;
    if (!joined.empty() && joined.back().from == loop.count * loop.from &&
        joined.back().to == loop.count * loop.to) {
      joined.back() = {joined.back().count * loop.count, loop.from, loop.to};
    } else {
      joined.push_back(loop);
    }
  }
  loops = std::move(joined);
}

template <class E>
E load(const std::byte* at) {
  E element;
  std::memcpy(&element, at, sizeof(E));
  return element;
}

// Two loops in squares, so that the lines of the operand that a square touches stay in the cache.
template <class E>
void move_plane(const MovementLoop& outer, const MovementLoop& inner, const std::byte* from, std::byte* to) {
  constexpr std::int64_t kSquare = 32, kSize = sizeof(E);
  for (std::int64_t o = 0; o < outer.count; o += kSquare)
    for (std::int64_t i = 0; i < inner.count; i += kSquare) {
      const std::int64_t o_end = std::min(o + kSquare, outer.count),
                         i_end = std::min(i + kSquare, inner.count);
      for (std::int64_t y = o; y < o_end; ++y) {
        const std::byte* source = from + (y * outer.from + i * inner.from) * kSize;
        std::byte* target = to + (y * outer.to + i * inner.to) * kSize;
        for (std::int64_t x = i; x < i_end; ++x, source += inner.from * kSize, target += inner.to * kSize) {
          const E element = load<E>(source);
          std::memcpy(target, &element, sizeof(E));
        }
      }
    }
}

template <class E>
void move(const MovementLoop* loop, std::size_t loops, const std::byte* from, std::byte* to) {
  constexpr std::int64_t kSize = sizeof(E);
  if (loops == 0) {
    std::memcpy(to, from, sizeof(E));
  } else if (loops == 1 && loop->from == 1 && loop->to == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(loop->count) * sizeof(E));
  } else if (loops == 1) {
    move_plane<E>({}, *loop, from, to);
  } else if (loops == 2 && !(loop[1].from == 1 && loop[1].to == 1)) {
    move_plane<E>(loop[0], loop[1], from, to);
  } else {
    for (std::int64_t i = 0; i < loop->count; ++i, from += loop->from * kSize, to += loop->to * kSize)
      move<E>(loop + 1, loops - 1, from, to);
  }
}

}  // namespace

bool find_strided(const ElementSources& sources, const std::vector<std::int64_t>& shape,
                  StridedMovement& movement) {
  if (sources.empty() || sources[0] < 0) return false;
  movement.start = sources[0];
  movement.loops.assign(shape.size(), {});
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    movement.loops[d] = {shape[d], 0, step};
    if (shape[d] > 1)
      movement.loops[d].from = std::int64_t{sources[static_cast<std::size_t>(step)]} - sources[0];
    step *= shape[d];
  }
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t expected = movement.start;
  for (const std::int32_t source : sources) {
    if (source != expected) return false;
    for (std::size_t d = shape.size(); d-- > 0;) {
      expected += movement.loops[d].from;
      if (++index[d] < shape[d]) break;
      expected -= movement.loops[d].from * shape[d];
      index[d] = 0;
    }
  }
  join(movement.loops);
  return true;
}

std::vector<MovementRun> find_runs(const ElementSources& sources) {
  std::vector<MovementRun> runs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::int32_t source = sources[i];
    if (!runs.empty()) {
      MovementRun& last = runs.back();
      if (source < 0 ? last.from < 0 : last.from >= 0 && last.from + last.length == source) {
        ++last.length;
        continue;
      }
    }
    runs.push_back({source, static_cast<std::int32_t>(i), 1});
  }
  return runs;
}

void move_strided(const StridedMovement& movement, std::size_t size, const std::byte* from, std::byte* to) {
  from += movement.start * static_cast<std::int64_t>(size);
  const MovementLoop* loops = movement.loops.data();
  const std::size_t count = movement.loops.size();
  switch (size) {
    case 1:
      return move<std::uint8_t>(loops, count, from, to);
    case 2:
      return move<std::uint16_t>(loops, count, from, to);
    case 4:
      return move<std::uint32_t>(loops, count, from, to);
    default:
      return move<std::uint64_t>(loops, count, from, to);
  }
}

}  // namespace npubin::exec::fast
