#include "cli/run/aipp_preview.h"

#include <algorithm>
#include <cmath>

namespace npubin::cli {
namespace {

constexpr std::uint32_t kGap = 16;  // pixels between the two pictures

void paste(const Picture& from, Picture& to, std::uint32_t left) {
  for (std::uint32_t y = 0; y < from.height; ++y)
    std::copy_n(from.at(0, y), std::size_t{from.width} * 3, to.at(left, y));
}

// The border's level: padding_value is in the network's units.
float level_of_padding(const aipp::Settings& s) {
  const float level = s.var_reci[0] != 0 ? s.padding_value / s.var_reci[0] : 0;
  return std::clamp(level + s.min[0] + static_cast<float>(s.mean[0]), 0.0f, 255.0f);
}

// The network's pixels as RGB. Only the colours of three channels can be shown.
Picture as_rgb(const Tensor& levels, bool bgr) {
  Picture out;
  out.height = static_cast<std::uint32_t>(levels.dim(1));
  out.width = static_cast<std::uint32_t>(levels.dim(2));
  const auto channels = static_cast<std::size_t>(levels.dim(3));
  out.pixels.resize(std::size_t{out.width} * out.height * 3);
  const auto values = levels.as<std::uint8_t>();
  for (std::size_t i = 0; i < out.pixels.size() / 3; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      out.pixels[3 * i + (bgr ? 2 - c : c)] = values[i * channels + std::min(c, channels - 1)];
  return out;
}

// RAW has no 8-bit path: the source's own picture is what there is to see.
Result<Picture> network_view(const aipp::Settings& settings, const aipp::NetworkInput& network,
                             aipp::OutputOptions output, ByteSpan image, const Picture& source, bool bgr) {
  const aipp::FormatFacts* facts = aipp::find_format(settings.format);
  if (facts != nullptr && facts->family == aipp::PixelFamily::Raw) return source;
  aipp::Settings shown = settings;
  shown.padding_value = level_of_padding(settings);
  output.type = DType::U8;
  output.layout = aipp::Layout::Nhwc;
  aipp::NetworkInput one = network;
  one.n = 1;
  NPUBIN_TRY(const Tensor levels, aipp::run_batch({&shown, 1}, one, output, image));
  return as_rgb(levels, bgr);
}

}  // namespace

Result<Picture> aipp_preview(const aipp::Settings& settings, const aipp::NetworkInput& network,
                             const aipp::OutputOptions& output, ByteSpan image, const Picture& source,
                             bool bgr) {
  NPUBIN_TRY(const aipp::Geometry geometry, aipp::resolve_geometry(settings, network));
  NPUBIN_TRY(const Picture seen, network_view(settings, network, output, image, source, bgr));
  Picture left = source;
  if (settings.crop)
    draw_rectangle(left, geometry.crop_x, geometry.crop_y, geometry.crop_x + geometry.crop_w,
                   geometry.crop_y + geometry.crop_h, {255, 64, 0}, std::max(1, geometry.src_w / 400));
  Picture out;
  out.width = left.width + kGap + seen.width;
  out.height = std::max(left.height, seen.height);
  out.pixels.assign(std::size_t{out.width} * out.height * 3, 255);
  paste(left, out, 0);
  paste(seen, out, left.width + kGap);
  return out;
}

}  // namespace npubin::cli
