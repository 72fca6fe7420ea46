// Where crop, resize and padding put the picture.
#include <fmt/format.h>

#include "npubin/aipp.h"

namespace npubin::aipp {
namespace {

constexpr std::int64_t kLargestSide = std::int64_t{1} << 16;

constexpr std::int64_t kMaxResized = 4096;  // aipp spec 2: resize_output_h; the width's limit is lower

struct Axis {
  std::string_view name;
  std::int64_t src, network;
  bool crop;
  std::int64_t start, size;
  bool resize;
  std::int64_t resized;
  std::int64_t before, after;
};
struct Resolved {
  std::int32_t src, start, cropped, scaled, out;
};

Unexpected misfit(std::string message) {
  return usage_error(std::move(message), "`npubin check` with the same --network-shape names the field");
}

bool sane(std::int64_t value) {
  return value >= 0 && value <= kLargestSide;
}

Result<Resolved> resolve(const Axis& axis, bool padding) {
  for (std::int64_t value :
       {axis.src, axis.network, axis.start, axis.size, axis.resized, axis.before, axis.after})
    if (!sane(value)) return misfit(fmt::format("a {} of {} pixels is out of range", axis.name, value));
  const std::int64_t src = axis.src != 0 ? axis.src : axis.network;
  if (src == 0)
    return misfit(fmt::format(
        "the source's {} is not known: neither src_image_size nor --network-shape gives it", axis.name));
  std::int64_t cropped = src;
  if (axis.crop) {
    cropped = axis.size != 0 ? axis.size : axis.network;
    if (cropped == 0) return misfit(fmt::format("the crop's {} is not known", axis.name));
    if (axis.start + cropped > src)
      return misfit(fmt::format("the crop reaches beyond the source: {} {} + {} > {}", axis.name, axis.start,
                                cropped, src));
  }
  const std::int64_t scaled = axis.resize ? axis.resized : cropped;
  if (scaled == 0) return misfit(fmt::format("resize to a {} of 0", axis.name));
  if (axis.resize && scaled > kMaxResized)
    return misfit(
        fmt::format("resize to a {} of {}: the chip's limit is {}", axis.name, scaled, kMaxResized));
  const std::int64_t out = padding ? scaled + axis.before + axis.after : scaled;
  if (axis.network != 0 && out != axis.network)
    return misfit(fmt::format("the {} comes out as {}, the network's is {}", axis.name, out, axis.network));
  return Resolved{static_cast<std::int32_t>(src), axis.crop ? static_cast<std::int32_t>(axis.start) : 0,
                  static_cast<std::int32_t>(cropped), static_cast<std::int32_t>(scaled),
                  static_cast<std::int32_t>(out)};
}

// Far above what any chip takes (4096 a side): a size beyond it is a slip, and not worth its memory.
Result<void> check_pixels(std::string_view what, std::int32_t width, std::int32_t height) {
  constexpr std::int64_t kMost = std::int64_t{1} << 26;
  if (std::int64_t{width} * height <= kMost) return {};
  return usage_error(
      fmt::format("{} would be {} x {} pixels; at most {} are computed", what, width, height, kMost),
      "is the size in the config or in --network-shape right?");
}

}  // namespace

Result<Geometry> resolve_geometry(const Settings& s, const NetworkInput& network) {
  NPUBIN_TRY(const Resolved w, resolve({"width", s.src_w, network.w, s.crop, s.crop_x, s.crop_w, s.resize,
                                        s.resize_w, s.pad_left, s.pad_right},
                                       s.padding));
  NPUBIN_TRY(const Resolved h, resolve({"height", s.src_h, network.h, s.crop, s.crop_y, s.crop_h, s.resize,
                                        s.resize_h, s.pad_top, s.pad_bottom},
                                       s.padding));
  Geometry g;
  g.src_w = w.src;
  g.src_h = h.src;
  g.crop_x = w.start;
  g.crop_y = h.start;
  g.crop_w = w.cropped;
  g.crop_h = h.cropped;
  g.scaled_w = w.scaled;
  g.scaled_h = h.scaled;
  if (s.padding) {
    g.left = s.pad_left;
    g.right = s.pad_right;
    g.top = s.pad_top;
    g.bottom = s.pad_bottom;
  }
  g.out_w = w.out;
  g.out_h = h.out;
  g.channels = network.c;
  NPUBIN_CHECK(check_pixels("the source", g.src_w, g.src_h));
  NPUBIN_CHECK(check_pixels("what resize gives", g.scaled_w, g.scaled_h));
  NPUBIN_CHECK(check_pixels("what the network gets", g.out_w, g.out_h));
  return g;
}

}  // namespace npubin::aipp
