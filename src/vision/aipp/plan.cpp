#include "vision/aipp/plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "npubin/half.h"

namespace npubin::aipp {
namespace {

using enum InputFormat;

float to_half_and_back(float value) {
  return half_to_float(float_to_half(value));
}

bool pairs_columns(InputFormat format) {
  return format == Yuv420Sp || format == Yuv422Sp || format == Yuyv;
}

Result<const FormatFacts*> runnable(const Settings& settings, const OutputOptions& output) {
  const FormatFacts* facts = find_format(settings.format);
  if (facts == nullptr)
    return refused(fmt::format("input_format {} is not in the schema", static_cast<int>(settings.format)));
  if (!facts->executable)
    return refused(fmt::format("{} has no published arithmetic", facts->name),
                   "its configs can be checked and inspected, but not executed");
  if (output.type == DType::I8)
    return refused("the arithmetic from uint8 pixels to an int8 network is not published",
                   "give --dtype float16 or uint8");
  if (output.type != DType::F16 && output.type != DType::F32 && output.type != DType::U8)
    return usage_error(fmt::format("AIPP writes float16, float32 or uint8, not {}", numpy_name(output.type)));
  if (facts->family == PixelFamily::Raw && output.type == DType::U8)
    return refused(fmt::format("{} to uint8 has no published formula", facts->name), "give --dtype float16");
  return facts;
}

// Combinations that no chip takes: running them would show something that never happens (aipp spec 3).
Result<void> check_combination(const Settings& s, const FormatFacts& facts) {
  if (facts.family == PixelFamily::Raw && (s.csc || s.resize || s.padding))
    return refused(fmt::format("{} goes without csc, resize and padding", facts.name));
  if (facts.family == PixelFamily::Grey && s.csc)
    return refused(fmt::format("{} goes without csc", facts.name));
  if (s.csc) {
    const auto fits = [](std::int32_t low, std::int32_t high) {
      return [=](std::int32_t value) { return value >= low && value <= high; };
    };
    if (!std::all_of(s.matrix.begin(), s.matrix.end(), fits(-32768, 32767)))
      return usage_error("a matrix cell is out of the range of int16");
    if (!std::all_of(s.input_bias.begin(), s.input_bias.end(), fits(0, 255)) ||
        !std::all_of(s.output_bias.begin(), s.output_bias.end(), fits(0, 255)))
      return usage_error("a bias is out of the range 0 to 255");
  }
  if (facts.family == PixelFamily::Raw && s.raw_n > 31)
    return usage_error(fmt::format("raw_rgbir_to_f16_n is {}, and must be within 0 to 31", s.raw_n));
  return {};
}

Result<void> check_parity(const Settings& s, const Geometry& g, const FormatFacts& facts) {
  if (!pairs_columns(s.format)) return {};
  const bool columns = (g.src_w | g.crop_x | g.crop_w) % 2 == 0;
  const bool rows = s.format != Yuv420Sp || (g.src_h | g.crop_y | g.crop_h) % 2 == 0;
  if (columns && rows) return {};
  return usage_error(fmt::format("{} wants even sizes and corners: source {} x {}, crop {} x {} at {},{}",
                                 facts.name, g.src_w, g.src_h, g.crop_w, g.crop_h, g.crop_x, g.crop_y),
                     "neighbouring pixels share their chroma");
}

Result<int> loaded_channels(const Settings& s, const FormatFacts& facts, std::int32_t channels) {
  if (channels == facts.channels) return facts.channels;
  if (channels == 4 && facts.may_keep_fourth) return 4;
  // The grey recipe on a network with one channel gives channel 0 (aipp spec 9).
  const bool grey =
      s.csc && std::all_of(s.matrix.begin() + 3, s.matrix.end(), [](auto cell) { return cell == 0; });
  if (channels == 1 && grey) return facts.channels;
  return usage_error(
      fmt::format("{} gives {} channels, the network has {}", facts.name, facts.channels, channels),
      "check the order of --network-shape: N,C,H,W");
}

// Which byte of an interleaved pixel becomes which channel, swaps included (aipp spec 4 and 9).
std::array<std::uint8_t, 4> byte_order(const Settings& s) {
  if (s.format == Rgb888)
    return s.swap_rb_uv ? std::array<std::uint8_t, 4>{2, 1, 0, 0} : std::array<std::uint8_t, 4>{0, 1, 2, 0};
  std::array<std::uint8_t, 4> order =
      s.swap_ax ? std::array<std::uint8_t, 4>{1, 2, 3, 0} : std::array<std::uint8_t, 4>{0, 1, 2, 3};
  if (s.swap_rb_uv) std::swap(order[s.format == Ayuv444 ? 1 : 0], order[2]);
  return order;
}

Conversion conversion_of(const Settings& s, PixelFamily family, CscRounding rounding) {
  Conversion out;
  for (std::size_t row = 0; row < 3; ++row) {
    std::int32_t constant = rounding == CscRounding::Nearest ? 128 : 0;
    for (std::size_t i = 0; i < 3; ++i) {
      out.cells[row][i] = static_cast<std::int16_t>(s.matrix[3 * row + i]);
      if (family == PixelFamily::Yuv) constant -= s.matrix[3 * row + i] * s.input_bias[i];
    }
    if (family == PixelFamily::Rgb) constant += s.output_bias[row] * 256;
    out.constants[row] = constant;
  }
  return out;
}

void fill_tables(Plan& plan) {
  for (std::size_t c = 0; c < 4; ++c) {
    Normalisation& n = plan.normalisation[c];
    n.mean = plan.settings.mean[c];
    n.min = to_half_and_back(plan.settings.min[c]);
    n.var_reci = to_half_and_back(plan.settings.var_reci[c]);
    n.half_steps = plan.output.precision == Precision::Half;
    for (std::int32_t pixel = 0; pixel < 256; ++pixel) {
      const float value = n.of_pixel(pixel);
      plan.single_tables[c][static_cast<std::size_t>(pixel)] = value;
      plan.half_tables[c][static_cast<std::size_t>(pixel)] = float_to_half(value);
    }
  }
}

void fill_padding(Plan& plan) {
  const float value = plan.settings.padding_value;
  plan.pad_single = value;
  plan.pad_half = float_to_half(value);
  const float level = std::nearbyint(value);
  plan.pad_byte = level >= 255 ? 255 : level > 0 ? static_cast<std::uint8_t>(level) : 0;
}

Result<void> size_output(Plan& plan) {
  if (plan.output.layout == Layout::Nc1hwc0) plan.c0 = plan.output.type == DType::U8 ? 32 : 16;
  if (plan.output.layout == Layout::Nc1hwc0C04) plan.c0 = 4;
  const Geometry& g = plan.geometry;
  const std::int64_t channels = plan.c0 > 1 ? plan.c0 : g.channels;
  const std::int64_t count = std::int64_t{g.out_w} * g.out_h * channels;
  plan.output_bytes = static_cast<std::uint64_t>(count) * plan.element_size();
  constexpr std::uint64_t kLargest = std::uint64_t{2} << 30;
  if (plan.output_bytes > kLargest || plan.input_bytes > kLargest)
    return refused(fmt::format("a picture of {} x {} pixels needs more than 2 GiB", g.out_w, g.out_h));
  return {};
}

}  // namespace

float Normalisation::of_pixel(std::int32_t pixel) const {
  const auto shifted = static_cast<float>(std::int64_t{pixel} - std::int64_t{mean});
  if (!half_steps) return (shifted - min) * var_reci;
  return to_half_and_back(to_half_and_back(to_half_and_back(shifted) - min) * var_reci);
}

float Normalisation::of_raw(std::uint32_t pixel, std::uint32_t n) const {
  const auto shifted = static_cast<float>(std::int64_t{pixel} - std::int64_t{mean});
  const float scaled = to_half_and_back(std::nearbyint(std::ldexp(shifted, -static_cast<int>(n))));
  const float difference = half_steps ? to_half_and_back(scaled - min) : scaled - min;
  const float product = std::max(difference, 0.0f) * var_reci;
  return half_steps ? to_half_and_back(product) : product;
}

std::uint8_t Conversion::of(int row, std::int32_t a, std::int32_t b, std::int32_t c) const {
  const auto& m = cells[static_cast<std::size_t>(row)];
  const std::int32_t sum = m[0] * a + m[1] * b + m[2] * c + constants[static_cast<std::size_t>(row)];
  return static_cast<std::uint8_t>(std::clamp(sum >> 8, 0, 255));
}

Result<Plan> make_plan(const Settings& settings, const NetworkInput& network, const OutputOptions& output) {
  NPUBIN_TRY(const FormatFacts* facts, runnable(settings, output));
  NPUBIN_CHECK(check_combination(settings, *facts));
  NPUBIN_TRY(const Geometry geometry, resolve_geometry(settings, network));
  NPUBIN_CHECK(check_parity(settings, geometry, *facts));
  NPUBIN_TRY(const int loaded, loaded_channels(settings, *facts, network.c));
  Plan plan;
  plan.settings = settings;
  plan.geometry = geometry;
  plan.output = output;
  plan.facts = facts;
  plan.loaded = loaded;
  plan.byte_order = byte_order(settings);
  plan.csc = settings.csc;
  plan.conversion = conversion_of(settings, facts->family, output.csc_rounding);
  fill_tables(plan);
  fill_padding(plan);
  NPUBIN_TRY(plan.input_bytes, image_bytes(settings.format, geometry.src_w, geometry.src_h));
  NPUBIN_CHECK(size_output(plan));
  return plan;
}

}  // namespace npubin::aipp
