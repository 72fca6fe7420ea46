// Detections drawn over a picture.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "npubin/picture.h"
#include "vision/detections.h"

namespace npubin::vision {

// A colour per class, always the same one.
Colour class_colour(std::uint32_t class_id);
// Outlines in the colour of the class with name and score above them ("face 0.87"); coordinates are fractions
// of the picture. A class without a name in `labels` is "class 3".
void draw_detections(Picture& picture, std::span<const Detection> detections,
                     std::span<const std::string> labels = {});
// Tints the pixels of a mask that belongs to a network picture of `image_width` x `image_height`.
void draw_mask(Picture& picture, const Detection& detection, std::span<const std::uint8_t> mask,
               std::uint32_t mask_width, std::uint32_t mask_height, std::uint32_t image_width,
               std::uint32_t image_height);

}  // namespace npubin::vision
