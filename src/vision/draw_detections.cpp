#include "vision/draw_detections.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "vision/draw_text.h"

namespace npubin::vision {

Colour class_colour(std::uint32_t class_id) {
  static constexpr std::array<Colour, 12> kColours{{{230, 60, 60},
                                                    {60, 170, 80},
                                                    {70, 110, 230},
                                                    {240, 180, 40},
                                                    {160, 80, 200},
                                                    {40, 190, 200},
                                                    {240, 120, 50},
                                                    {220, 80, 170},
                                                    {150, 200, 50},
                                                    {120, 90, 60},
                                                    {90, 140, 160},
                                                    {250, 230, 90}}};
  return kColours[class_id % kColours.size()];
}

namespace {

bool can_be_drawn(const Detection& d) {
  const std::array<float, 4> sides{d.x_min, d.y_min, d.x_max, d.y_max};
  return std::all_of(sides.begin(), sides.end(), [](float side) { return std::abs(side) < 1e4f; });
}

std::string label_of(const Detection& d, std::span<const std::string> labels) {
  const std::string name = d.class_id < labels.size() && !labels[d.class_id].empty()
                               ? labels[d.class_id]
                               : fmt::format("class {}", d.class_id);
  return fmt::format("{} {:.2f}", name, d.score);
}

}  // namespace

void draw_detections(Picture& picture, std::span<const Detection> detections,
                     std::span<const std::string> labels) {
  const double width = picture.width, height = picture.height;
  const double shorter = std::min(width, height);
  const int thickness = std::max(2, static_cast<int>(shorter / 200));
  for (const Detection& d : detections)
    if (can_be_drawn(d))
      draw_rectangle(picture, d.x_min * width, d.y_min * height, d.x_max * width, d.y_max * height,
                     class_colour(d.class_id), thickness);
  // Over all outlines, and the first of the list over the others.
  const int scale = std::max(1, static_cast<int>(shorter / 200));
  for (auto d = detections.rbegin(); d != detections.rend(); ++d) {
    if (!can_be_drawn(*d)) continue;
    const auto left = static_cast<std::int64_t>(std::floor(d->x_min * width));
    const auto top = static_cast<std::int64_t>(std::floor(d->y_min * height));
    // Above the box; inside it where the picture ends above.
    const std::int64_t above = top - label_height(scale);
    draw_label(picture, left, above >= 0 ? above : top, label_of(*d, labels), class_colour(d->class_id),
               scale);
  }
}

void draw_mask(Picture& picture, const Detection& detection, std::span<const std::uint8_t> mask,
               std::uint32_t mask_width, std::uint32_t mask_height, std::uint32_t image_width,
               std::uint32_t image_height) {
  const Colour colour = class_colour(detection.class_id);
  const double x0 = std::max(0.0, std::ceil(double{detection.x_min} * image_width));
  const double y0 = std::max(0.0, std::ceil(double{detection.y_min} * image_height));
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    const double row = std::floor((y + 0.5) * image_height / picture.height) - y0;
    if (!(row >= 0 && row < mask_height)) continue;
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      const double column = std::floor((x + 0.5) * image_width / picture.width) - x0;
      if (!(column >= 0 && column < mask_width)) continue;
      if (mask[static_cast<std::size_t>(row) * mask_width + static_cast<std::size_t>(column)] == 0) continue;
      std::uint8_t* pixel = picture.at(x, y);
      const std::array<std::uint8_t, 3> tint{colour.r, colour.g, colour.b};
      for (std::uint32_t c = 0; c < std::min(picture.channels, 3u); ++c)
        pixel[c] = static_cast<std::uint8_t>((pixel[c] + tint[c]) / 2);
    }
  }
}

}  // namespace npubin::vision
