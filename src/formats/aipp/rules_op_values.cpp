// What the operator's build refuses about values, parity and combinations (aipp spec 2 and 3).
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "formats/aipp/rules.h"

namespace npubin::aipp {
namespace {

using F = FieldId;
using enum InputFormat;

constexpr double kLargestHalf = 65504;

// True for NaN as well: it lies in no range.
bool outside(double value, double low, double high) {
  return !(value >= low && value <= high);
}

void range(const BlockCase& c, Report& report, std::string_view code, F field, double low, double high,
           std::string_view hint) {
  for (double value : c.block.of(field).numbers)
    if (outside(value, low, high)) {
      report.add(code, field,
                 fmt::format("{} is {}, and must be within {} to {}", info(field).name, value, low, high),
                 std::string(hint));
      return;
    }
}

double largest_mean(InputFormat format) {
  switch (format) {
    case Rgb16:
    case Rgb16Ir:
      return 65535;
    case Rgb20:
      return 1048575;
    case Rgb24:
    case Rgb24Ir:
      return 16777215;
    default:
      return 255;
  }
}

void normalisation(const BlockCase& c, Report& report) {
  if (!c.is_static()) return;
  for (std::size_t i = 0; i < 4; ++i) {
    range(c, report, "AIP-0321", nth(F::mean_chn_0, i), 0, largest_mean(c.block.format()),
          "means are pixel values");
    range(c, report, "AIP-0322", nth(F::min_chn_0, i), 0, 255, "the value to subtract, in pixel values");
    range(c, report, "AIP-0323", nth(F::var_reci_chn_0, i), -kLargestHalf, kLargestHalf,
          "1 / (255 x std), stored as fp16");
  }
}

void conversion(const BlockCase& c, Report& report) {
  if (!c.is_static()) return;
  for (std::size_t i = 0; i < 9; ++i)
    range(c, report, "AIP-0324", nth(F::matrix_r0c0, i), -32768, 32767, "cells are scaled by 256");
  for (std::size_t i = 0; i < 3; ++i) {
    range(c, report, "AIP-0325", nth(F::input_bias_0, i), 0, 255, "biases are pixel values");
    range(c, report, "AIP-0325", nth(F::output_bias_0, i), 0, 255, "biases are pixel values");
  }
}

void padding_value(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::padding) || c.input == nullptr) return;
  const std::string& type = c.input->dtype;
  const std::string_view hint = "it is written after mean, min and var: give it in the network's own range";
  if (type == "uint8") range(c, report, "AIP-0320", F::padding_value, 0, 255, hint);
  if (type == "int8") range(c, report, "AIP-0320", F::padding_value, -128, 127, hint);
  if (type == "float16" || type == "fp16")
    range(c, report, "AIP-0320", F::padding_value, -kLargestHalf, kLargestHalf, hint);
}

void raw_exponent(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.chip) return;
  if (*c.chip == ChipFamily::Hi3796)
    range(c, report, "AIP-0331", F::raw_rgbir_to_f16_n, 0, 15, "the divisor is 2^n");
  if (*c.chip == ChipFamily::Ascend615)
    range(c, report, "AIP-0331", F::raw_rgbir_to_f16_n, 0, 31, "the divisor is 2^n");
}

struct Axis {
  F source, start, crop_size;
};
constexpr Axis kHorizontal{F::src_image_size_w, F::load_start_pos_w, F::crop_size_w};
constexpr Axis kVertical{F::src_image_size_h, F::load_start_pos_h, F::crop_size_h};

void even(const BlockCase& c, Report& report, F field, std::int64_t value, std::string_view what) {
  if (value % 2 != 0)
    report.add("AIP-0326", field, fmt::format("{} is {}: {} wants even numbers", what, value, c.format->name),
               "neighbouring pixels share their chroma");
}

void parity(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.format == nullptr) return;
  const InputFormat format = c.format->format;
  if (format != Yuv420Sp && format != Yuyv && format != Yuv422Sp) return;
  for (bool horizontal : {true, false}) {
    if (!horizontal && format != Yuv420Sp) continue;
    const Axis& axis = horizontal ? kHorizontal : kVertical;
    const std::int64_t own = c.block.integer(axis.source);
    const auto network = c.network(horizontal);
    const std::string_view side = horizontal ? "width" : "height";
    if (own != 0)
      even(c, report, axis.source, own, info(axis.source).name);
    else if (network)
      even(c, report, F::input_format, *network,
           fmt::format("the network's {}, which is the source's,", side));
    if (!c.block.on(F::crop)) continue;
    even(c, report, axis.start, c.block.integer(axis.start), info(axis.start).name);
    const std::int64_t size = c.block.integer(axis.crop_size);
    if (size != 0)
      even(c, report, axis.crop_size, size, info(axis.crop_size).name);
    else if (network && own != 0)
      even(c, report, axis.crop_size, *network, fmt::format("the network's {}, which is the crop's,", side));
  }
}

std::int64_t row_bytes(InputFormat format, std::int64_t width) {
  switch (format) {
    case Rgb888:
      return 3 * width;
    case Xrgb8888:
    case Argb8888:
    case Ayuv444:
    case Raw24:
      return 4 * width;
    case Yuyv:
    case Raw10:
    case Raw12:
    case Raw16:
      return 2 * width;
    default:
      return width;  // one plane of bytes: YUV400, YUV420SP, YUV422SP
  }
}

void row_units(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.format == nullptr || !c.chip || *c.chip != ChipFamily::Hi3796) return;
  const auto width = c.source(true);
  if (!width || *width < 0) return;
  if (const std::int64_t bytes = row_bytes(c.format->format, *width); bytes % 16 != 0)
    report.add("AIP-0327", F::src_image_size_w,
               fmt::format("a row of {} pixels is {} bytes: {} wants a multiple of 16", *width, bytes,
                           c.surroundings.soc),
               "pad the rows of the source");
}

struct Forbidden {
  InputFormat format;
  bool csc, resize, padding;
};
constexpr std::array<Forbidden, 12> kForbidden{{
    {Yuv400, true, false, false},
    {Raw10, true, true, true},
    {Raw12, true, true, true},
    {Raw16, true, true, true},
    {Raw24, true, true, true},
    {Nc1hwc0diFp16, true, true, true},
    {Nc1hwc0diS8, true, true, true},
    {Rgb20, true, true, true},
    {Rgb24, true, true, true},
    {Rgb16Ir, true, true, true},
    {Rgb24Ir, true, true, true},
    {Rgb16, true, true, false},
}};

void combinations(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.format == nullptr) return;
  Forbidden row{c.format->format, false, c.format->format == Rgb8Ir, c.format->format == Rgb8Ir};
  for (const Forbidden& known : kForbidden)
    if (known.format == c.format->format) row = known;
  const auto refuse = [&](bool forbidden, std::string_view code, F field) {
    if (forbidden && c.block.on(field))
      report.add(code, field, fmt::format("{} goes without {}", c.format->name, info(field).name),
                 fmt::format("set {}: false", info(field).name));
  };
  refuse(row.csc, "AIP-0328", F::csc_switch);
  refuse(row.resize, "AIP-0329", F::resize);
  refuse(row.padding, "AIP-0330", F::padding);
}

void dynamic_buffer(const BlockCase& c, Report& report) {
  if (!c.block.is_dynamic() || !c.surroundings.dynamic_image || c.block.integer(F::max_src_image_size) == 0)
    return;
  const DynamicImage& image = *c.surroundings.dynamic_image;
  const auto bytes = image_bytes(image.format, image.w, image.h);
  if (!bytes) return;
  std::int64_t batch = c.input != nullptr ? c.input->n : 1;
  for (std::int64_t size : c.surroundings.batch_list) batch = std::max(batch, size);
  const double wanted = static_cast<double>(*bytes) * static_cast<double>(batch);
  if (wanted > c.block.number(F::max_src_image_size))
    report.add(
        "AIP-0332", F::max_src_image_size,
        fmt::format("max_src_image_size is {:.0f}; {} picture{} of {} bytes need {:.0f}",
                    c.block.number(F::max_src_image_size), batch, batch == 1 ? "" : "s", *bytes, wanted),
        "set it to N x bytes of the largest picture");
}

constexpr std::array<BlockRule, 8> kValueRules{normalisation, conversion, padding_value, raw_exponent,
                                               parity,        row_units,  combinations,  dynamic_buffer};

}  // namespace

std::span<const BlockRule> op_value_rules() {
  return kValueRules;
}

}  // namespace npubin::aipp
