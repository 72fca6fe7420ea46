#include "ethosu/weights/geometry.h"

#include <algorithm>

#include "ethosu/weights/order.h"
#include "npubin/bytes.h"

namespace npubin::ethosu {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 40;

std::optional<std::uint64_t> product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t out = 1;
  for (const std::uint64_t factor : factors) {
    const auto next = checked_mul(out, factor);
    if (!next || *next > kLimit) return std::nullopt;
    out = *next;
  }
  if (out == 0) return std::nullopt;
  return out;
}

// Kernel elements over all sub-kernels, each padded.
std::uint64_t padded_kernel(const WeightGeometry& geometry) {
  const std::uint32_t rows = 8 / geometry.dilation_y, columns = 8 / geometry.dilation_x;
  // There are four kinds of sub-kernel: full or last in each direction.
  const auto split = [](std::uint32_t size, std::uint32_t part) {
    return std::pair{std::uint64_t{size / part}, size % part};
  };
  const auto [full_rows, last_row] = split(geometry.kernel_height, rows);
  const auto [full_columns, last_column] = split(geometry.kernel_width, columns);
  const auto padded = [&](std::uint32_t height, std::uint32_t width) -> std::uint64_t {
    if (height == 0 || width == 0) return 0;
    return order_detail::padded_elements(geometry, {0, 0, height, width});
  };
  return full_rows * full_columns * padded(rows, columns) + full_rows * padded(rows, last_column) +
         full_columns * padded(last_row, columns) + padded(last_row, last_column);
}

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

std::optional<std::uint64_t> kernel_elements(const WeightGeometry& geometry) {
  return product({geometry.ofm_depth, geometry.kernel_height, geometry.kernel_width,
                  geometry.depthwise ? 1 : geometry.ifm_depth});
}

std::optional<std::uint64_t> stream_elements(const WeightGeometry& geometry) {
  if (geometry.dilation_x < 1 || geometry.dilation_x > 2 || geometry.dilation_y < 1 ||
      geometry.dilation_y > 2 || geometry.kernel_height > 65536 || geometry.kernel_width > 65536 ||
      geometry.ofm_block_depth == 0 || !kernel_elements(geometry))
    return std::nullopt;
  const std::uint64_t micro = output_micro_block(geometry.accelerator);
  const std::uint64_t block = geometry.ofm_block_depth;
  const std::uint64_t outputs =
      geometry.ofm_depth / block * rounded_up(block, micro) + rounded_up(geometry.ofm_depth % block, micro);
  const std::uint64_t inputs =
      geometry.depthwise
          ? 1
          : rounded_up(geometry.ifm_depth, geometry.part_kernel ? kInputMicroBlock : input_block(geometry));
  return product({outputs, inputs, padded_kernel(geometry)});
}

}  // namespace npubin::ethosu
