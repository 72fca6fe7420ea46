#include "vision/aipp/rows.h"

#include <algorithm>
#include <cstring>

#include "vision/aipp/row_kernels.h"

namespace npubin::aipp {
namespace {

using enum InputFormat;

// Beyond this a frame does not stay in the caches anyway, and writing past them saves reading it first.
constexpr std::uint64_t kStreamFrom = std::uint64_t{4} << 20;

struct Row {
  const Plan& plan;
  RowScratch& scratch;
  const std::uint8_t* planes[4] = {};  // the pixels of the crop's row, channel by channel
  std::size_t count = 0;
};

void load_subsampled(Row& row, const std::uint8_t* image, std::size_t y) {
  const Plan& plan = row.plan;
  const auto w = static_cast<std::size_t>(plan.geometry.src_w);
  const auto h = static_cast<std::size_t>(plan.geometry.src_h);
  const auto x = static_cast<std::size_t>(plan.geometry.crop_x);
  const std::size_t chroma_row = plan.settings.format == Yuv420Sp ? y / 2 : y;
  const int u = plan.settings.swap_rb_uv ? 2 : 1;
  spread_chroma(image + w * h + chroma_row * w + x, row.count / 2, row.scratch.plane(u),
                row.scratch.plane(3 - u));
  row.planes[0] = image + y * w + x;
  row.planes[1] = row.scratch.plane(1);
  row.planes[2] = row.scratch.plane(2);
}

void load_row(Row& row, const std::uint8_t* image, std::int32_t inner_y) {
  const Plan& plan = row.plan;
  const auto w = static_cast<std::size_t>(plan.geometry.src_w);
  const auto x = static_cast<std::size_t>(plan.geometry.crop_x);
  const auto y = static_cast<std::size_t>(plan.geometry.crop_y + inner_y);
  RowScratch& scratch = row.scratch;
  switch (plan.settings.format) {
    case Yuv400:
      row.planes[0] = image + y * w + x;
      return;
    case Yuv420Sp:
    case Yuv422Sp:
      load_subsampled(row, image, y);
      return;
    case Yuyv: {
      const int u = plan.settings.swap_rb_uv ? 2 : 1;
      split_yuyv(image + 2 * (y * w + x), row.count / 2, scratch.plane(0), scratch.plane(u),
                 scratch.plane(3 - u));
      break;
    }
    default: {
      // byte_order says which byte is channel c; the loops want to know where byte b goes.
      std::uint8_t* planes[4] = {};
      const int bytes = plan.settings.format == Rgb888 ? 3 : 4;
      for (int c = 0; c < bytes; ++c) planes[plan.byte_order[static_cast<std::size_t>(c)]] = scratch.plane(c);
      const std::uint8_t* pixels = image + static_cast<std::size_t>(bytes) * (y * w + x);
      if (bytes == 3)
        split_pixels3(pixels, row.count, planes);
      else
        split_pixels4(pixels, row.count, planes);
    }
  }
  for (int c = 0; c < 4; ++c) row.planes[c] = scratch.plane(c);
}

void convert_in_place(Row& row) {
  std::uint8_t* out[3] = {row.scratch.plane(0), row.scratch.plane(1), row.scratch.plane(2)};
  convert_row(row.plan.conversion, row.planes, row.count, out);
  for (int c = 0; c < 3; ++c) row.planes[c] = out[c];
}

void fill(const Plan& plan, std::byte* out, std::size_t count) {
  if (plan.output.type == DType::U8)
    std::memset(out, plan.pad_byte, count);
  else if (plan.output.type == DType::F16)
    std::fill_n(reinterpret_cast<std::uint16_t*>(out), count, plan.pad_half);
  else
    std::fill_n(reinterpret_cast<float*>(out), count, plan.pad_single);
}

void normalise(const Row& row, int channel, std::byte* out, bool stream) {
  const Plan& plan = row.plan;
  const auto c = static_cast<std::size_t>(channel);
  const std::uint8_t* in = row.planes[channel];
  if (plan.output.type == DType::U8)
    std::memcpy(out, in, row.count);
  else if (plan.output.type == DType::F16)
    normalise_to_half(plan.normalisation[c], plan.half_tables[c], in, row.count,
                      reinterpret_cast<std::uint16_t*>(out), stream);
  else
    normalise_to_single(plan.normalisation[c], plan.single_tables[c], in, row.count,
                        reinterpret_cast<float*>(out), stream);
}

// The element (channel, y, 0) of a planar output.
std::byte* planar_row(const Plan& plan, std::byte* out, int channel, std::int32_t y) {
  const auto w = static_cast<std::size_t>(plan.geometry.out_w);
  const auto h = static_cast<std::size_t>(plan.geometry.out_h);
  return out +
         (static_cast<std::size_t>(channel) * h + static_cast<std::size_t>(y)) * w * plan.element_size();
}

void write_planar(Row& row, std::byte* out, std::int32_t y) {
  const Plan& plan = row.plan;
  const std::size_t size = plan.element_size();
  const bool stream = plan.output_bytes >= kStreamFrom;
  const auto left = static_cast<std::size_t>(plan.geometry.left);
  const auto right = static_cast<std::size_t>(plan.geometry.right);
  const bool fused = plan.csc && plan.output.type == DType::F16 && plan.geometry.channels == 3;
  if (plan.csc && !fused) convert_in_place(row);
  ConvertedRows rows{&plan, {row.planes[0], row.planes[1], row.planes[2]}, {}, stream};
  for (int c = 0; c < plan.geometry.channels; ++c) {
    std::byte* to = planar_row(plan, out, c, y);
    if (left > 0) fill(plan, to, left);
    if (right > 0) fill(plan, to + (left + row.count) * size, right);
    if (fused)
      rows.out[c] = reinterpret_cast<std::uint16_t*>(to + left * size);
    else
      normalise(row, c, to + left * size, stream);
  }
  if (fused) convert_and_normalise(rows, row.count);
}

// NV12 and its kin to planes of halves, the case that cameras and decoders make common. False: not done.
bool write_semi_planar(const Plan& plan, const std::uint8_t* image, std::byte* out, std::int32_t y) {
  const bool semi_planar = plan.settings.format == Yuv420Sp || plan.settings.format == Yuv422Sp;
  if (!semi_planar || !plan.csc || plan.output.type != DType::F16 || plan.geometry.channels != 3 ||
      plan.output.layout != Layout::Nchw)
    return false;
  const Geometry& g = plan.geometry;
  const auto w = static_cast<std::size_t>(g.src_w);
  const auto row = static_cast<std::size_t>(g.crop_y + y - g.top);
  const auto x = static_cast<std::size_t>(g.crop_x);
  const auto count = static_cast<std::size_t>(g.crop_w);
  const auto left = static_cast<std::size_t>(g.left);
  const std::size_t chroma_row = plan.settings.format == Yuv420Sp ? row / 2 : row;
  SemiPlanarRows rows{&plan,
                      image + row * w + x,
                      image + w * static_cast<std::size_t>(g.src_h) + chroma_row * w + x,
                      {},
                      plan.output_bytes >= kStreamFrom};
  std::byte* to[3];
  for (int c = 0; c < 3; ++c) {
    to[c] = planar_row(plan, out, c, y);
    rows.out[c] = reinterpret_cast<std::uint16_t*>(to[c]) + left;
  }
  if (!convert_semi_planar(rows, count)) return false;
  for (std::byte* begin : to) {
    fill(plan, begin, left);
    fill(plan, begin + 2 * (left + count), static_cast<std::size_t>(g.right));
  }
  return true;
}

// Interleaved outputs: `lanes` elements a pixel, of which the first `channels` are used.
void write_interleaved(Row& row, std::byte* out, std::int32_t y) {
  const Plan& plan = row.plan;
  const std::size_t size = plan.element_size();
  const auto channels = static_cast<std::size_t>(plan.geometry.channels);
  const std::size_t lanes = plan.c0 > 1 ? static_cast<std::size_t>(plan.c0) : channels;
  const auto width = static_cast<std::size_t>(plan.geometry.out_w);
  std::byte* to = out + static_cast<std::size_t>(y) * width * lanes * size;
  const auto left = static_cast<std::size_t>(plan.geometry.left);
  if (plan.csc) convert_in_place(row);
  for (std::size_t c = 0; c < channels; ++c)
    normalise(row, static_cast<int>(c), row.scratch.elements(static_cast<int>(c)), false);
  if (lanes > channels) std::memset(to, 0, width * lanes * size);
  const std::byte* planes[4] = {row.scratch.elements(0), row.scratch.elements(1), row.scratch.elements(2),
                                row.scratch.elements(3)};
  std::byte* inner = to + left * lanes * size;
  if (lanes == 3 && channels == 3) {
    join_planes3(planes, row.count, size, inner);
  } else {
    for (std::size_t x = 0; x < row.count; ++x)
      for (std::size_t c = 0; c < channels; ++c)
        std::memcpy(inner + (x * lanes + c) * size, planes[c] + x * size, size);
  }
  for (std::size_t x = 0; x < width; ++x) {
    if (x == left) x += row.count;
    if (x < width) fill(plan, to + x * lanes * size, channels);
  }
}

void write_border(const Plan& plan, std::byte* out, std::int32_t y) {
  const auto width = static_cast<std::size_t>(plan.geometry.out_w);
  if (plan.output.layout == Layout::Nchw) {
    for (int c = 0; c < plan.geometry.channels; ++c) fill(plan, planar_row(plan, out, c, y), width);
    return;
  }
  const std::size_t size = plan.element_size();
  const auto channels = static_cast<std::size_t>(plan.geometry.channels);
  const std::size_t lanes = plan.c0 > 1 ? static_cast<std::size_t>(plan.c0) : channels;
  std::byte* to = out + static_cast<std::size_t>(y) * width * lanes * size;
  if (lanes == channels) {
    fill(plan, to, width * lanes);
    return;
  }
  std::memset(to, 0, width * lanes * size);
  for (std::size_t x = 0; x < width; ++x) fill(plan, to + x * lanes * size, channels);
}

constexpr std::size_t kMargin = 64;  // a cache line, so that planes do not share one

}  // namespace

RowScratch::RowScratch(const Plan& plan)
    : stride_((static_cast<std::size_t>(plan.geometry.crop_w) + 2 * kMargin) / kMargin * kMargin),
      element_stride_(stride_ * 4),
      bytes_(4 * stride_),
      elements_(plan.output.layout == Layout::Nchw ? 0 : 4 * element_stride_) {}

void run_rows(const Plan& plan, RowScratch& scratch, const std::uint8_t* image, std::byte* out,
              std::int32_t first, std::int32_t last) {
  for (std::int32_t y = first; y < last; ++y) {
    const std::int32_t inner = y - plan.geometry.top;
    if (inner < 0 || inner >= plan.geometry.scaled_h) {
      write_border(plan, out, y);
      continue;
    }
    if (write_semi_planar(plan, image, out, y)) continue;
    Row row{plan, scratch, {}, static_cast<std::size_t>(plan.geometry.crop_w)};
    load_row(row, image, inner);
    if (plan.output.layout == Layout::Nchw)
      write_planar(row, out, y);
    else
      write_interleaved(row, out, y);
  }
  if (plan.output_bytes >= kStreamFrom) finish_streaming();
}

}  // namespace npubin::aipp
