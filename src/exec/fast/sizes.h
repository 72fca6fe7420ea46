// Sizes of shapes and of memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "npubin/graph.h"

namespace npubin::exec::fast {

inline std::size_t to_size(std::int64_t v) {
  return static_cast<std::size_t>(v);
}
// To a multiple of `to`.
inline std::size_t rounded_up(std::size_t v, std::size_t to) {
  return (v + to - 1) / to * to;
}
// To whole cache lines: what parts of scratch and arena are aligned to.
inline std::size_t whole_lines(std::size_t bytes) {
  return rounded_up(bytes, 64);
}

inline std::size_t bytes_of(const graph::Value& value) {
  return to_size(count_of(value.shape)) * size_of(value.type);
}

}  // namespace npubin::exec::fast
