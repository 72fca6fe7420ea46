// Elements moved as they are stored, whatever their type.
#pragma once

#include <cstring>

#include <span>

#include "exec/workspace.h"
#include "npubin/tensor.h"

namespace npubin::exec::armnn {

// out element i = in element source(i), for all i of out.
template <class F>
void gather_elements(const Tensor& in, Tensor& out, F&& source) {
  const std::size_t size = size_of(in.type());
  const std::byte* from = in.data();
  std::byte* to = out.mutable_data();
  const auto count = static_cast<std::size_t>(out.count());
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * size, from + source(i) * size, size);
}

// For every index of `shape` in row-major order: f(position, position with `steps` per dimension from
// `start`).
template <class F>
void for_each_strided(std::span<const std::int64_t> shape, std::span<const std::int64_t> steps,
                      std::int64_t start, F&& f) {
  std::int64_t count = 1;
  for (std::int64_t length : shape) count *= length;
  WorkVector<std::int64_t> index(shape.size(), 0);
  std::int64_t at = start;
  for (std::int64_t i = 0; i < count; ++i) {
    f(static_cast<std::size_t>(i), static_cast<std::size_t>(at));
    for (std::size_t d = shape.size(); d-- > 0;) {
      at += steps[d];
      if (++index[d] < shape[d]) break;
      at -= steps[d] * index[d];
      index[d] = 0;
    }
  }
}

// Row-major strides, in elements.
inline WorkVector<std::int64_t> strides_of(const Shape& shape) {
  WorkVector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// Copies the elements of `out` from the strided walk over `in`.
inline void copy_strided(const Tensor& in, Tensor& out, std::span<const std::int64_t> steps,
                         std::int64_t start) {
  const std::size_t size = size_of(in.type());
  for_each_strided(out.shape(), steps, start, [&](std::size_t i, std::size_t at) {
    std::memcpy(out.mutable_data() + i * size, in.data() + at * size, size);
  });
}

}  // namespace npubin::exec::armnn
