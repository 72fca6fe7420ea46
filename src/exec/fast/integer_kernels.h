// 8-bit convolutions by TensorFlow Lite's rules, equal to the reference to the byte: sums of products in 32
// bits, then the exact fixed-point requantisation (tflite spec 2, "mul").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::exec::fast {

// Channels are kept in panels of 16; all arrays are padded to whole panels.
inline constexpr std::size_t kPanel = 16;

struct Requantization {
  std::vector<std::int32_t> mantissa, left_shift, right_shift;  // per channel, padded
  // Arm NN's rules, where not empty: round(sum * scale), halves away from zero.
  std::vector<float> scale;
  std::int32_t zero_point = 0, low = -128, high = 127;  // of the output
};

// A product: every output pixel sums `segments` runs of `depth` bytes, each run anywhere in memory (the
// pixels of a window, or one gathered row). depth is a multiple of 4.
struct IntegerProduct {
  std::size_t segments = 0, depth = 0, outputs = 0;
  // [panel][segment][depth / 4][16][4]
  std::vector<std::int8_t> weights;
  // bias - (128 + input zero point) * sum of weights: sources are read as unsigned, 128 too large.
  std::vector<std::int32_t> start;
  Requantization requantization;
};

// `rows`: for each of `pixels` outputs, `segments` pointers. Writes pixels * outputs codes.
void run_product_vnni(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t pixels,
                      std::int8_t* out);
void run_product_generic(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t pixels,
                         std::int8_t* out);

// Depthwise with one output per input channel: every output pixel sums `taps` pixels of `channels` codes.
struct IntegerDepthwise {
  std::size_t taps = 0, channels = 0;
  // [tap][channel]
  std::vector<std::int8_t> weights;
  // The same for VNNI: [block of 64][4 taps][4 groups][lane of 16][4]; channels in the order that
  // interleaving gives.
  std::vector<std::int8_t> quads;
  std::vector<std::int32_t> start;         // as above; in plain order
  std::vector<std::int32_t> start_blocks;  // [block of 64][4 groups][16], as quads
  Requantization requantization;           // plain order
  Requantization requantization_blocks;    // as quads
};
void run_depthwise_vnni(const IntegerDepthwise& depthwise, const std::int8_t* const* rows, std::size_t pixels,
                        std::int8_t* out);
void run_depthwise_generic(const IntegerDepthwise& depthwise, const std::int8_t* const* rows,
                           std::size_t pixels, std::int8_t* out);

// Channel of lane `lane` in group `group` of a block of 64, as 8-bit and 16-bit interleaving within 128-bit
// lanes leaves them.
constexpr std::size_t interleaved_channel(std::size_t group, std::size_t lane) {
  return lane / 4 * 16 + group * 4 + lane % 4;
}

// ADD with two operands of one shape.
struct IntegerAdd {
  std::int32_t zero_a = 0, zero_b = 0;
  std::int32_t mantissa_a = 0, mantissa_b = 0, mantissa_out = 0;
  int right_a = 0, right_b = 0, right_out = 0;  // right shifts; the left shift of 20 is common
  std::int32_t zero_out = 0, low = -128, high = 127;
};
void run_add_vnni(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                  std::size_t count);
void run_add_generic(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                     std::size_t count);

}  // namespace npubin::exec::fast
