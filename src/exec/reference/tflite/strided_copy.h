// Copies elements between tensors by strides: transposes, slices, tiles and their kin are all this one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "exec/workspace.h"

namespace npubin::exec::tflite {

// For every index of `shape`: to[offset + sum index*stride] = from[...]. Elements of `size` bytes.
inline void strided_copy(std::span<const std::int64_t> shape, const std::byte* from, std::int64_t from_offset,
                         std::span<const std::int64_t> from_strides, std::byte* to, std::int64_t to_offset,
                         std::span<const std::int64_t> to_strides, std::size_t size) {
  for (std::int64_t d : shape)
    if (d == 0) return;
  WorkVector<std::int64_t> index(shape.size(), 0);
  for (;;) {
    std::memcpy(to + static_cast<std::size_t>(to_offset) * size,
                from + static_cast<std::size_t>(from_offset) * size, size);
    std::size_t d = shape.size();
    for (;;) {
      if (d-- == 0) return;
      from_offset += from_strides[d];
      to_offset += to_strides[d];
      if (++index[d] < shape[d]) break;
      from_offset -= from_strides[d] * shape[d];
      to_offset -= to_strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// Row-major strides in elements.
inline WorkShape dense_strides(std::span<const std::int64_t> shape) {
  WorkShape out(shape.size());
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    out[d] = step;
    step *= shape[d];
  }
  return out;
}

}  // namespace npubin::exec::tflite
