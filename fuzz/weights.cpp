// Weight streams: arbitrary bytes decode or are refused; what decodes is coded again and decodes to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ethosu/weights/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  using namespace npubin::ethosu;
  if (size < 8) return 0;
  constexpr Accelerator kAll[] = {Accelerator::U55_32, Accelerator::U55_64, Accelerator::U55_128,
                                  Accelerator::U55_256};
  WeightGeometry geometry;
  geometry.ofm_depth = data[0] + 1u;
  geometry.ifm_depth = data[1] + 1u;
  geometry.kernel_height = data[2] % 12 + 1u;
  geometry.kernel_width = data[3] % 12 + 1u;
  geometry.dilation_y = (data[4] & 1) + 1u;
  geometry.dilation_x = (data[4] >> 1 & 1) + 1u;
  geometry.depthwise = (data[4] & 4) != 0;
  geometry.part_kernel = (data[4] & 8) != 0;
  geometry.ifm_bits = (data[4] & 16) != 0 ? 16 : 8;
  geometry.accelerator = kAll[data[4] >> 5 & 3];
  geometry.ofm_block_depth = data[5] % 128 + 1u;
  const ByteSpan stream{reinterpret_cast<const std::byte*>(data) + 6, size - 6};
  const auto decoded = decode_weights(stream, geometry);
  if (decoded) {
    const auto again = encode_weights(decoded->values, geometry);
    const auto back = again ? decode_weights(*again, geometry) : decoded;
    if (!again || !back || back->values != decoded->values) std::abort();
  }
  // Bytes as weights: every sequence survives.
  std::vector<std::int16_t> weights;
  for (const std::byte byte : stream) weights.push_back(static_cast<std::int8_t>(byte));
  const auto coded = encode_raw_weights(weights);
  if (!coded) std::abort();
  const auto back = decode_raw_weights(*coded, weights.size());
  if (!back || back->values != weights) std::abort();
  return 0;
}
