// The input formats: one table (aipp spec 3 and 6).
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "npubin/aipp.h"

namespace npubin::aipp {
namespace {

using enum InputFormat;
using P = PixelFamily;

// half_bytes counts the bytes of two pixels: YUV420SP takes 3.
constexpr std::array<FormatFacts, 20> kFormats{{
    {Yuv420Sp, "YUV420SP_U8", P::Yuv, 3, 3, false, true, 1},
    {Xrgb8888, "XRGB8888_U8", P::Rgb, 8, 3, true, true, 2},
    {Rgb888, "RGB888_U8", P::Rgb, 6, 3, false, true, 5},
    {Yuv400, "YUV400_U8", P::Grey, 2, 1, false, true, 10},
    {Nc1hwc0diFp16, "NC1HWC0DI_FP16", P::FeatureMap, 0, 0, false, false, 3},
    {Nc1hwc0diS8, "NC1HWC0DI_S8", P::FeatureMap, 0, 0, false, false, 4},
    {Argb8888, "ARGB8888_U8", P::Rgb, 8, 3, true, true, 6},
    {Yuyv, "YUYV_U8", P::Yuv, 4, 3, false, true, 7},
    {Yuv422Sp, "YUV422SP_U8", P::Yuv, 4, 3, false, true, 8},
    {Ayuv444, "AYUV444_U8", P::Yuv, 8, 3, true, true, 9},
    {Raw10, "RAW10", P::Raw, 4, 1, false, true, 11},
    {Raw12, "RAW12", P::Raw, 4, 1, false, true, 12},
    {Raw16, "RAW16", P::Raw, 4, 1, false, true, 13},
    {Raw24, "RAW24", P::Raw, 8, 1, false, true, 16},
    {Rgb16, "RGB16", P::Rgb, 0, 3, false, false, -1},
    {Rgb20, "RGB20", P::Rgb, 0, 3, false, false, -1},
    {Rgb24, "RGB24", P::Rgb, 0, 3, false, false, -1},
    {Rgb8Ir, "RGB8_IR", P::Rgb, 0, 4, false, false, -1},
    {Rgb16Ir, "RGB16_IR", P::Rgb, 0, 4, false, false, -1},
    {Rgb24Ir, "RGB24_IR", P::Rgb, 0, 4, false, false, -1},
}};

}  // namespace

const FormatFacts* find_format(InputFormat format) {
  for (const FormatFacts& facts : kFormats)
    if (facts.format == format) return &facts;
  return nullptr;
}

const FormatFacts* find_format_by_block_number(int number) {
  for (const FormatFacts& facts : kFormats)
    if (facts.block_number == number && number >= 0) return &facts;
  return nullptr;
}

std::span<const FormatFacts> all_formats() {
  return kFormats;
}

Result<std::uint64_t> image_bytes(InputFormat format, std::int64_t width, std::int64_t height) {
  const FormatFacts* facts = find_format(format);
  if (facts == nullptr)
    return refused(fmt::format("input_format {} is not in the schema", static_cast<int>(format)));
  if (facts->half_bytes == 0)
    return refused(fmt::format("the size of a {} picture is not published", facts->name));
  constexpr std::int64_t kLargestSide = std::int64_t{1} << 18;
  if (width < 0 || height < 0 || width > kLargestSide || height > kLargestSide)
    return refused(fmt::format("a picture of {} x {} pixels is beyond what npubin handles", width, height));
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * facts->half_bytes / 2;
}

Result<Layout> parse_layout(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (Layout layout : {Layout::Nchw, Layout::Nhwc, Layout::Nc1hwc0, Layout::Nc1hwc0C04}) {
    std::string known(to_string(layout));
    std::transform(known.begin(), known.end(), known.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (lower == known) return layout;
  }
  return usage_error(fmt::format("--layout {} is not known", name),
                     "layouts of AIPP output: nchw, nhwc, nc1hwc0, nc1hwc0_c04");
}

std::string_view to_string(Layout layout) {
  switch (layout) {
    case Layout::Nchw:
      return "NCHW";
    case Layout::Nhwc:
      return "NHWC";
    case Layout::Nc1hwc0:
      return "NC1HWC0";
    case Layout::Nc1hwc0C04:
      return "NC1HWC0_C04";
  }
  return "";
}

std::string rules_text(const OutputOptions& options) {
  return fmt::format("csc remainder: {}; steps of the normalisation in {}",
                     options.csc_rounding == CscRounding::Floor ? "floor" : "nearest",
                     options.precision == Precision::Half ? "fp16" : "fp32");
}

}  // namespace npubin::aipp
