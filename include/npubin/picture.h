// Pictures: 8-bit grey, RGB or RGBA, row-major, interleaved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/export.h"
#include "npubin/result.h"

namespace npubin {

struct Picture {
  std::uint32_t width = 0;           // pixels
  std::uint32_t height = 0;          // pixels
  std::uint32_t channels = 3;        // 1 grey, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;  // height * width * channels

  const std::uint8_t* at(std::uint32_t x, std::uint32_t y) const {
    return pixels.data() + (static_cast<std::size_t>(y) * width + x) * channels;
  }
  std::uint8_t* at(std::uint32_t x, std::uint32_t y) {
    return pixels.data() + (static_cast<std::size_t>(y) * width + x) * channels;
  }
};

// PNG, JPEG or BMP by content; at most 16384 x 16384 pixels. Grey stays 1 channel, alpha is kept as the
// fourth. Error: Malformed, or Unrecognised for another format.
NPUBIN_API Result<Picture> read_picture(const Bytes& bytes);
NPUBIN_API Result<Picture> load_picture(const std::string& path);
NPUBIN_API Result<std::vector<std::byte>> encode_png(const Picture& picture);
NPUBIN_API Result<void> save_png(const std::string& path, const Picture& picture);

// Grey is replicated, alpha is dropped.
NPUBIN_API Picture to_rgb(const Picture& picture);
// Rec. 601 luma: round(0.299 R + 0.587 G + 0.114 B).
NPUBIN_API Picture to_grey(const Picture& picture);

enum class ResizeFilter : std::uint8_t {
  Bilinear,     // half-pixel centres, edge clamped, no antialiasing
  AreaAverage,  // exact mean of the covered area, round half up
};
NPUBIN_API Picture resize(const Picture& picture, std::uint32_t width, std::uint32_t height,
                          ResizeFilter filter);

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
};
// Draws a rectangle outline with corners inside or outside the picture (clipped). `thickness` in pixels,
// inwards.
NPUBIN_API void draw_rectangle(Picture& picture, double x_min, double y_min, double x_max, double y_max,
                               Colour colour, int thickness = 2);
NPUBIN_API void draw_disc(Picture& picture, double x, double y, double radius, Colour colour);

}  // namespace npubin
