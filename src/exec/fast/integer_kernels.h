// 8-bit convolutions and additions, equal to the reference to the byte: sums of products in 32 bits, then by
// TensorFlow Lite's rules the exact fixed-point requantisation (tflite spec 2, "mul"), by Arm NN's rounding
// of what the sum stands for, but for doubts. One table of functions for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace npubin::exec::fast {

// Channels are kept in panels of 16; all arrays are padded to whole panels.
inline constexpr std::size_t kPanel = 16;
// Bytes that may be read beyond the last one that counts of any source row.
inline constexpr std::size_t kSlack = 64;

// By place: the output channel itself, or where a kernel wants them in another order.
struct Requantization {
  std::vector<std::int32_t> mantissa, left_shift, right_shift;
  // The same in float32 where every right shift is at least 1 (`quick`): round(sum * scale +- offset), the
  // offset with the sum's sign, is the exact code unless it lies closer than kDoubt to a half. offset =
  // 2^-(shift + 1) is what the first of the two roundings adds.
  std::vector<float> scale, offset;
  bool quick = false;
  // Arm NN's rules, where not empty: round(sum * scale), halves away from zero.
  std::vector<float> real_scale;
  // As many; empty where the reference's float32 sums are exact. What lies closer than this to a half is left
  // to `Doubts`.
  std::vector<float> doubt;
  std::int32_t zero_point = 0, low = -128, high = 127;  // of the output
};

// Four float32 roundings (without fused multiplication) of numbers below 257: 257 * 4 * 2^-24, and a little
// more.
inline constexpr float kDoubt = 8e-5f;

// Outputs that a kernel leaves undecided. Their codes are written, but may be one step away.
struct Doubts {
  // A kernel makes room for all the outputs that it computes at a time.
  static constexpr std::size_t kMost = 1024, kAtATime = 512;

  void (*settle)(void* context, const std::uint32_t* outputs, std::size_t count) = nullptr;
  void* context = nullptr;
  std::size_t count = 0;
  std::uint32_t outputs[kMost];  // indices into the codes that the call writes

  void make_room() {
    if (count > kMost - kAtATime) flush();
  }
  void add(std::size_t output) { outputs[count++] = static_cast<std::uint32_t>(output); }
  void flush() {
    if (count > 0) settle(context, outputs, count);
    count = 0;
  }
};

// A product: every output pixel sums `segments` runs of `depth` unsigned bytes. depth is a multiple of 4.
struct IntegerProduct {
  std::size_t segments = 0, depth = 0, outputs = 0;
  // [panel][segment][depth / 4][16][4]
  std::vector<std::int8_t> weights;
  // bias - (128 + input zero point) * sum of weights: sources hold codes + 128.
  std::vector<std::int32_t> start;
  Requantization requantization;
};

// The code of one sum, in integers (or by Arm NN's rules, but for doubts).
std::int8_t requantized_exactly(std::int32_t sum, const Requantization& r, std::size_t place);
// By Arm NN's rules: may the reference give another code?
bool in_doubt(std::int32_t sum, const Requantization& r, std::size_t place);

// What of a product is computed.
struct ProductCall {
  const std::uint8_t* const* segments;  // where each segment of the first pixel begins
  std::size_t step;                     // from one pixel's segments to the next one's
  std::size_t pixels;
  std::size_t first_panel, last_panel;  // of outputs; multiples of kPanelsTogether, or the end
  std::int8_t* out;                     // [pixels][outputs], of all panels
  Doubts* doubts = nullptr;             // where there is Requantization::doubt
};
inline constexpr std::size_t kPanelsTogether = 4;

// Depthwise with one output per input channel, over rows of pixels taken as one run of bytes: output i sums
// source[tap][i] over the taps. What belongs to channels is kept in one of two orders: for kernels that go on
// with any channel, by place: channels, then the first ones again until there are kSlack more; for those that
// take 64 outputs at a time, as many blocks as it takes until one begins with channel 0 again.
struct IntegerDepthwise {
  std::size_t taps = 0, channels = 0, blocks = 0;
  // [pair of taps][place][2]
  std::vector<std::int8_t> pairs;
  std::vector<std::int32_t> start;  // as above; by place
  Requantization requantization;    // by place
  // [block][4 taps][4 groups][lane of 16][4]; channels in the order that interleaving gives.
  std::vector<std::int8_t> quads;
  std::vector<std::int32_t> start_blocks;  // [block][4 groups][16], as quads
  Requantization requantization_blocks;    // as quads

  std::size_t places() const { return channels + kSlack; }
};

// Channel of lane `lane` in group `group` of a block of 64, as 8-bit and 16-bit interleaving within 128-bit
// lanes leaves them.
constexpr std::size_t interleaved_place(std::size_t group, std::size_t lane) {
  return lane / 4 * 16 + group * 4 + lane % 4;
}

// ADD with two operands of one shape.
struct IntegerAdd {
  std::int32_t zero_a = 0, zero_b = 0;
  std::int32_t mantissa_a = 0, mantissa_b = 0, mantissa_out = 0;
  int right_a = 0, right_b = 0, right_out = 0;  // right shifts; the left shift of 20 is common
  std::int32_t zero_out = 0, low = -128, high = 127;
  // round(a * factor_a + (b * factor_b + constant)) in float32, halves to even; what lies closer than `doubt`
  // to a half is computed exactly. Only where all 65536 pairs were tried and gave the exact codes.
  float factor_a = 0, factor_b = 0, constant = 0, doubt = 0;
};

struct IntegerKernels {
  const char* instructions;
  // Which of IntegerDepthwise's two orders `depthwise` reads; the other stays empty.
  bool depthwise_in_blocks;
  void (*product)(const IntegerProduct& product, const ProductCall& call);
  // taps: where each tap of output 0, which is of channel 0, lies. Writes `count` codes. doubts: where there
  // is Requantization::doubt.
  void (*depthwise)(const IntegerDepthwise& depthwise, const std::uint8_t* const* taps, std::size_t count,
                    std::int8_t* out, Doubts* doubts);
  // to = from + 128, for `pixels` runs of `size` codes.
  void (*flip)(const std::int8_t* from, std::size_t from_step, std::uint8_t* to, std::size_t to_step,
               std::size_t size, std::size_t pixels);
  void (*add)(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
              std::size_t count);
  // As `add`, by the float32 form.
  void (*add_quickly)(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                      std::size_t count);
};

const IntegerKernels& generic_kernels();
// limit: "sse4", or anything else for the best there is.
const IntegerKernels* highway_kernels(std::string_view limit);
// nullptr where they are not compiled; says nothing about the machine.
const IntegerKernels* vnni_kernels();
// The best that this machine has and NPUBIN_MAX_ISA allows.
const IntegerKernels& integer_kernels();

}  // namespace npubin::exec::fast
