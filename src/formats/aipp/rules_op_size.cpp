// What the operator's build refuses about formats and sizes (aipp spec 2 and 3). Negative sizes are GE's.
#include <array>

#include <fmt/format.h>

#include "formats/aipp/rules.h"

namespace npubin::aipp {
namespace {

using F = FieldId;

F pick(bool horizontal, F w, F h) {
  return horizontal ? w : h;
}
std::int64_t size_of_field(const BlockCase& c, bool horizontal, F w, F h) {
  return c.block.integer(pick(horizontal, w, h));
}
bool within(std::int64_t value, std::int64_t low, std::int64_t high) {
  return value >= low && value <= high;
}
bool changes_size(const BlockCase& c) {
  return c.block.on(F::crop) || c.block.on(F::resize) || c.block.on(F::padding);
}

std::int64_t source_low(bool horizontal) {
  return horizontal ? 2 : 1;
}
bool source_in_range(const BlockCase& c, bool horizontal) {
  const std::int64_t size = size_of_field(c, horizontal, F::src_image_size_w, F::src_image_size_h);
  return size == 0 || within(size, source_low(horizontal), 4096);
}
bool crop_in_range(const BlockCase& c, bool horizontal) {
  return within(size_of_field(c, horizontal, F::load_start_pos_w, F::load_start_pos_h), 0, 4095) &&
         within(size_of_field(c, horizontal, F::crop_size_w, F::crop_size_h), 0, 4096);
}
bool crop_size_missing(const BlockCase& c, bool horizontal) {
  return c.block.on(F::crop) && (c.block.on(F::resize) || c.block.on(F::padding)) &&
         size_of_field(c, horizontal, F::crop_size_w, F::crop_size_h) == 0;
}
bool sound(const BlockCase& c, bool horizontal) {
  return source_in_range(c, horizontal) && (!c.block.on(F::crop) || crop_in_range(c, horizontal)) &&
         !crop_size_missing(c, horizontal);
}

void known_format(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.block.format() == InputFormat::Undefined || c.format != nullptr) return;
  report.add("AIP-0301", F::input_format,
             fmt::format("input_format {} is a number that the schema does not know",
                         c.block.integer(F::input_format)),
             "use a format by name, e.g. RGB888_U8");
}

void chip_format(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.format == nullptr || !c.chip || chip_takes(*c.chip, c.format->format)) return;
  std::string known;
  for (const FormatFacts& facts : all_formats())
    if (chip_takes(*c.chip, facts.format))
      known += fmt::format("{}{}", known.empty() ? "" : ", ", facts.name);
  report.add("AIP-0302", F::input_format,
             fmt::format("{} does not take {}", c.surroundings.soc, c.format->name), "it takes " + known);
}

void channels(const BlockCase& c, Report& report) {
  if (!c.is_static() || c.format == nullptr || c.input == nullptr || c.format->channels == 0) return;
  const std::int64_t wanted = c.format->channels;
  if (c.input->c == wanted || (c.format->may_keep_fourth && c.input->c == 4)) return;
  // The grey recipe leaves one channel that means anything (aipp spec 9).
  Matrix matrix{};
  for (std::size_t i = 0; i < 9; ++i)
    matrix[i] = static_cast<std::int32_t>(c.block.integer(nth(F::matrix_r0c0, i), 1));
  if (c.input->c == 1 && c.block.on(F::csc_switch) && is_grey_recipe(matrix)) return;
  report.add("AIP-0303", F::input_format,
             fmt::format("{} gives {} channel{}, the network has {}", c.format->name, wanted,
                         wanted == 1 ? "" : "s", c.input->c),
             "check the network's shape (N,C,H,W), or choose another format");
}

void source_range(const BlockCase& c, Report& report) {
  if (!c.is_static()) return;
  for (bool horizontal : {true, false}) {
    const F field = pick(horizontal, F::src_image_size_w, F::src_image_size_h);
    const std::int64_t size = c.block.integer(field);
    if (size >= 0 && !source_in_range(c, horizontal))
      report.add("AIP-0304", field,
                 fmt::format("{} is {}, and must be within {} to 4096", info(field).name, size,
                             source_low(horizontal)),
                 "0 stands for the network's size");
  }
}

void source_needed(const BlockCase& c, Report& report) {
  if (!c.is_static() || !changes_size(c) || !c.fixed_size()) return;
  for (bool horizontal : {true, false}) {
    const F field = pick(horizontal, F::src_image_size_w, F::src_image_size_h);
    if (c.block.integer(field) == 0)
      report.add("AIP-0305", field,
                 fmt::format("{} must be above 0 when crop, resize or padding is on", info(field).name),
                 "write the size of the source picture");
  }
}

void source_is_network(const BlockCase& c, Report& report) {
  if (!c.is_static() || changes_size(c)) return;
  for (bool horizontal : {true, false}) {
    const F field = pick(horizontal, F::src_image_size_w, F::src_image_size_h);
    const std::int64_t size = c.block.integer(field);
    const auto network = c.network(horizontal);
    if (size > 0 && network && size != *network && source_in_range(c, horizontal))
      report.add("AIP-0306", field,
                 fmt::format("{} is {}, the network's is {}, and neither crop, resize nor padding is on",
                             info(field).name, size, *network),
                 "crop, pad, or scale the picture before");
  }
}

void crop_range(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::crop)) return;
  for (bool horizontal : {true, false}) {
    const F start = pick(horizontal, F::load_start_pos_w, F::load_start_pos_h);
    const F size = pick(horizontal, F::crop_size_w, F::crop_size_h);
    if (const std::int64_t value = c.block.integer(start); value > 4095)
      report.add("AIP-0307", start,
                 fmt::format("{} is {}, and must be within 0 to 4095", info(start).name, value));
    const std::int64_t value = c.block.integer(size);
    if (value > 4096 || (value < 0 && !horizontal))
      report.add("AIP-0308", size,
                 fmt::format("{} is {}, and must be within 0 to 4096", info(size).name, value));
  }
}

void crop_size_needed(const BlockCase& c, Report& report) {
  if (!c.is_static()) return;
  for (bool horizontal : {true, false})
    if (crop_size_missing(c, horizontal)) {
      const F field = pick(horizontal, F::crop_size_w, F::crop_size_h);
      report.add("AIP-0309", field,
                 fmt::format("{} must be set when crop goes with resize or padding", info(field).name),
                 "0 stands for the network's size only when crop is alone");
    }
}

void crop_inside(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::crop)) return;
  for (bool horizontal : {true, false}) {
    const F field = pick(horizontal, F::crop_size_w, F::crop_size_h);
    const auto size = c.cropped(horizontal);
    const std::int64_t source = size_of_field(c, horizontal, F::src_image_size_w, F::src_image_size_h);
    const std::int64_t start = size_of_field(c, horizontal, F::load_start_pos_w, F::load_start_pos_h);
    if (!size || source <= 0 || !sound(c, horizontal) || start + *size <= source) continue;
    report.add("AIP-0310", field,
               fmt::format("the crop reaches {} pixels beyond the source: {} + {} > {}",
                           start + *size - source, start, *size, source),
               "move or shrink the crop");
  }
}

void crop_is_network(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::crop) || c.block.on(F::resize) || c.block.on(F::padding)) return;
  for (bool horizontal : {true, false}) {
    const F field = pick(horizontal, F::crop_size_w, F::crop_size_h);
    const auto network = c.network(horizontal);
    const std::int64_t size = c.block.integer(field);
    if (network && size != 0 && size != *network && sound(c, horizontal))
      report.add("AIP-0311", field,
                 fmt::format("{} is {}, the network's is {}", info(field).name, size, *network),
                 "without resize and padding the crop must be of the network's size");
  }
}

void resize_chip(const BlockCase& c, Report& report) {
  if (c.is_static() && c.block.on(F::resize) && c.chip && *c.chip != ChipFamily::Hi3796)
    report.add("AIP-0312", F::resize,
               fmt::format("{} does not resize: only Hi3796CV300ES and Hi3796CV300CS do", c.surroundings.soc),
               "scale the picture before it gets to the chip");
}

void resize_range(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::resize)) return;
  for (bool horizontal : {true, false}) {
    const F out_field = pick(horizontal, F::resize_output_w, F::resize_output_h);
    const F in_field = c.block.on(F::crop) ? pick(horizontal, F::crop_size_w, F::crop_size_h)
                                           : pick(horizontal, F::src_image_size_w, F::src_image_size_h);
    const std::int64_t in = c.block.integer(in_field);
    const std::int64_t out = c.block.integer(out_field);
    const std::int64_t high = horizontal ? 1920 : 4096;
    const bool in_fits = within(in, 16, 4096);
    const bool out_fits = within(out, 16, high);
    if (!in_fits && in > 0 && sound(c, horizontal))
      report.add("AIP-0313", in_field,
                 fmt::format("resize takes 16 to 4096 pixels, {} is {}", info(in_field).name, in));
    if (!out_fits && out >= 0)
      report.add("AIP-0314", out_field,
                 fmt::format("{} is {}, and must be within 16 to {}", info(out_field).name, out, high));
    if (in_fits && out_fits && (out > in * 16 || in > out * 16))
      report.add("AIP-0315", out_field,
                 fmt::format("resize from {} to {}: the ratio must be within 1/16 to 16", in, out));
    const auto network = c.network(horizontal);
    if (in_fits && out_fits && !c.block.on(F::padding) && network && out != *network)
      report.add("AIP-0316", out_field,
                 fmt::format("{} is {}, the network's is {}", info(out_field).name, out, *network),
                 "without padding the resized picture must be of the network's size");
  }
}

struct Pads {
  F first, second;
};
Pads pads(bool horizontal) {
  return horizontal ? Pads{F::left_padding_size, F::right_padding_size}
                    : Pads{F::top_padding_size, F::bottom_padding_size};
}
bool pads_in_range(const BlockCase& c, bool horizontal) {
  const Pads p = pads(horizontal);
  return within(c.block.integer(p.first), 0, 32) && within(c.block.integer(p.second), 0, 32);
}
// Width or height after padding.
std::optional<std::int64_t> padded(const BlockCase& c, bool horizontal) {
  const auto inner = c.block.on(F::resize)
                         ? std::optional(size_of_field(c, horizontal, F::resize_output_w, F::resize_output_h))
                         : c.cropped(horizontal);
  if (!inner) return std::nullopt;
  const Pads p = pads(horizontal);
  return *inner + c.block.integer(p.first) + c.block.integer(p.second);
}

void padding_range(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::padding)) return;
  for (F field : {F::left_padding_size, F::right_padding_size, F::top_padding_size, F::bottom_padding_size})
    if (const std::int64_t size = c.block.integer(field); size > 32)
      report.add("AIP-0317", field,
                 fmt::format("{} is {}: the largest padding is 32", info(field).name, size),
                 "pad before the chip");
}

void padding_sum(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::padding)) return;
  for (bool horizontal : {true, false}) {
    const auto total = padded(c, horizontal);
    const auto network = c.network(horizontal);
    const bool has_source = size_of_field(c, horizontal, F::src_image_size_w, F::src_image_size_h) > 0;
    if (!total || !network || *total == *network || !pads_in_range(c, horizontal) || !sound(c, horizontal) ||
        !has_source)
      continue;
    const Pads p = pads(horizontal);
    report.add("AIP-0318", p.first,
               fmt::format("the padded {} is {} ({} + {} + {}), the network's is {}",
                           horizontal ? "width" : "height", *total,
                           *total - c.block.integer(p.first) - c.block.integer(p.second),
                           c.block.integer(p.first), c.block.integer(p.second), *network),
               "picture and padding must add up to the network's size");
  }
}

void padding_width(const BlockCase& c, Report& report) {
  if (!c.is_static() || !c.block.on(F::padding) || !c.chip) return;
  const bool old = *c.chip == ChipFamily::Ascend310 || *c.chip == ChipFamily::Ascend610 ||
                   *c.chip == ChipFamily::Ascend710;
  if (!old && *c.chip != ChipFamily::Hi3796) return;
  const std::int64_t limit = old ? 1080 : 4096;
  const auto width = padded(c, true);
  if (width && *width > limit && pads_in_range(c, true) && sound(c, true))
    report.add("AIP-0319", F::left_padding_size,
               fmt::format("the padded width is {}: {} goes up to {}", *width, c.surroundings.soc, limit),
               "pad before the chip");
}

constexpr std::array<BlockRule, 15> kSizeRules{
    known_format,      chip_format,  channels,         source_range, source_needed,
    source_is_network, crop_range,   crop_size_needed, crop_inside,  crop_is_network,
    resize_chip,       resize_range, padding_range,    padding_sum,  padding_width};

}  // namespace

std::span<const BlockRule> op_size_rules() {
  return kSizeRules;
}

}  // namespace npubin::aipp
