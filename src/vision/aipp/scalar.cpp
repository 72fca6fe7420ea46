// The reference: every value computed by itself, in the order of aipp spec 4.
#include <algorithm>

#include "npubin/bytes.h"
#include "npubin/half.h"
#include "vision/aipp/plan.h"

namespace npubin::aipp {
namespace {

using enum InputFormat;

// Offset of element (channel, y, x) in the output of one picture.
std::size_t element_of(const Plan& plan, std::int32_t channel, std::int32_t y, std::int32_t x) {
  const auto w = static_cast<std::size_t>(plan.geometry.out_w);
  const auto h = static_cast<std::size_t>(plan.geometry.out_h);
  const auto pixel = static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x);
  const auto c = static_cast<std::size_t>(channel);
  switch (plan.output.layout) {
    case Layout::Nchw:
      return c * w * h + pixel;
    case Layout::Nhwc:
      return pixel * static_cast<std::size_t>(plan.geometry.channels) + c;
    default:
      return pixel * static_cast<std::size_t>(plan.c0) + c;  // C1 is 1: at most four channels
  }
}

void store_value(const Plan& plan, std::byte* out, std::size_t element, float value) {
  if (plan.output.type == DType::F16)
    store<std::uint16_t>(out + 2 * element, float_to_half(value));
  else
    store<float>(out + 4 * element, value);
}

// After csc, one pixel of the cropped picture.
void converted_pixel(const Plan& plan, const std::uint8_t* image, std::int32_t x, std::int32_t y,
                     std::uint8_t out[4]) {
  std::uint8_t in[4] = {};
  load_pixel(plan, image, plan.geometry.crop_x + x, plan.geometry.crop_y + y, in);
  out[3] = in[3];
  for (int c = 0; c < 3; ++c) out[c] = plan.csc ? plan.conversion.of(c, in[0], in[1], in[2]) : in[c];
}

void resized_pixel(const Plan& plan, const std::uint8_t* image, std::int32_t x, std::int32_t y,
                   std::uint8_t out[4]) {
  const Geometry& g = plan.geometry;
  const ResizeStep columns(g.crop_w, g.scaled_w);
  const ResizeStep rows(g.crop_h, g.scaled_h);
  const auto [x0, weight_x] = columns.at(x);
  const auto [y0, weight_y] = rows.at(y);
  const std::int32_t x1 = std::min(x0 + 1, columns.last);
  const std::int32_t y1 = std::min(y0 + 1, rows.last);
  std::uint8_t pixels[4][4];
  converted_pixel(plan, image, x0, y0, pixels[0]);
  converted_pixel(plan, image, x1, y0, pixels[1]);
  converted_pixel(plan, image, x0, y1, pixels[2]);
  converted_pixel(plan, image, x1, y1, pixels[3]);
  for (int c = 0; c < 4; ++c) {
    const std::uint8_t corners[4] = {pixels[0][c], pixels[1][c], pixels[2][c], pixels[3][c]};
    out[c] = bilinear(corners, weight_x, weight_y);
  }
}

void store_pixel(const Plan& plan, const std::uint8_t* image, std::byte* out, std::int32_t x,
                 std::int32_t y) {
  const Geometry& g = plan.geometry;
  const std::int32_t inner_x = x - g.left;
  const std::int32_t inner_y = y - g.top;
  const bool border = inner_x < 0 || inner_y < 0 || inner_x >= g.scaled_w || inner_y >= g.scaled_h;
  std::uint8_t pixel[4] = {};
  if (!border && !plan.raw()) {
    if (plan.settings.resize)
      resized_pixel(plan, image, inner_x, inner_y, pixel);
    else
      converted_pixel(plan, image, inner_x, inner_y, pixel);
  }
  for (std::int32_t c = 0; c < g.channels; ++c) {
    const std::size_t element = element_of(plan, c, y, x);
    const Normalisation& n = plan.normalisation[static_cast<std::size_t>(c)];
    if (plan.output.type == DType::U8)
      out[element] = static_cast<std::byte>(border ? plan.pad_byte : pixel[c]);
    else if (border)
      store_value(plan, out, element, plan.pad_single);
    else if (plan.raw())
      store_value(
          plan, out, element,
          n.of_raw(load_raw(plan, image, g.crop_x + inner_x, g.crop_y + inner_y), plan.settings.raw_n));
    else
      store_value(plan, out, element, n.of_pixel(pixel[c]));
  }
}

}  // namespace

std::uint32_t load_raw(const Plan& plan, const std::uint8_t* image, std::int32_t x, std::int32_t y) {
  const std::size_t index = static_cast<std::size_t>(y) * static_cast<std::size_t>(plan.geometry.src_w) +
                            static_cast<std::size_t>(x);
  if (plan.settings.format == Raw24) return load<std::uint32_t>(image + 4 * index) & 0xFFFFFFu;
  return load<std::uint16_t>(image + 2 * index);
}

void load_pixel(const Plan& plan, const std::uint8_t* image, std::int32_t x_signed, std::int32_t y_signed,
                std::uint8_t out[4]) {
  const auto w = static_cast<std::size_t>(plan.geometry.src_w);
  const auto h = static_cast<std::size_t>(plan.geometry.src_h);
  const auto x = static_cast<std::size_t>(x_signed);
  const auto y = static_cast<std::size_t>(y_signed);
  const std::size_t u = plan.settings.swap_rb_uv ? 2 : 1;
  const std::size_t v = 3 - u;
  switch (plan.settings.format) {
    case Yuv420Sp:
    case Yuv422Sp: {
      const std::size_t chroma_row = plan.settings.format == Yuv420Sp ? y / 2 : y;
      const std::uint8_t* chroma = image + w * h + chroma_row * w + (x & ~std::size_t{1});
      out[0] = image[y * w + x];
      out[u] = chroma[0];
      out[v] = chroma[1];
      break;
    }
    case Yuyv: {
      const std::uint8_t* pair = image + 2 * (y * w + (x & ~std::size_t{1}));
      out[0] = pair[2 * (x & 1)];
      out[u] = pair[1];
      out[v] = pair[3];
      break;
    }
    case Yuv400:
      out[0] = image[y * w + x];
      break;
    default: {
      const std::size_t step = plan.settings.format == Rgb888 ? 3 : 4;
      const std::uint8_t* pixel = image + step * (y * w + x);
      for (std::size_t c = 0; c < step; ++c) out[c] = pixel[plan.byte_order[c]];
      break;
    }
  }
}

void run_scalar(const Plan& plan, const std::uint8_t* image, std::byte* out, std::int32_t first,
                std::int32_t last) {
  for (std::int32_t y = first; y < last; ++y) {
    // Unused lanes of NC1HWC0 are zero, in the border too (aipp spec 9).
    if (plan.c0 > 1) {
      const std::size_t row = static_cast<std::size_t>(plan.geometry.out_w * plan.c0) * plan.element_size();
      std::fill_n(out + static_cast<std::size_t>(y) * row, row, std::byte{0});
    }
    for (std::int32_t x = 0; x < plan.geometry.out_w; ++x) store_pixel(plan, image, out, x, y);
  }
}

ResizeStep::ResizeStep(std::int32_t in, std::int32_t out) : last(in - 1) {
  if (out > 1)
    step = static_cast<std::uint32_t>((std::int64_t{in - 1} << 18) / (out - 1)) & ~std::uint32_t{3};
}

std::pair<std::int32_t, std::uint32_t> ResizeStep::at(std::int32_t i) const {
  const std::uint64_t position = std::uint64_t{step} * static_cast<std::uint64_t>(i);
  return {std::min(static_cast<std::int32_t>(position >> 18), last),
          static_cast<std::uint32_t>(position & 0x3FFFF)};
}

std::uint8_t bilinear(const std::uint8_t corners[4], std::uint32_t weight_x, std::uint32_t weight_y) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 18;
  const std::uint64_t upper = corners[0] * (kOne - weight_x) + corners[1] * std::uint64_t{weight_x};
  const std::uint64_t lower = corners[2] * (kOne - weight_x) + corners[3] * std::uint64_t{weight_x};
  const std::uint64_t sum = upper * (kOne - weight_y) + lower * weight_y;
  return static_cast<std::uint8_t>((sum + (std::uint64_t{1} << 35)) >> 36);
}

}  // namespace npubin::aipp
