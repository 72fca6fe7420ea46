// Geometry and drawing on pictures; reading and writing files is in picture_files.cpp.
#include "npubin/picture.h"

#include <algorithm>
#include <cmath>

namespace npubin {
namespace {

// The weights with which input pixels [first, first + weights.size()) make one output pixel, in units of
// 1/output size, so that they are integers and their sum is the input size.
struct Coverage {
  std::uint32_t first = 0;
  std::vector<std::uint64_t> weights;
};

Coverage coverage(std::uint32_t index, std::uint32_t in, std::uint32_t out) {
  const std::uint64_t begin = std::uint64_t{index} * in, end = begin + in;  // in units of 1/out input pixels
  Coverage c;
  c.first = static_cast<std::uint32_t>(begin / out);
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t next = std::min(end, (at / out + 1) * out);
    c.weights.push_back(next - at);
    at = next;
  }
  return c;
}

Picture resize_area(const Picture& in, std::uint32_t width, std::uint32_t height) {
  Picture out{width, height, in.channels, {}};
  out.pixels.resize(std::size_t{width} * height * in.channels);
  std::vector<Coverage> columns(width);
  for (std::uint32_t x = 0; x < width; ++x) columns[x] = coverage(x, in.width, width);
  const std::uint64_t total = std::uint64_t{in.width} * in.height;
  for (std::uint32_t y = 0; y < height; ++y) {
    const Coverage rows = coverage(y, in.height, height);
    for (std::uint32_t x = 0; x < width; ++x)
      for (std::uint32_t c = 0; c < in.channels; ++c) {
        std::uint64_t sum = 0;
        for (std::size_t j = 0; j < rows.weights.size(); ++j) {
          const std::uint8_t* row = in.at(columns[x].first, rows.first + static_cast<std::uint32_t>(j)) + c;
          std::uint64_t row_sum = 0;
          for (std::size_t i = 0; i < columns[x].weights.size(); ++i)
            row_sum += columns[x].weights[i] * row[i * in.channels];
          sum += rows.weights[j] * row_sum;
        }
        out.at(x, y)[c] = static_cast<std::uint8_t>((2 * sum + total) / (2 * total));
      }
  }
  return out;
}

struct Tap {
  std::uint32_t low = 0, high = 0;
  float weight = 0;  // of high
};

Tap bilinear_tap(std::uint32_t index, std::uint32_t in, std::uint32_t out) {
  const float at =
      (static_cast<float>(index) + 0.5f) * static_cast<float>(in) / static_cast<float>(out) - 0.5f;
  const float low = std::floor(at);
  auto clamp = [in](float v) {
    return static_cast<std::uint32_t>(std::clamp(v, 0.0f, static_cast<float>(in - 1)));
  };
  return {clamp(low), clamp(low + 1), at - low};
}

Picture resize_bilinear(const Picture& in, std::uint32_t width, std::uint32_t height) {
  Picture out{width, height, in.channels, {}};
  out.pixels.resize(std::size_t{width} * height * in.channels);
  for (std::uint32_t y = 0; y < height; ++y) {
    const Tap v = bilinear_tap(y, in.height, height);
    for (std::uint32_t x = 0; x < width; ++x) {
      const Tap h = bilinear_tap(x, in.width, width);
      for (std::uint32_t c = 0; c < in.channels; ++c) {
        auto row = [&](std::uint32_t r) {
          const float a = in.at(h.low, r)[c], b = in.at(h.high, r)[c];
          return a + (b - a) * h.weight;
        };
        const float top = row(v.low), bottom = row(v.high);
        out.at(x, y)[c] = static_cast<std::uint8_t>(std::floor(top + (bottom - top) * v.weight + 0.5f));
      }
    }
  }
  return out;
}

void set_pixel(Picture& picture, std::int64_t x, std::int64_t y, Colour colour) {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
  std::uint8_t* p = picture.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
  const std::uint8_t rgb[3] = {colour.r, colour.g, colour.b};
  if (picture.channels == 1) {
    p[0] = static_cast<std::uint8_t>((colour.r * 299 + colour.g * 587 + colour.b * 114 + 500) / 1000);
    return;
  }
  std::copy(rgb, rgb + 3, p);
  if (picture.channels == 4) p[3] = 255;
}

}  // namespace

Picture to_rgb(const Picture& picture) {
  if (picture.channels == 3) return picture;
  Picture out{picture.width, picture.height, 3, {}};
  const std::size_t count = std::size_t{picture.width} * picture.height;
  out.pixels.resize(count * 3);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      out.pixels[i * 3 + c] = picture.pixels[i * picture.channels + (picture.channels == 1 ? 0 : c)];
  return out;
}

Picture to_grey(const Picture& picture) {
  if (picture.channels == 1) return picture;
  Picture out{picture.width, picture.height, 1, {}};
  const std::size_t count = std::size_t{picture.width} * picture.height;
  out.pixels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* p = picture.pixels.data() + i * picture.channels;
    out.pixels[i] = static_cast<std::uint8_t>((p[0] * 299 + p[1] * 587 + p[2] * 114 + 500) / 1000);
  }
  return out;
}

Picture resize(const Picture& picture, std::uint32_t width, std::uint32_t height, ResizeFilter filter) {
  if (picture.width == width && picture.height == height) return picture;
  if (picture.width == 0 || picture.height == 0 || width == 0 || height == 0)
    return {width, height, picture.channels,
            std::vector<std::uint8_t>(std::size_t{width} * height * picture.channels)};
  return filter == ResizeFilter::AreaAverage ? resize_area(picture, width, height)
                                             : resize_bilinear(picture, width, height);
}

void draw_rectangle(Picture& picture, double x_min, double y_min, double x_max, double y_max, Colour colour,
                    int thickness) {
  // Clamped first: a hostile box must not make the loops long.
  auto edge = [](double v, double limit) {
    return static_cast<std::int64_t>(std::floor(std::clamp(v, -16.0, limit + 16.0)));
  };
  if (!(x_min <= x_max) || !(y_min <= y_max)) return;
  const std::int64_t left = edge(x_min, picture.width), right = edge(x_max, picture.width);
  const std::int64_t top = edge(y_min, picture.height), bottom = edge(y_max, picture.height);
  for (std::int64_t t = 0; t < thickness; ++t) {
    for (std::int64_t x = left; x <= right; ++x) {
      set_pixel(picture, x, top + t, colour);
      set_pixel(picture, x, bottom - t, colour);
    }
    for (std::int64_t y = top; y <= bottom; ++y) {
      set_pixel(picture, left + t, y, colour);
      set_pixel(picture, right - t, y, colour);
    }
  }
}

void draw_disc(Picture& picture, double x, double y, double radius, Colour colour) {
  if (!(std::abs(x) < 1e6) || !(std::abs(y) < 1e6) || !(radius < 1e4)) return;
  const auto reach = static_cast<std::int64_t>(std::ceil(radius));
  const auto centre_x = static_cast<std::int64_t>(std::floor(x)),
             centre_y = static_cast<std::int64_t>(std::floor(y));
  for (std::int64_t dy = -reach; dy <= reach; ++dy)
    for (std::int64_t dx = -reach; dx <= reach; ++dx)
      if (static_cast<double>(dx * dx + dy * dy) <= radius * radius)
        set_pixel(picture, centre_x + dx, centre_y + dy, colour);
}

}  // namespace npubin
