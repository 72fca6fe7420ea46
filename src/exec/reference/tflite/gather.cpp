// GATHER, GATHER_ND. tflite spec 6: an index out of range is refused when running.
#include <cstring>

#include <fmt/format.h>

#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

std::int64_t index_at(const Tensor& indices, std::int64_t i) {
  return indices.type() == DType::I32 ? indices.as<std::int32_t>()[static_cast<std::size_t>(i)]
                                      : indices.as<std::int64_t>()[static_cast<std::size_t>(i)];
}

Unexpected out_of_range(std::int64_t index, std::int64_t length) {
  return malformed({}, fmt::format("index {} of a dimension with {} elements", index, length));
}

std::int64_t product(const Shape& shape, std::size_t from, std::size_t to) {
  std::int64_t out = 1;
  for (std::size_t d = from; d < to; ++d) out *= shape[d];
  return out;
}

}  // namespace

Result<void> run_gather(const KernelCall& call) {
  const auto& a = call.node.attr<graph::GatherAttributes>();
  const Tensor &in = call.input(0), &indices = call.input(1);
  const Shape& shape = in.shape();
  const auto axis = static_cast<std::size_t>(a.axis), batch_dims = static_cast<std::size_t>(a.batch_dims);
  const std::int64_t batches = product(shape, 0, batch_dims), outer = product(shape, batch_dims, axis);
  const std::int64_t picks = product(indices.shape(), batch_dims, indices.rank()), length = shape[axis];
  const std::size_t bytes =
      static_cast<std::size_t>(product(shape, axis + 1, shape.size())) * size_of(in.type());
  std::byte* to = call.output().mutable_data();
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t p = 0; p < picks; ++p) {
        const std::int64_t index = index_at(indices, b * picks + p);
        if (index < 0 || index >= length) return out_of_range(index, length);
        if (bytes == 0) continue;
        std::memcpy(to, in.data() + static_cast<std::size_t>((b * outer + o) * length + index) * bytes,
                    bytes);
        to += bytes;
      }
  return {};
}

Result<void> run_gather_nd(const KernelCall& call) {
  const Tensor &in = call.input(0), &indices = call.input(1);
  const std::int64_t depth = indices.shape().back(), picks = product(indices.shape(), 0, indices.rank() - 1);
  const std::size_t bytes =
      static_cast<std::size_t>(product(in.shape(), static_cast<std::size_t>(depth), in.rank())) *
      size_of(in.type());
  std::byte* to = call.output().mutable_data();
  for (std::int64_t p = 0; p < picks; ++p) {
    std::int64_t place = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::int64_t index = index_at(indices, p * depth + k),
                         length = in.dim(static_cast<std::size_t>(k));
      if (index < 0 || index >= length) return out_of_range(index, length);
      place = place * length + index;
    }
    if (bytes == 0) continue;
    std::memcpy(to, in.data() + static_cast<std::size_t>(place) * bytes, bytes);
    to += bytes;
  }
  return {};
}

}  // namespace npubin::exec::tflite
