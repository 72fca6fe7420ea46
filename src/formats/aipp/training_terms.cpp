#include "formats/aipp/training_terms.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {
namespace {

struct KnownNormalisation {
  std::string_view name;
  std::array<double, 3> mean, std;
};
constexpr std::array<KnownNormalisation, 7> kKnown{{
    {"ImageNet (torchvision), RGB", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},
    {"ImageNet (torchvision), BGR", {0.406, 0.456, 0.485}, {0.225, 0.224, 0.229}},
    {"0 to 1 (ToTensor)", {0, 0, 0}, {1, 1, 1}},
    {"-1 to 1", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}},
    {"Caffe means, BGR", {104 / 255.0, 117 / 255.0, 123 / 255.0}, {1 / 255.0, 1 / 255.0, 1 / 255.0}},
    {"Caffe means, RGB", {123 / 255.0, 117 / 255.0, 104 / 255.0}, {1 / 255.0, 1 / 255.0, 1 / 255.0}},
    {"Caffe means (103.94, 116.78, 123.68), BGR",
     {103.94 / 255, 116.78 / 255, 123.68 / 255},
     {1 / 255.0, 1 / 255.0, 1 / 255.0}},
}};

bool close(double a, double b) {
  return std::abs(a - b) <= 0.002 * std::max(1.0, std::abs(b) * 2);
}

std::string known_name(const TrainingTerms& terms) {
  if (terms.mean.size() != 3) return {};
  for (const KnownNormalisation& known : kKnown) {
    bool same = true;
    for (std::size_t i = 0; i < 3; ++i)
      same = same && close(terms.mean[i], known.mean[i]) && std::abs(terms.std[i] / known.std[i] - 1) < 0.005;
    if (same) return std::string(known.name);
  }
  return {};
}

std::string swapped(std::string_view rgb, bool swap) {
  if (!swap) return std::string(rgb);
  return rgb == "RGB" ? "BGR" : "YVU";
}

std::string list_of(const std::vector<double>& values) {
  std::string out;
  for (double value : values) out += fmt::format("{}{:.6g}", out.empty() ? "" : ", ", value);
  return "[" + out + "]";
}

}  // namespace

int channels_of(const Settings& settings) {
  const FormatFacts* facts = find_format(settings.format);
  return facts == nullptr || facts->channels == 0 ? 3 : facts->channels;
}

TrainingTerms training_terms(const Settings& s, int channels) {
  TrainingTerms out;
  out.none = true;
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
    const double offset = static_cast<double>(s.mean[c]) + static_cast<double>(s.min[c]);
    const auto var = static_cast<double>(s.var_reci[c]);
    out.none = out.none && offset == 0 && var == 1;
    out.mean.push_back(offset / 255);
    out.std.push_back(1 / (255 * var));
  }
  out.known_as = known_name(out);
  return out;
}

std::string to_string(const TrainingTerms& terms) {
  if (terms.none) return "none";
  return fmt::format("(x/255 - {}) / {}", list_of(terms.mean), list_of(terms.std));
}

std::string channel_order(const Settings& s) {
  const FormatFacts* facts = find_format(s.format);
  if (facts == nullptr) return "unknown";
  if (facts->family == PixelFamily::Grey) return "grey";
  if (facts->family == PixelFamily::Raw) return "RAW";
  if (facts->family == PixelFamily::FeatureMap) return "unknown";
  const bool yuv = facts->family == PixelFamily::Yuv;
  if (!s.csc) return swapped(yuv ? "YUV" : "RGB", s.swap_rb_uv);
  if (is_grey_recipe(s.matrix)) return "grey";
  const auto match = match_csc(s.matrix);
  if (!match || match->from_yuv != yuv) return "unknown";
  return swapped(yuv ? "RGB" : "YUV", match->reversed);
}

std::string csc_title(const Settings& s, int set_cells) {
  if (!s.csc) return {};
  const auto match = match_csc(s.matrix);
  const std::string title = is_grey_recipe(s.matrix) ? "grey"
                            : match                  ? match->title()
                                                     : "not a known standard";
  if (set_cells == 0) return "default: " + title;
  return set_cells < 9 ? fmt::format("partly default: {}", title) : title;
}

std::vector<std::string> step_list(const Settings& s, int set_cells) {
  std::vector<std::string> out;
  const FormatFacts* facts = find_format(s.format);
  const std::string name = facts == nullptr ? "undefined format" : std::string(facts->name);
  const bool yuv = facts != nullptr && facts->family == PixelFamily::Yuv;
  out.push_back(s.src_w > 0 && s.src_h > 0 ? fmt::format("read {} of {} x {}", name, s.src_w, s.src_h)
                                           : fmt::format("read {} of the network's size", name));
  if (s.swap_ax) out.push_back("drop the first byte of each pixel instead of the last");
  if (s.swap_rb_uv) out.push_back(yuv ? "swap U and V" : "swap R and B");
  if (s.crop)
    out.push_back(s.crop_w > 0 && s.crop_h > 0
                      ? fmt::format("crop {} x {} at ({}, {})", s.crop_w, s.crop_h, s.crop_x, s.crop_y)
                      : fmt::format("crop the network's size at ({}, {})", s.crop_x, s.crop_y));
  if (s.csc)
    out.push_back(fmt::format("convert colours: {}; matrix [{}], {} bias [{}]", csc_title(s, set_cells),
                              fmt::join(s.matrix, ", "), yuv ? "input" : "output",
                              fmt::join(yuv ? s.input_bias : s.output_bias, ", ")));
  if (s.resize)
    out.push_back(
        fmt::format("resize to {} x {} (the chip's filter is not published)", s.resize_w, s.resize_h));
  const TrainingTerms terms = training_terms(s, channels_of(s));
  if (!terms.none) {
    const auto n = static_cast<std::size_t>(channels_of(s));
    std::vector<float> min(s.min.begin(), s.min.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<float> var(s.var_reci.begin(), s.var_reci.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<std::int32_t> mean(s.mean.begin(), s.mean.begin() + static_cast<std::ptrdiff_t>(n));
    out.push_back(fmt::format("normalise: (pixel - [{}] - [{}]) * [{}]", fmt::join(mean, ", "),
                              fmt::join(min, ", "), fmt::join(var, ", ")));
  }
  if (s.padding)
    out.push_back(fmt::format("pad left {}, right {}, top {}, bottom {} with {}", s.pad_left, s.pad_right,
                              s.pad_top, s.pad_bottom, s.padding_value));
  return out;
}

Result<void> check_training_values(const std::vector<double>& mean, const std::vector<double>& std,
                                   std::size_t channels) {
  for (const auto& [values, name] : {std::pair{&mean, "--mean"}, std::pair{&std, "--std"}})
    if (values->size() > 1 && values->size() != channels)
      return usage_error(
          fmt::format("{} has {} values, the network {} channels", name, values->size(), channels));
  for (double value : mean)
    if (!(value >= 0 && value <= 1))
      return usage_error(fmt::format("--mean {}: means are of pixels scaled to 0..1", value),
                         "divide by 255");
  for (double value : std)
    if (!(value > 0)) return usage_error(fmt::format("--std {}: a deviation is above 0", value));
  for (double value : std)
    if (!(value > 0) || value > 1 || value < 1e-7)
      return usage_error(fmt::format("--std {}: deviations are of pixels scaled to 0..1", value),
                         "divide by 255");
  return {};
}

}  // namespace npubin::aipp
