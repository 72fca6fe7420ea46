// Between the order of a stream and [output][row][column][input].
#include <fmt/format.h>

#include "ethosu/weights/codec.h"
#include "ethosu/weights/order.h"

namespace npubin::ethosu {
namespace {

struct Extent {
  std::uint64_t kernel = 0, stream = 0;
};

Result<Extent> extent_of(const WeightGeometry& geometry) {
  const auto kernel = kernel_elements(geometry), stream = stream_elements(geometry);
  if (!kernel || !stream)
    return refused(fmt::format("no weight stream can be for {} x {} x {} x {} weights with dilation {} x {}",
                               geometry.ofm_depth, geometry.kernel_height, geometry.kernel_width,
                               geometry.ifm_depth, geometry.dilation_y, geometry.dilation_x),
                   "", {}, "ETU-4005");
  return Extent{*kernel, *stream};
}

// Calls copy(stream position, kernel position, channels) for each run inside the tensor.
template <class Copy>
void for_each_run(const WeightGeometry& geometry, Copy&& copy) {
  const std::uint32_t outputs = output_micro_block(geometry.accelerator);
  const std::uint32_t inputs = geometry.depthwise ? 1 : kInputMicroBlock;
  const std::uint64_t depth = geometry.depthwise ? 1 : geometry.ifm_depth;
  const std::uint64_t row = geometry.kernel_width * depth, filter = geometry.kernel_height * row;
  std::uint64_t position = 0;
  walk_weights(geometry, [&](const WeightStep& step) {
    if (step.inside && step.input < depth) {
      const std::uint64_t here = step.ky * row + step.kx * depth + step.input;
      const auto channels = static_cast<std::uint32_t>(std::min<std::uint64_t>(inputs, depth - step.input));
      for (std::uint32_t i = 0; i < outputs && step.output + i < geometry.ofm_depth; ++i)
        copy(position + i * inputs, (step.output + i) * filter + here, channels);
    }
    position += std::uint64_t{outputs} * inputs;
  });
}

}  // namespace

Result<DecodedWeights> decode_weights(ByteSpan stream, const WeightGeometry& geometry,
                                      std::uint64_t file_offset) {
  NPUBIN_TRY(const Extent extent, extent_of(geometry));
  NPUBIN_TRY(RawWeights raw, decode_raw_weights(stream, extent.stream, file_offset));
  DecodedWeights out;
  out.values.resize(static_cast<std::size_t>(extent.kernel));
  out.bytes_consumed = raw.bytes_consumed;
  out.statistics = raw.statistics;
  for_each_run(geometry, [&](std::uint64_t from, std::uint64_t to, std::uint32_t channels) {
    std::copy_n(raw.values.data() + from, channels, out.values.data() + to);
  });
  return out;
}

Result<std::vector<std::int16_t>> to_stream_order(std::span<const std::int16_t> weights,
                                                  const WeightGeometry& geometry) {
  NPUBIN_TRY(const Extent extent, extent_of(geometry));
  if (weights.size() != extent.kernel)
    return refused(fmt::format("{} weights were given, the operator has {}", weights.size(), extent.kernel),
                   "", {}, "ETU-4005");
  std::vector<std::int16_t> out(static_cast<std::size_t>(extent.stream));
  for_each_run(geometry, [&](std::uint64_t to, std::uint64_t from, std::uint32_t channels) {
    std::copy_n(weights.data() + from, channels, out.data() + to);
  });
  return out;
}

}  // namespace npubin::ethosu
