#include "cli/compare/input_layout.h"

#include <cstring>

namespace npubin::cli {
namespace {

// [N,a,b] -> [N,b,a], elements of `size` bytes.
void swap_last_two(const std::byte* from, std::byte* to, std::size_t batches, std::size_t a, std::size_t b,
                   std::size_t size) {
  for (std::size_t n = 0; n < batches; ++n)
    for (std::size_t i = 0; i < a; ++i)
      for (std::size_t j = 0; j < b; ++j)
        std::memcpy(to + ((n * b + j) * a + i) * size, from + ((n * a + i) * b + j) * size, size);
}

}  // namespace

std::optional<Tensor> in_other_layout(const Tensor& from, const Shape& to) {
  const Shape& s = from.shape();
  if (s.size() != 4 || to.size() != 4 || s == to) return std::nullopt;
  const bool to_first = to == Shape{s[0], s[3], s[1], s[2]}, to_last = to == Shape{s[0], s[2], s[3], s[1]};
  if (to_first == to_last) return std::nullopt;
  const auto size = [&](std::size_t d) { return static_cast<std::size_t>(s[d]); };
  Tensor out(from.type(), to, from.quantization());
  const std::size_t element = size_of(from.type());
  if (to_first)
    swap_last_two(from.data(), out.mutable_data(), size(0), size(1) * size(2), size(3), element);
  else
    swap_last_two(from.data(), out.mutable_data(), size(0), size(1), size(2) * size(3), element);
  return out;
}

}  // namespace npubin::cli
