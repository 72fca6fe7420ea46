// The order of weights in a stream (ethos-u55 spec 5), as a walk over runs.
#pragma once

#include <algorithm>

#include "ethosu/weights/geometry.h"

namespace npubin::ethosu {

// One step of the walk: for each of `output_step` output channels from `output` on, `input_step` input
// channels from `input` on, at one kernel element; channels beyond the tensor, and the whole step when
// `inside` is false, are positions that the hardware ignores.
struct WeightStep {
  std::uint32_t output = 0, input = 0;
  std::uint32_t ky = 0, kx = 0;
  bool inside = true;
};

// Input channels of a block. A depth-first stream fills every block up; a part-kernel one, or a depthwise
// one, ends with the last micro-block.
inline std::uint32_t input_block(const WeightGeometry& geometry) {
  return geometry.part_kernel || geometry.ifm_bits == 16 ? 16 : 32;
}

namespace order_detail {

// A part of the kernel that is worked on at once: at most 8/dilation rows and columns.
struct SubKernel {
  std::uint32_t y, x, height, width;
};

inline std::uint32_t padded_elements(const WeightGeometry& geometry, const SubKernel& part) {
  const std::uint32_t elements = part.height * part.width;
  std::uint32_t multiple = 1;
  if (geometry.depthwise)
    multiple = 4;
  else if (geometry.part_kernel)
    multiple = geometry.ifm_bits == 16 ? 2 : 4;
  return (elements + multiple - 1) / multiple * multiple;
}

// All steps of one sub-kernel inside one output and one input block.
template <class Visit>
void walk_sub_kernel(const WeightGeometry& geometry, const SubKernel& part, std::uint32_t output_begin,
                     std::uint32_t output_end, std::uint32_t input_begin, std::uint32_t input_end,
                     Visit&& visit) {
  const std::uint32_t output_step = output_micro_block(geometry.accelerator);
  const std::uint32_t elements = padded_elements(geometry, part);
  // Part-kernel order takes the input micro-blocks outside the kernel elements, depth-first order inside.
  const std::uint32_t outer_end = geometry.part_kernel ? input_end : input_begin + 1;
  for (std::uint32_t outer = input_begin; outer < outer_end; outer += kInputMicroBlock)
    for (std::uint32_t output = output_begin; output < output_end; output += output_step)
      for (std::uint32_t element = 0; element < elements; ++element) {
        const std::uint32_t row = element / part.width, column = element % part.width;
        const std::uint32_t inner_end = geometry.part_kernel ? outer + 1 : input_end;
        for (std::uint32_t input = outer; input < inner_end; input += kInputMicroBlock)
          visit(WeightStep{output, input, part.y + row, part.x + column, row < part.height});
      }
}

template <class Visit>
void walk_blocks(const WeightGeometry& geometry, std::uint32_t output_begin, std::uint32_t output_end,
                 std::uint32_t input_begin, std::uint32_t input_end, Visit&& visit) {
  const std::uint32_t rows = 8 / geometry.dilation_y, columns = 8 / geometry.dilation_x;
  for (std::uint32_t y = 0; y < geometry.kernel_height; y += rows)
    for (std::uint32_t x = 0; x < geometry.kernel_width; x += columns)
      walk_sub_kernel(geometry,
                      SubKernel{y, x, std::min(rows, geometry.kernel_height - y),
                                std::min(columns, geometry.kernel_width - x)},
                      output_begin, output_end, input_begin, input_end, visit);
}

}  // namespace order_detail

// Calls visit(WeightStep) in the order of the stream. Precondition: stream_elements(geometry) has a value.
template <class Visit>
void walk_weights(const WeightGeometry& geometry, Visit&& visit) {
  const std::uint32_t block = std::max(geometry.ofm_block_depth, 1u);
  const std::uint32_t step = input_block(geometry);
  const std::uint32_t inputs = geometry.depthwise ? 1 : geometry.ifm_depth;
  for (std::uint32_t output = 0; output < geometry.ofm_depth; output += block)
    for (std::uint32_t input = 0; input < inputs; input += step) {
      const bool filled_up = !geometry.depthwise && !geometry.part_kernel;
      order_detail::walk_blocks(geometry, output, std::min(output + block, geometry.ofm_depth), input,
                                filled_up ? input + step : std::min(input + step, inputs), visit);
    }
}

}  // namespace npubin::ethosu
