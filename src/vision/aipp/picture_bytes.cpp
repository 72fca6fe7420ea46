#include "vision/aipp/picture_bytes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace npubin::aipp {
namespace {

using enum InputFormat;

struct Levels {
  std::uint8_t at[3];
};

std::uint8_t level(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

Levels multiplied(const Matrix& m, const double in[3], const std::array<std::int32_t, 3>& added) {
  Levels out{};
  for (std::size_t row = 0; row < 3; ++row)
    out.at[row] =
        level((m[3 * row] * in[0] + m[3 * row + 1] * in[1] + m[3 * row + 2] * in[2]) / 256.0 + added[row]);
  return out;
}

Levels to_yuv(const std::uint8_t* rgb, const CscStandard& standard) {
  const double in[3] = {double(rgb[0]), double(rgb[1]), double(rgb[2])};
  return multiplied(standard.to_yuv, in, standard.output_bias);
}

Levels to_rgb_levels(double y, double u, double v, const CscStandard& standard) {
  const double in[3] = {y - standard.input_bias[0], u - standard.input_bias[1], v - standard.input_bias[2]};
  return multiplied(standard.to_rgb, in, {0, 0, 0});
}

// Bytes between two samples of a RAW format, and how many bits they use.
int raw_bits(InputFormat format) {
  switch (format) {
    case Raw10:
      return 10;
    case Raw12:
      return 12;
    case Raw24:
      return 24;
    default:
      return 16;
  }
}

// The chroma of the block of pixels that starts at (x, y).
Levels shared_chroma(const Picture& rgb, std::uint32_t x, std::uint32_t y, std::uint32_t rows,
                     const CscStandard& standard) {
  double u = 0, v = 0;
  for (std::uint32_t dy = 0; dy < rows; ++dy)
    for (std::uint32_t dx = 0; dx < 2; ++dx) {
      const Levels yuv = to_yuv(rgb.at(x + dx, y + dy), standard);
      u += yuv.at[1];
      v += yuv.at[2];
    }
  return {{0, level(u / (2.0 * rows)), level(v / (2.0 * rows))}};
}

struct Writer {
  const Picture& rgb;
  InputFormat format;
  const CscStandard& standard;
  bool v_first;
  std::uint8_t* out;
};

void write_semi_planar(const Writer& w) {
  const std::uint32_t rows = w.format == Yuv420Sp ? 2 : 1;
  const std::size_t luma = std::size_t{w.rgb.width} * w.rgb.height;
  for (std::uint32_t y = 0; y < w.rgb.height; ++y)
    for (std::uint32_t x = 0; x < w.rgb.width; ++x)
      w.out[std::size_t{y} * w.rgb.width + x] = to_yuv(w.rgb.at(x, y), w.standard).at[0];
  for (std::uint32_t y = 0; y + rows <= w.rgb.height; y += rows)
    for (std::uint32_t x = 0; x + 2 <= w.rgb.width; x += 2) {
      const Levels chroma = shared_chroma(w.rgb, x, y, rows, w.standard);
      std::uint8_t* at = w.out + luma + std::size_t{y / rows} * w.rgb.width + x;
      at[0] = chroma.at[w.v_first ? 2 : 1];
      at[1] = chroma.at[w.v_first ? 1 : 2];
    }
}

void write_yuyv(const Writer& w) {
  for (std::uint32_t y = 0; y < w.rgb.height; ++y)
    for (std::uint32_t x = 0; x + 2 <= w.rgb.width; x += 2) {
      const Levels chroma = shared_chroma(w.rgb, x, y, 1, w.standard);
      std::uint8_t* at = w.out + 2 * (std::size_t{y} * w.rgb.width + x);
      at[0] = to_yuv(w.rgb.at(x, y), w.standard).at[0];
      at[1] = chroma.at[w.v_first ? 2 : 1];
      at[2] = to_yuv(w.rgb.at(x + 1, y), w.standard).at[0];
      at[3] = chroma.at[w.v_first ? 1 : 2];
    }
}

void write_pixel(const Writer& w, const std::uint8_t* rgb, std::size_t index) {
  switch (w.format) {
    case Rgb888:
      std::copy_n(rgb, 3, w.out + 3 * index);
      break;
    case Xrgb8888:
    case Argb8888:
      w.out[4 * index] = 255;
      std::copy_n(rgb, 3, w.out + 4 * index + 1);
      break;
    case Ayuv444: {
      const Levels yuv = to_yuv(rgb, w.standard);
      w.out[4 * index] = 255;
      w.out[4 * index + 1] = yuv.at[0];
      w.out[4 * index + 2] = yuv.at[w.v_first ? 2 : 1];
      w.out[4 * index + 3] = yuv.at[w.v_first ? 1 : 2];
      break;
    }
    case Yuv400:
      w.out[index] = to_yuv(rgb, w.standard).at[0];
      break;
    default: {
      const std::uint32_t grey = to_yuv(rgb, w.standard).at[0];
      const std::uint32_t sample = grey << (raw_bits(w.format) - 8);
      if (w.format == Raw24)
        store<std::uint32_t>(w.out + 4 * index, sample);
      else
        store<std::uint16_t>(w.out + 2 * index, static_cast<std::uint16_t>(sample));
    }
  }
}

// Y, U, V of a pixel; luma alone has neutral chroma.
void read_yuv(const std::uint8_t* in, InputFormat format, std::size_t w, std::size_t h, std::size_t x,
              std::size_t y, bool v_first, std::uint8_t yuv[3]) {
  const std::size_t u = v_first ? 2 : 1;
  if (format == Yuv420Sp || format == Yuv422Sp) {
    const std::uint8_t* chroma = in + w * h + (format == Yuv420Sp ? y / 2 : y) * w + (x & ~std::size_t{1});
    yuv[0] = in[y * w + x];
    yuv[u] = chroma[0];
    yuv[3 - u] = chroma[1];
  } else if (format == Yuyv) {
    const std::uint8_t* pair = in + 2 * (y * w + (x & ~std::size_t{1}));
    yuv[0] = pair[2 * (x & 1)];
    yuv[u] = pair[1];
    yuv[3 - u] = pair[3];
  } else {
    const std::uint8_t* pixel = in + 4 * (y * w + x);
    yuv[0] = pixel[1];
    yuv[u] = pixel[2];
    yuv[3 - u] = pixel[3];
  }
}

void read_pixel(const std::uint8_t* in, InputFormat format, std::size_t index, std::uint8_t* rgb) {
  switch (format) {
    case Rgb888:
      std::copy_n(in + 3 * index, 3, rgb);
      break;
    case Xrgb8888:
    case Argb8888:
      std::copy_n(in + 4 * index + 1, 3, rgb);
      break;
    case Yuv400:
      std::fill_n(rgb, 3, in[index]);
      break;
    default: {
      const std::uint32_t sample = format == Raw24 ? load<std::uint32_t>(in + 4 * index) & 0xFFFFFFu
                                                   : load<std::uint16_t>(in + 2 * index);
      std::fill_n(rgb, 3, static_cast<std::uint8_t>(std::min(sample >> (raw_bits(format) - 8), 255u)));
    }
  }
}

Result<const FormatFacts*> laid_out(InputFormat format) {
  const FormatFacts* facts = find_format(format);
  if (facts == nullptr || !facts->executable)
    return refused(
        fmt::format("{} has no published layout", facts == nullptr ? "an undefined format" : facts->name));
  return facts;
}

}  // namespace

Result<std::vector<std::byte>> bytes_of_picture(const Picture& picture, InputFormat format,
                                                const CscStandard& standard, bool v_first) {
  NPUBIN_CHECK(laid_out(format));
  const Picture rgb = picture.channels == 3 ? picture : to_rgb(picture);
  NPUBIN_TRY(const std::uint64_t size, image_bytes(format, rgb.width, rgb.height));
  std::vector<std::byte> out(size);
  const Writer writer{rgb, format, standard, v_first, reinterpret_cast<std::uint8_t*>(out.data())};
  const bool pairs = format == Yuv420Sp || format == Yuv422Sp || format == Yuyv;
  if (pairs && (rgb.width % 2 != 0 || (format == Yuv420Sp && rgb.height % 2 != 0)))
    return usage_error(fmt::format("a picture of {} x {} cannot share its chroma", rgb.width, rgb.height),
                       "sizes must be even");
  if (format == Yuyv) {
    write_yuyv(writer);
  } else if (pairs) {
    write_semi_planar(writer);
  } else {
    const std::size_t count = std::size_t{rgb.width} * rgb.height;
    for (std::size_t i = 0; i < count; ++i) write_pixel(writer, rgb.pixels.data() + 3 * i, i);
  }
  return out;
}

Result<Picture> picture_of_bytes(ByteSpan bytes, InputFormat format, std::int32_t width, std::int32_t height,
                                 const CscStandard& standard, bool v_first) {
  NPUBIN_TRY(const FormatFacts* facts, laid_out(format));
  Picture out;
  out.width = static_cast<std::uint32_t>(width);
  out.height = static_cast<std::uint32_t>(height);
  const std::size_t w = out.width, h = out.height;
  out.pixels.resize(w * h * 3);
  const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t y = 0; y < h; ++y)
    for (std::size_t x = 0; x < w; ++x) {
      std::uint8_t* rgb = out.pixels.data() + 3 * (y * w + x);
      if (facts->family != PixelFamily::Yuv) {
        read_pixel(in, format, y * w + x, rgb);
        continue;
      }
      std::uint8_t yuv[3] = {};
      read_yuv(in, format, w, h, x, y, v_first, yuv);
      const Levels levels = to_rgb_levels(yuv[0], yuv[1], yuv[2], standard);
      std::copy_n(levels.at, 3, rgb);
    }
  return out;
}

}  // namespace npubin::aipp
