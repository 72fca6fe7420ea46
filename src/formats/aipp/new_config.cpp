#include "formats/aipp/new_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "formats/aipp/training_terms.h"
#include "npubin/half.h"
#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {
namespace {

struct InputKind {
  std::string_view name;
  InputFormat format;
  bool bgr;  // the bytes come blue first, or V before U
  bool ax;   // the unused byte comes first
  std::string_view about;
};
constexpr std::array<InputKind, 11> kInputs{{
    {"nv12", InputFormat::Yuv420Sp, false, false, "NV12: luma plane, then U and V in turn"},
    {"nv21", InputFormat::Yuv420Sp, true, false, "NV21: luma plane, then V and U in turn"},
    {"rgb", InputFormat::Rgb888, false, false, "three bytes a pixel: R, G, B"},
    {"bgr", InputFormat::Rgb888, true, false, "three bytes a pixel: B, G, R"},
    {"xrgb", InputFormat::Xrgb8888, false, true, "four bytes a pixel: unused, R, G, B"},
    {"rgbx", InputFormat::Xrgb8888, false, false, "four bytes a pixel: R, G, B, unused"},
    {"xbgr", InputFormat::Xrgb8888, true, true, "four bytes a pixel: unused, B, G, R"},
    {"bgrx", InputFormat::Xrgb8888, true, false, "four bytes a pixel: B, G, R, unused"},
    {"yuyv", InputFormat::Yuyv, false, false, "YUYV: Y0 U Y1 V (Hi3796 only)"},
    {"grey", InputFormat::Yuv400, false, false, "one byte a pixel: luma"},
    {"gray", InputFormat::Yuv400, false, false, "one byte a pixel: luma"},
}};

Result<const InputKind*> input_kind(const std::string& name) {
  for (const InputKind& kind : kInputs)
    if (kind.name == name) return &kind;
  return usage_error(fmt::format("--input {} is not known", name),
                     "nv12, nv21, rgb, bgr, xrgb, rgbx, xbgr, bgrx, yuyv, grey");
}

// One axis: where the crop begins and how long it is, and what is padded.
struct FittedAxis {
  std::int32_t start = 0, size = 0, before = 0, after = 0;
};

Result<FittedAxis> fit(std::string_view name, std::int32_t src, std::int32_t net, std::int32_t start,
                       std::int32_t size, bool even) {
  FittedAxis out{start, size, 0, 0};
  if (size <= 0 || start < 0 || start + size > src)
    return usage_error(
        fmt::format("the crop's {} ({} + {}) lies outside the source ({})", name, start, size, src));
  const std::int32_t missing = net - size;
  if (missing < 0)
    return usage_error(
        fmt::format("the {} of {} does not fit a network of {}: these chips do not scale", name, size, net),
        "crop to the network's size (--crop center), or scale the picture before it gets to the chip");
  out.before = missing / 2;
  out.after = missing - out.before;
  if (out.after > 32)
    return usage_error(
        fmt::format("the {} needs {} pixels of padding on one side; 32 is the most", name, out.after),
        "pad or scale the picture before it gets to the chip");
  if (even && (start % 2 != 0 || size % 2 != 0))
    return usage_error(fmt::format("the crop's {} must be even for YUV: {} + {}", name, start, size));
  return out;
}

Result<FittedAxis> fit_axis(const TrainingPipeline& p, bool horizontal, bool even) {
  const std::int32_t src = horizontal ? p.src_w : p.src_h;
  const std::int32_t net = horizontal ? p.net_w : p.net_h;
  const std::string_view name = horizontal ? "width" : "height";
  if (p.crop) return fit(name, src, net, (*p.crop)[horizontal ? 0 : 1], (*p.crop)[horizontal ? 2 : 3], even);
  if (!p.crop_center) return fit(name, src, net, 0, src, even);
  const std::int32_t size = std::min(src, net);
  std::int32_t start = (src - size) / 2;
  if (even) start &= ~1;
  return fit(name, src, net, start, size, even);
}

void add_colours(const TrainingPipeline& p, const InputKind& kind, const CscStandard* standard,
                 std::string& out) {
  const FormatFacts& facts = *find_format(kind.format);
  const bool yuv = facts.family == PixelFamily::Yuv;
  const bool want_bgr = p.order == "bgr";
  if (kind.ax) out += "  ax_swap_switch: true  # the unused byte comes first\n";
  if (yuv ? kind.bgr : facts.family == PixelFamily::Rgb && p.order != "grey" && kind.bgr != want_bgr)
    out += fmt::format("  rbuv_swap_switch: true  # {}\n",
                       yuv ? "V comes before U"
                           : fmt::format("the bytes come {}, the network takes {}",
                                         kind.bgr ? "B, G, R" : "R, G, B", want_bgr ? "BGR" : "RGB"));
  if (p.order == "grey" && facts.family != PixelFamily::Grey) {
    Matrix grey{256, 0, 0, 0, 0, 0, 0, 0, 0};
    if (!yuv) grey = kind.bgr ? Matrix{30, 150, 76, 0, 0, 0, 0, 0, 0} : Matrix{76, 150, 30, 0, 0, 0, 0, 0, 0};
    out += "\n  # only luma reaches the network\n  csc_switch: true\n";
    for (std::size_t i = 0; i < 9; ++i) out += fmt::format("  matrix_r{}c{}: {}\n", i / 3, i % 3, grey[i]);
    for (std::size_t i = 0; i < 3; ++i) out += fmt::format("  {}_bias_{}: 0\n", yuv ? "input" : "output", i);
    return;
  }
  if (!yuv) return;
  out += fmt::format("\n  # {} to {}\n  csc_switch: true\n", standard->title, want_bgr ? "BGR" : "RGB");
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      out +=
          fmt::format("  matrix_r{}c{}: {}\n", row, i, standard->to_rgb[3 * (want_bgr ? 2 - row : row) + i]);
  for (std::size_t i = 0; i < 3; ++i) out += fmt::format("  input_bias_{}: {}\n", i, standard->input_bias[i]);
}

void add_normalisation(const TrainingPipeline& p, std::size_t channels, std::string& out) {
  if (p.mean.empty() && p.std.empty()) return;
  const auto pick = [](const std::vector<double>& values, std::size_t c, double otherwise) {
    return values.empty() ? otherwise : values[values.size() == 1 ? 0 : c];
  };
  out += "\n  # (x/255 - mean) / std = (x - 255 mean) * 1/(255 std); the chip keeps both as fp16\n";
  for (std::size_t c = 0; c < channels; ++c) {
    const double min = pick(p.mean, c, 0) * 255;
    out += fmt::format("  min_chn_{}: {:.9g}  # 255 x {:.9g}; {:.9g} in fp16\n", c, min, pick(p.mean, c, 0),
                       half_to_float(float_to_half(static_cast<float>(min))));
  }
  for (std::size_t c = 0; c < channels; ++c) {
    const double std = pick(p.std, c, 1);
    const double var = 1 / (255 * std);
    out += fmt::format("  var_reci_chn_{}: {:.9g}  # 1 / (255 x {:.9g})\n", c, var, std);
  }
}

void add_geometry(const TrainingPipeline& p, const FittedAxis& w, const FittedAxis& h, std::string& out) {
  if (w.size != p.src_w || h.size != p.src_h)
    out += fmt::format(
        "\n  crop: true\n  load_start_pos_w: {}\n  load_start_pos_h: {}\n  crop_size_w: {}\n"
        "  crop_size_h: {}\n",
        w.start, h.start, w.size, h.size);
  if (w.before + w.after + h.before + h.after == 0) return;
  out += fmt::format(
      "\n  padding: true  # written after the normalisation: in the network's own units\n"
      "  left_padding_size: {}\n  right_padding_size: {}\n  top_padding_size: {}\n"
      "  bottom_padding_size: {}\n  padding_value: {:.9g}\n",
      w.before, w.after, h.before, h.after, p.padding_value);
}

}  // namespace

Result<WrittenConfig> write_config(const TrainingPipeline& p) {
  NPUBIN_TRY(const InputKind* kind, input_kind(p.input));
  const FormatFacts& facts = *find_format(kind->format);
  if (p.order != "rgb" && p.order != "bgr" && p.order != "grey")
    return usage_error(fmt::format("--order {} is not known", p.order), "rgb, bgr or grey");
  const bool yuv = facts.family == PixelFamily::Yuv;
  const CscStandard* standard = nullptr;
  if (yuv && p.order != "grey") {
    if (p.standard.empty())
      return usage_error(
          "a YUV input needs the video standard of the camera or decoder",
          "--standard bt601-narrow, jpeg, bt709-narrow or bt709-full; docs/aipp.md says how to tell");
    NPUBIN_TRY(standard, find_csc_standard(p.standard));
  }
  const std::size_t channels = p.order == "grey" || facts.family == PixelFamily::Grey ? 1 : 3;
  NPUBIN_CHECK(check_training_values(p.mean, p.std, channels));
  NPUBIN_TRY(const FittedAxis w, fit_axis(p, true, yuv));
  NPUBIN_TRY(const FittedAxis h, fit_axis(p, false, yuv));
  WrittenConfig out;
  out.network = {1, static_cast<std::int32_t>(channels), p.net_h, p.net_w};
  out.text = fmt::format(
      "# Written by `npubin aipp new`: {} x {} pixels in, 1,{},{},{} (N,C,H,W) out.\n"
      "# Check again after changes: npubin check FILE --network-shape 1,{},{},{} --soc ...\n"
      "aipp_op {{\n  aipp_mode: static\n  related_input_rank: 0\n\n  # {}\n  input_format: {}\n"
      "  src_image_size_w: {}\n  src_image_size_h: {}\n",
      p.src_w, p.src_h, channels, p.net_h, p.net_w, channels, p.net_h, p.net_w, kind->about, facts.name,
      p.src_w, p.src_h);
  add_geometry(p, w, h, out.text);
  add_colours(p, *kind, standard, out.text);
  add_normalisation(p, channels, out.text);
  out.text += "}\n";
  return out;
}

}  // namespace npubin::aipp
