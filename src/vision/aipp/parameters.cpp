// The dynamic parameter block (aipp spec 6).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "npubin/aipp.h"
#include "npubin/half.h"

namespace npubin::aipp {
namespace {

constexpr std::size_t kHead = 64;
constexpr std::size_t kItem = 96;

std::int32_t i32(const std::byte* at) {
  return load<std::int32_t>(at);
}
bool switched(const std::byte* at) {
  return load<std::int8_t>(at) != 0;
}

ParameterItem read_item(const std::byte* at) {
  ParameterItem out;
  out.crop = switched(at);
  out.resize = switched(at + 1);
  out.padding = switched(at + 2);
  out.rotate = switched(at + 3);
  out.crop_x = i32(at + 8);
  out.crop_y = i32(at + 12);
  out.crop_w = i32(at + 16);
  out.crop_h = i32(at + 20);
  out.resize_in_w = i32(at + 24);
  out.resize_in_h = i32(at + 28);
  out.resize_out_w = i32(at + 32);
  out.resize_out_h = i32(at + 36);
  out.pad_top = i32(at + 40);
  out.pad_bottom = i32(at + 44);
  out.pad_left = i32(at + 48);
  out.pad_right = i32(at + 52);
  for (std::size_t c = 0; c < 4; ++c) {
    out.mean[c] = load<std::int16_t>(at + 56 + 2 * c);
    out.min[c] = half_to_float(load<std::uint16_t>(at + 64 + 2 * c));
    out.var_reci[c] = half_to_float(load<std::uint16_t>(at + 72 + 2 * c));
  }
  return out;
}

void write_item(const ParameterItem& item, std::byte* at) {
  const auto flag = [&](std::size_t offset, bool on) { at[offset] = static_cast<std::byte>(on ? 1 : 0); };
  flag(0, item.crop);
  flag(1, item.resize);
  flag(2, item.padding);
  flag(3, item.rotate);
  const std::int32_t words[] = {item.crop_x,      item.crop_y,      item.crop_w,       item.crop_h,
                                item.resize_in_w, item.resize_in_h, item.resize_out_w, item.resize_out_h,
                                item.pad_top,     item.pad_bottom,  item.pad_left,     item.pad_right};
  for (std::size_t i = 0; i < std::size(words); ++i) store<std::int32_t>(at + 8 + 4 * i, words[i]);
  for (std::size_t c = 0; c < 4; ++c) {
    store<std::int16_t>(at + 56 + 2 * c, item.mean[c]);
    store<std::uint16_t>(at + 64 + 2 * c, float_to_half(item.min[c]));
    store<std::uint16_t>(at + 72 + 2 * c, float_to_half(item.var_reci[c]));
  }
}

Result<std::size_t> items_of(ByteSpan data) {
  if (data.size() < kHead)
    return malformed(Location::at(data.size()),
                     fmt::format("a parameter block is 64 + 96 N bytes long, this one has {}", data.size()),
                     {}, "AIP-0601");
  const int count = load<std::int8_t>(data.data() + 4);
  if (count <= 0)
    return malformed(Location::at(4, "batchNum"), fmt::format("batchNum is {}, and must be 1 to 127", count),
                     {}, "AIP-0602");
  const std::size_t wanted = kHead + kItem * static_cast<std::size_t>(count);
  if (data.size() != wanted)
    return malformed(Location::at(std::min(data.size(), wanted)),
                     fmt::format("a block for a batch of {} is {} bytes long, this one has {}", count, wanted,
                                 data.size()),
                     {}, "AIP-0601");
  return static_cast<std::size_t>(count);
}

}  // namespace

Result<ParameterBlock> read_parameters(ByteSpan data) {
  NPUBIN_TRY(const std::size_t count, items_of(data));
  ParameterBlock out;
  const std::byte* at = data.data();
  out.format_number = load<std::uint8_t>(at);
  if (find_format_by_block_number(out.format_number) == nullptr)
    return malformed(
        Location::at(0, "inputFormat"), fmt::format("inputFormat {} is not known", out.format_number),
        "the block numbers formats by itself: 1 YUV420SP, 2 XRGB8888, 5 RGB888, 10 YUV400, ...", "AIP-0603");
  out.csc = switched(at + 1);
  out.swap_rb_uv = switched(at + 2);
  out.swap_ax = switched(at + 3);
  out.src_w = i32(at + 8);
  out.src_h = i32(at + 12);
  for (std::size_t i = 0; i < 9; ++i) out.matrix[i] = load<std::int16_t>(at + 16 + 2 * i);
  for (std::size_t i = 0; i < 3; ++i) {
    out.output_bias[i] = load<std::uint8_t>(at + 40 + i);
    out.input_bias[i] = load<std::uint8_t>(at + 43 + i);
  }
  for (std::size_t i = 0; i < count; ++i) out.items.push_back(read_item(at + kHead + kItem * i));
  return out;
}

std::vector<std::byte> write_parameters(const ParameterBlock& block) {
  std::vector<std::byte> out(kHead + kItem * block.items.size());
  std::byte* at = out.data();
  const auto byte = [&](std::size_t offset, std::size_t value) {
    at[offset] = static_cast<std::byte>(value);
  };
  byte(0, block.format_number);
  byte(1, block.csc ? 1 : 0);
  byte(2, block.swap_rb_uv ? 1 : 0);
  byte(3, block.swap_ax ? 1 : 0);
  byte(4, block.items.size());
  store<std::int32_t>(at + 8, block.src_w);
  store<std::int32_t>(at + 12, block.src_h);
  for (std::size_t i = 0; i < 9; ++i) store<std::int16_t>(at + 16 + 2 * i, block.matrix[i]);
  for (std::size_t i = 0; i < 3; ++i) {
    byte(40 + i, block.output_bias[i]);
    byte(43 + i, block.input_bias[i]);
  }
  for (std::size_t i = 0; i < block.items.size(); ++i) write_item(block.items[i], at + kHead + kItem * i);
  return out;
}

Settings settings_of(const ParameterBlock& block, std::size_t index) {
  const ParameterItem& item = block.items[index];
  Settings out;
  if (const FormatFacts* facts = find_format_by_block_number(block.format_number)) out.format = facts->format;
  out.src_w = block.src_w;
  out.src_h = block.src_h;
  out.swap_rb_uv = block.swap_rb_uv;
  out.swap_ax = block.swap_ax;
  out.csc = block.csc;
  std::copy(block.matrix.begin(), block.matrix.end(), out.matrix.begin());
  std::copy(block.input_bias.begin(), block.input_bias.end(), out.input_bias.begin());
  std::copy(block.output_bias.begin(), block.output_bias.end(), out.output_bias.begin());
  out.crop = item.crop;
  out.crop_x = item.crop_x;
  out.crop_y = item.crop_y;
  out.crop_w = item.crop_w;
  out.crop_h = item.crop_h;
  out.resize = item.resize;
  out.resize_w = item.resize_out_w;
  out.resize_h = item.resize_out_h;
  out.padding = item.padding;
  out.pad_left = item.pad_left;
  out.pad_right = item.pad_right;
  out.pad_top = item.pad_top;
  out.pad_bottom = item.pad_bottom;
  std::copy(item.mean.begin(), item.mean.end(), out.mean.begin());
  out.min = item.min;
  out.var_reci = item.var_reci;
  return out;
}

}  // namespace npubin::aipp
