// Ascend AIPP: the picture pre-processing that runs on the chip in front of a network, computed exactly.
//
//   auto pre = aipp::Preprocessor::compile(settings, network, output);
//   pre->run(image, out);   // every frame; allocates nothing
//
// The arithmetic is the published one. What the chips do with the remainder of the colour conversion's
// division by 256 is not published: CscRounding says which of the two candidates is computed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::aipp {

// Numbers of the schema (insert_op.proto). The dynamic parameter block numbers them differently.
enum class InputFormat : std::int32_t {
  Undefined = 0,
  Yuv420Sp = 1,
  Xrgb8888 = 2,
  Rgb888 = 3,
  Yuv400 = 4,
  Nc1hwc0diFp16 = 5,
  Nc1hwc0diS8 = 6,
  Argb8888 = 7,
  Yuyv = 8,
  Yuv422Sp = 9,
  Ayuv444 = 10,
  Raw10 = 11,
  Raw12 = 12,
  Raw16 = 13,
  Raw24 = 14,
  Rgb16 = 15,
  Rgb20 = 16,
  Rgb24 = 17,
  Rgb8Ir = 18,
  Rgb16Ir = 19,
  Rgb24Ir = 20,
};

enum class PixelFamily : std::uint8_t { Rgb, Yuv, Grey, Raw, FeatureMap };

struct FormatFacts {
  InputFormat format = InputFormat::Undefined;
  std::string_view name;  // as in a config: "YUV420SP_U8"
  PixelFamily family = PixelFamily::Rgb;
  std::uint8_t half_bytes = 0;   // bytes of one pixel, doubled (YUV420SP: 3); 0: size not published
  std::uint8_t channels = 3;     // what the network gets when no fourth channel is kept; 0: not fixed
  bool may_keep_fourth = false;  // a network with four channels is served as well
  bool executable = false;       // the arithmetic is published
  int block_number = -1;         // inputFormat in the dynamic parameter block; -1: not possible there
};
// nullptr for a number that the schema does not know.
NPUBIN_API const FormatFacts* find_format(InputFormat format);
NPUBIN_API const FormatFacts* find_format_by_block_number(int number);
NPUBIN_API std::span<const FormatFacts> all_formats();

// Bytes of one image of w x h pixels. Error (Refused): no published size, or one above 2^40.
NPUBIN_API Result<std::uint64_t> image_bytes(InputFormat format, std::int64_t width, std::int64_t height);

// What is to be done to one picture, every default resolved. Sizes of 0 mean "as the network's".
struct Settings {
  InputFormat format = InputFormat::Undefined;
  std::int32_t src_w = 0, src_h = 0;  // pixels of the source picture

  bool swap_rb_uv = false;  // R and B, or U and V, change places before anything else
  bool swap_ax = false;     // XRGB, ARGB, AYUV: the first byte is the one that is dropped
  bool crop = false;
  std::int32_t crop_x = 0, crop_y = 0, crop_w = 0, crop_h = 0;  // pixels in the source
  bool csc = false;
  std::array<std::int32_t, 9> matrix{};       // rows first, scaled by 256
  std::array<std::int32_t, 3> input_bias{};   // subtracted first; YUV sources only
  std::array<std::int32_t, 3> output_bias{};  // added last; RGB sources only
  bool resize = false;
  std::int32_t resize_w = 0, resize_h = 0;
  std::array<std::int32_t, 4> mean{};
  std::array<float, 4> min{};                 // stored as half by the chip
  std::array<float, 4> var_reci{1, 1, 1, 1};  // stored as half by the chip
  std::uint32_t raw_n = 8;                    // RAW: division by 2^n
  bool padding = false;
  std::int32_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;
  float padding_value = 0;  // in the network's units: written after mean, min and var
};

// The network's input. `c` counts channels as the network sees them, before any C0 blocking.
struct NetworkInput {
  std::int32_t n = 1, c = 3, h = 0, w = 0;
};

enum class Layout : std::uint8_t {
  Nchw,
  Nhwc,
  Nc1hwc0,     // N,C1,H,W,C0 with C0 = 16 for 16- and 32-bit, 32 for 8-bit elements
  Nc1hwc0C04,  // N,C1,H,W,4
};
enum class CscRounding : std::uint8_t { Floor, Nearest };
enum class Precision : std::uint8_t { Half, Single };  // of the steps of the normalisation

struct OutputOptions {
  Layout layout = Layout::Nchw;
  DType type = DType::F16;  // F16, F32 or U8
  CscRounding csc_rounding = CscRounding::Floor;
  Precision precision = Precision::Half;
  int threads = 1;     // rows are dealt out to so many threads, which live as long as the Preprocessor
  bool vector = true;  // false: the scalar reference, value by value; the result is the same
};

NPUBIN_API Result<Layout> parse_layout(std::string_view name);  // any case; Usage error otherwise
NPUBIN_API std::string_view to_string(Layout layout);
// What was applied, for reports: "csc remainder: floor; steps in fp16".
NPUBIN_API std::string rules_text(const OutputOptions& options);

// Where the pieces lie, once all sizes are known.
struct Geometry {
  std::int32_t src_w = 0, src_h = 0;
  std::int32_t crop_x = 0, crop_y = 0, crop_w = 0, crop_h = 0;  // the whole source when crop is off
  std::int32_t scaled_w = 0, scaled_h = 0;                      // after resize
  std::int32_t left = 0, right = 0, top = 0, bottom = 0;
  std::int32_t out_w = 0, out_h = 0;
  std::int32_t channels = 0;  // of the output
};
// Error (Usage): sizes that do not fit each other or the network. A network of h = w = 0 takes what comes
// out.
NPUBIN_API Result<Geometry> resolve_geometry(const Settings& settings, const NetworkInput& network);

class NPUBIN_API Preprocessor {
 public:
  // Error: Refused where no arithmetic is published, Usage where sizes do not fit.
  static Result<Preprocessor> compile(const Settings& settings, const NetworkInput& network,
                                      const OutputOptions& output);
  Preprocessor(Preprocessor&&) noexcept;
  Preprocessor& operator=(Preprocessor&&) noexcept;
  ~Preprocessor();

  const Geometry& geometry() const;
  std::uint64_t input_bytes() const;   // of one image
  std::uint64_t output_bytes() const;  // of one image
  Shape output_shape(std::int64_t images) const;
  DType output_type() const;
  // True for everything but resize, whose filter kernel is not published.
  bool bit_exact() const;

  // One image. Error (Usage): a span is too short, or `out` is not aligned to its element size. Not safe to
  // call from two threads at once.
  Result<void> run(ByteSpan image, std::span<std::byte> out);

 private:
  struct State;
  explicit Preprocessor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// ---- The dynamic parameter block: 64 + 96 N bytes, little endian -----------------------------------------

struct ParameterItem {
  bool crop = false, resize = false, padding = false, rotate = false;
  std::int32_t crop_x = 0, crop_y = 0, crop_w = 0, crop_h = 0;
  std::int32_t resize_in_w = 0, resize_in_h = 0, resize_out_w = 0, resize_out_h = 0;
  std::int32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  std::array<std::int16_t, 4> mean{};
  std::array<float, 4> min{};
  std::array<float, 4> var_reci{1, 1, 1, 1};
};

struct ParameterBlock {
  std::uint8_t format_number = 0;  // FormatFacts::block_number
  bool csc = false, swap_rb_uv = false, swap_ax = false;
  std::int32_t src_w = 0, src_h = 0;
  std::array<std::int16_t, 9> matrix{};
  std::array<std::uint8_t, 3> output_bias{};
  std::array<std::uint8_t, 3> input_bias{};
  std::vector<ParameterItem> items;  // 1..127
};

// Error (Malformed): wrong length, batch count or format number, with the offset of the fault. Reserved bytes
// are not looked at.
NPUBIN_API Result<ParameterBlock> read_parameters(ByteSpan data);
// min and var_reci are rounded to half.
NPUBIN_API std::vector<std::byte> write_parameters(const ParameterBlock& block);
// What the block asks for picture `item`. Precondition: item < items.size().
NPUBIN_API Settings settings_of(const ParameterBlock& block, std::size_t item);

// Runs a batch of images, one after the other in `images`, by one settings entry each (one entry serves all).
// Error: as compile() and run(); Usage when the number of bytes is not network.n images exactly.
NPUBIN_API Result<Tensor> run_batch(std::span<const Settings> settings, const NetworkInput& network,
                                    const OutputOptions& output, ByteSpan images);

}  // namespace npubin::aipp
