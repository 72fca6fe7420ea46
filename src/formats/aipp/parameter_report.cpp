#include "formats/aipp/parameter_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/aipp/findings.h"
#include "formats/aipp/training_terms.h"
#include "npubin/half.h"

namespace npubin::aipp {
namespace {

template <class Values>
Datum numbers(const Values& values) {
  Datum out = Datum(Datum::Array{});
  for (const auto value : values) out.push(value);
  return out;
}

Location at_item(std::size_t item, std::size_t offset, std::string path) {
  return Location::at(64 + 96 * item + offset, fmt::format("item[{}].{}", item, path));
}

}  // namespace

Node describe_parameters(const ParameterBlock& block) {
  const FormatFacts* facts = find_format_by_block_number(block.format_number);
  Node root("parameters", "AIPP parameter block");
  root.field_text("input_format", facts == nullptr ? Datum() : Datum(facts->name),
                  facts == nullptr ? std::string("unknown")
                                   : fmt::format("{} ({} in the block)", facts->name, block.format_number));
  root.field("batch", block.items.size());
  root.field("src", numbers(std::array{block.src_w, block.src_h}));
  root.field("rbuv_swap", block.swap_rb_uv);
  root.field("ax_swap", block.swap_ax);
  root.field("csc", block.csc);
  if (block.csc) {
    root.field("csc_standard", csc_title(settings_of(block, 0), 9));
    root.field("matrix", numbers(block.matrix));
    root.field("input_bias", numbers(block.input_bias));
    root.field("output_bias", numbers(block.output_bias));
  }
  Node& items = root.child("items", "pictures");
  items.list = true;
  for (std::size_t i = 0; i < block.items.size(); ++i) {
    const Settings s = settings_of(block, i);
    const ParameterItem& item = block.items[i];
    Node& node = items.child("item", fmt::format("picture {}", i));
    node.field("crop",
               item.crop ? numbers(std::array{item.crop_x, item.crop_y, item.crop_w, item.crop_h}) : Datum());
    node.field("resize", item.resize ? numbers(std::array{item.resize_out_w, item.resize_out_h}) : Datum());
    node.field("padding", item.padding ? numbers(std::array{item.pad_left, item.pad_right, item.pad_top,
                                                            item.pad_bottom})
                                       : Datum());
    node.field("rotate", item.rotate);
    node.field("mean", numbers(item.mean));
    node.field("min", numbers(item.min));
    node.field("var_reci", numbers(item.var_reci));
    node.field("normalisation", to_string(training_terms(s, channels_of(s))));
  }
  return root;
}

void check_parameters(const ParameterBlock& block, const std::optional<NetworkInput>& network,
                      std::uint64_t max_src_image_size, Diagnostics& out) {
  std::optional<Geometry> first;
  for (std::size_t i = 0; i < block.items.size(); ++i) {
    const Settings s = settings_of(block, i);
    NetworkInput wanted = network.value_or(NetworkInput{1, channels_of(s), 0, 0});
    const auto geometry = resolve_geometry(s, wanted);
    if (!geometry) {
      out.add(finding("AIP-0604", at_item(i, 0, "crop"), {},
                      fmt::format("picture {}: {}", i, geometry.error().message), "correct the sizes"));
      continue;
    }
    if (first && (geometry->out_w != first->out_w || geometry->out_h != first->out_h))
      out.add(finding("AIP-0605", at_item(i, 0, "size"), {},
                      fmt::format("picture {} comes out as {} x {}, picture 0 as {} x {}", i, geometry->out_w,
                                  geometry->out_h, first->out_w, first->out_h),
                      "all pictures of a batch must come out in one size"));
    if (!first) first = *geometry;
    if (block.items[i].rotate)
      out.add(finding("AIP-0606", at_item(i, 3, "rotate"), {}, fmt::format("picture {} is to be rotated", i),
                      "rotation is reserved: npubin cannot compute it"));
  }
  if (network && network->n != static_cast<std::int32_t>(block.items.size()))
    out.add(finding(
        "AIP-0607", Location::at(4, "batchNum"), {},
        fmt::format("parameters for {} pictures, the network's batch is {}", block.items.size(), network->n),
        "one entry for each picture"));
  const FormatFacts* facts = find_format_by_block_number(block.format_number);
  const auto bytes = facts == nullptr ? Result<std::uint64_t>(std::uint64_t{0})
                                      : image_bytes(facts->format, block.src_w, block.src_h);
  if (bytes && max_src_image_size != 0 && *bytes * block.items.size() > max_src_image_size)
    out.add(finding("AIP-0608", Location::at(8, "srcImageSize"), {},
                    fmt::format("{} pictures of {} bytes do not fit max_src_image_size {}",
                                block.items.size(), *bytes, max_src_image_size),
                    "raise max_src_image_size in the config"));
}

Result<ParameterBlock> parameters_of(const Settings& s, std::int32_t batch) {
  const FormatFacts* facts = find_format(s.format);
  if (facts == nullptr || facts->block_number < 0)
    return usage_error(fmt::format("a parameter block cannot name the format {}",
                                   facts == nullptr ? "UNDEFINED" : facts->name));
  if (batch < 1 || batch > 127)
    return usage_error(fmt::format("a batch of {}: 1 to 127 are possible", batch));
  if (s.src_w == 0 || s.src_h == 0)
    return usage_error("a parameter block needs the source size",
                       "set src_image_size_w and src_image_size_h");
  ParameterBlock out;
  out.format_number = static_cast<std::uint8_t>(facts->block_number);
  out.csc = s.csc;
  out.swap_rb_uv = s.swap_rb_uv;
  out.swap_ax = s.swap_ax;
  out.src_w = s.src_w;
  out.src_h = s.src_h;
  if (s.csc) {
    for (std::size_t i = 0; i < 9; ++i)
      out.matrix[i] = static_cast<std::int16_t>(std::clamp(s.matrix[i], -32768, 32767));
    for (std::size_t i = 0; i < 3; ++i) {
      out.input_bias[i] = static_cast<std::uint8_t>(std::clamp(s.input_bias[i], 0, 255));
      out.output_bias[i] = static_cast<std::uint8_t>(std::clamp(s.output_bias[i], 0, 255));
    }
  }
  ParameterItem item;
  item.crop = s.crop;
  item.resize = s.resize;
  item.padding = s.padding;
  item.crop_x = s.crop_x;
  item.crop_y = s.crop_y;
  item.crop_w = s.crop_w;
  item.crop_h = s.crop_h;
  item.resize_in_w = s.resize ? (s.crop ? s.crop_w : s.src_w) : 0;
  item.resize_in_h = s.resize ? (s.crop ? s.crop_h : s.src_h) : 0;
  item.resize_out_w = s.resize_w;
  item.resize_out_h = s.resize_h;
  item.pad_left = s.pad_left;
  item.pad_right = s.pad_right;
  item.pad_top = s.pad_top;
  item.pad_bottom = s.pad_bottom;
  for (std::size_t c = 0; c < 4; ++c)
    item.mean[c] = static_cast<std::int16_t>(std::clamp(s.mean[c], -32768, 32767));
  for (std::size_t c = 0; c < 4; ++c) {
    item.min[c] = half_to_float(float_to_half(s.min[c]));
    item.var_reci[c] = half_to_float(float_to_half(s.var_reci[c]));
  }
  out.items.assign(static_cast<std::size_t>(batch), item);
  return out;
}

}  // namespace npubin::aipp
