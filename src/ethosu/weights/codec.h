// Weight streams of the Ethos-U55: decoding to weights, and encoding again without loss.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ethosu/weights/geometry.h"
#include "ethosu/weights/statistics.h"
#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::ethosu {

struct DecodedWeights {
  // [ofm_depth][kernel_height][kernel_width][ifm_depth] (ifm_depth 1 for depthwise), -255..255; the zero
  // point is already off.
  std::vector<std::int16_t> values;
  // Bytes up to the end mark of the last weight; what follows in the stream is padding.
  std::uint64_t bytes_consumed = 0;
  WeightStatistics statistics;
};

// Decodes one operator's weights. `file_offset` is that of stream[0], for messages. Errors carry the byte
// offset inside the file:
//   Malformed ETU-4001: the stream ends inside a slice
//   Malformed ETU-4002: more weights than the operator has
//   Malformed ETU-4003: fewer weights than the operator has
//   Malformed ETU-4004: a slice that cannot be: no palette yet, a weight beyond 9 bits
//   Refused   ETU-4005: a geometry that no stream can have
Result<DecodedWeights> decode_weights(ByteSpan stream, const WeightGeometry& geometry,
                                      std::uint64_t file_offset = 0);

struct RawWeights {
  std::vector<std::int16_t> values;  // in the order of the stream, padded positions included
  std::uint64_t bytes_consumed = 0;
  WeightStatistics statistics;
};

// Decodes exactly `count` weights in the order of the stream. Errors as above.
Result<RawWeights> decode_raw_weights(ByteSpan stream, std::uint64_t count, std::uint64_t file_offset = 0);

// Weights in the order of the stream (padded positions are 0) from weights in kernel order.
// Error (Refused): a geometry that no stream can have, or another number of weights.
Result<std::vector<std::int16_t>> to_stream_order(std::span<const std::int16_t> weights,
                                                  const WeightGeometry& geometry);

// A stream that decodes to these weights, filled up with end marks to a multiple of 16 bytes.
// Error (Refused ETU-4006): a weight outside -255..255; ETU-4005 as above.
Result<std::vector<std::byte>> encode_raw_weights(std::span<const std::int16_t> weights);
Result<std::vector<std::byte>> encode_weights(std::span<const std::int16_t> weights,
                                              const WeightGeometry& geometry);

}  // namespace npubin::ethosu
