// Sums of products to codes with a multiplier for each channel, as CodeProduct::finish of TensorFlow Lite's
// reference does it (tflite spec 2 and 5); compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {

struct ChannelScales {
  std::vector<tflite::Multiplier> multipliers;
  std::vector<std::int64_t> bias;
  std::int64_t zero_point = 0, low = 0, high = 0;
  bool wide = false;  // 64-bit sums, rounded once
};

// The numbers of the kernels, by channel; those of whole vectors are padded.
struct ChannelFinish {
  bool wide = false;
  std::int32_t zero_point = 0, low = 0, high = 0;
  // 32-bit sums: mul(sum + bias) = rdp(srdhm((sum + bias) << left, mantissa), right)
  std::vector<std::int32_t> bias, mantissa, left, right;
  // 64-bit sums: ((sum + wide_bias) * factor + half) >> shift
  std::vector<std::int64_t> wide_bias, factor, half, shift;
};
// nullopt where a shift is none that the kernels take.
std::optional<ChannelFinish> channel_finish(const ChannelScales& scales);

// `pixels` rows of `width` sums, of which the first `channels` count; the codes lie together.
struct SumRows {
  std::size_t pixels, width, channels;
};
void finish_sums(const ChannelFinish& finish, const std::int32_t* sums, const SumRows& rows,
                 std::uint8_t* out);
void finish_sums(const ChannelFinish& finish, const std::int32_t* sums, const SumRows& rows,
                 std::int16_t* out);
void finish_sums(const ChannelFinish& finish, const std::int64_t* sums, const SumRows& rows,
                 std::int16_t* out);

}  // namespace npubin::exec::fast
