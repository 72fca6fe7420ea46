// What is legal and yet hardly meant (aipp spec 7 and 9).
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "formats/aipp/rules.h"
#include "formats/aipp/settings.h"

namespace npubin::aipp {
namespace {

using F = FieldId;
using enum InputFormat;

bool applies(const BlockCase& c) {
  return !c.block.is_dynamic();
}

void crop_off(const BlockCase& c, Report& report) {
  if (!applies(c) || c.block.on(F::crop)) return;
  for (F field : {F::crop_size_w, F::crop_size_h, F::load_start_pos_w, F::load_start_pos_h})
    if (c.block.integer(field) != 0) {
      report.add("AIP-0401", field, fmt::format("{} has no effect: crop is off", info(field).name),
                 "set crop: true, or delete the line");
      return;
    }
}

void mean_and_min(const BlockCase& c, Report& report) {
  for (std::size_t i = 0; applies(c) && i < 4; ++i)
    if (c.block.number(nth(F::mean_chn_0, i)) != 0 && c.block.number(nth(F::min_chn_0, i)) != 0) {
      report.add("AIP-0402", nth(F::min_chn_0, i),
                 fmt::format("mean_chn_{0} and min_chn_{0} are both subtracted", i), "keep one of the two");
      return;
    }
}

// The first cell that is set, and how many are.
std::pair<F, int> matrix_cells(const Block& block) {
  F first = F::csc_switch;
  int count = 0;
  for (std::size_t i = 0; i < 9; ++i)
    if (block.present(nth(F::matrix_r0c0, i))) {
      if (count == 0) first = nth(F::matrix_r0c0, i);
      ++count;
    }
  return {first, count};
}

void matrix_without_switch(const BlockCase& c, Report& report) {
  if (!applies(c) || c.block.on(F::csc_switch)) return;
  if (const auto [first, count] = matrix_cells(c.block); count > 0)
    report.add("AIP-0403", first, "the matrix has no effect: csc_switch is off",
               "set csc_switch: true, or delete the matrix");
}

void switch_without_matrix(const BlockCase& c, Report& report) {
  if (!applies(c) || !c.block.on(F::csc_switch) || c.format == nullptr) return;
  const auto [first, count] = matrix_cells(c.block);
  if (count == 0)
    report.add("AIP-0404", F::csc_switch,
               c.format->format == Yuv420Sp ? "csc_switch is on without a matrix: the picture is taken as "
                                              "BT.601 narrow, and the network gets BGR"
               : c.format->family == PixelFamily::Rgb
                   ? "csc_switch is on without a matrix: the network gets YUV, not RGB"
                   : "csc_switch is on without a matrix: the default one is for RGB sources",
               "write the nine cells and the biases of the standard that is meant");
  else if (count < 9)
    report.add("AIP-0405", first,
               fmt::format("{} of the nine cells are set: the others silently take their defaults", count),
               "write all nine");
}

void colour_standard(const BlockCase& c, Report& report) {
  if (!applies(c) || !c.block.on(F::csc_switch) || c.format == nullptr || matrix_cells(c.block).second < 9)
    return;
  const Settings settings = settings_of_block(c.block);
  const auto match = match_csc(settings.matrix);
  if (!match) return;
  const bool yuv = c.format->family == PixelFamily::Yuv;
  if (match->from_yuv != yuv) {
    report.add("AIP-0407", F::matrix_r0c0,
               fmt::format("the matrix is {}, but the source is {}", match->title(), c.format->name),
               "take the matrix for the source's format");
    return;
  }
  const auto& wanted = yuv ? match->standard->input_bias : match->standard->output_bias;
  const auto& given = yuv ? settings.input_bias : settings.output_bias;
  for (std::size_t i = 0; i < 3; ++i)
    if (wanted[i] != given[i]) {
      const F field = nth(yuv ? F::input_bias_0 : F::output_bias_0, i);
      report.add("AIP-0406", field,
                 fmt::format("{} is {}{}, but the matrix ({}) goes with {}", info(field).name, given[i],
                             c.block.present(field) ? "" : " by default", match->title(), wanted[i]),
                 fmt::format("write {}: {}", info(field).name, wanted[i]));
      return;
    }
}

void idle_swaps(const BlockCase& c, Report& report) {
  if (!applies(c) || c.format == nullptr) return;
  const InputFormat format = c.format->format;
  if (c.block.on(F::ax_swap_switch) && format != Xrgb8888 && format != Argb8888 && format != Ayuv444)
    report.add("AIP-0408", F::ax_swap_switch,
               fmt::format("ax_swap_switch has no effect on {}", c.format->name), "delete the line");
  if (c.block.on(F::rbuv_swap_switch) &&
      (c.format->family == PixelFamily::Grey || c.format->family == PixelFamily::Raw))
    report.add("AIP-0409", F::rbuv_swap_switch,
               fmt::format("rbuv_swap_switch has no effect on {}", c.format->name), "delete the line");
}

void reciprocal_in_min(const BlockCase& c, Report& report) {
  for (std::size_t i = 0; applies(c) && i < 4; ++i) {
    const double value = c.block.number(nth(F::min_chn_0, i));
    if (value > 0 && value < 0.05 && c.block.number(nth(F::var_reci_chn_0, i), 1) == 1) {
      report.add("AIP-0410", nth(F::min_chn_0, i),
                 fmt::format("min_chn_{} is {:.6g}: it is subtracted from pixels of 0 to 255", i, value),
                 fmt::format("a factor is written as var_reci_chn_{}", i));
      return;
    }
  }
}

void deviation_for_reciprocal(const BlockCase& c, Report& report) {
  for (std::size_t i = 0; applies(c) && i < 4; ++i) {
    const double value = std::abs(c.block.number(nth(F::var_reci_chn_0, i), 1));
    if (!((value >= 0.15 && value <= 0.4) || value > 2)) continue;
    const double std = value > 2 ? value / 255 : value;
    report.add(
        "AIP-0411", nth(F::var_reci_chn_0, i),
        fmt::format("var_reci_chn_{} is {:.6g}, which looks like a standard deviation", i, value),
        fmt::format("it is a factor: 1 / (255 x std), {:.6g} for a std of {:.4g}", 1 / (255 * std), std));
    return;
  }
}

void reserved(const BlockCase& c, Report& report) {
  for (F field : {F::support_rotation, F::single_line_mode, F::cpadding_value})
    if (c.block.number(field) != 0)
      report.add("AIP-0412", field, fmt::format("{} is reserved and has no effect", info(field).name),
                 "delete the line");
}

void dynamic_ignores(const BlockCase& c, Report& report) {
  if (c.block.is_static() && c.block.present(F::max_src_image_size))
    report.add("AIP-0415", F::max_src_image_size, "max_src_image_size has no effect in static mode",
               "delete the line");
  if (!c.block.is_dynamic()) return;
  for (const FieldInfo& field : fields()) {
    const bool own =
        field.id <= F::support_rotation || field.id == F::cpadding_value || field.id == F::single_line_mode;
    if (own || !c.block.present(field.id)) continue;
    report.add("AIP-0413", field.id, fmt::format("{} has no effect in dynamic mode", field.name),
               "it comes with the parameter block at run time (`npubin aipp params`)");
    return;
  }
}

void idle_sizes(const BlockCase& c, Report& report) {
  if (!applies(c)) return;
  if (!c.block.on(F::resize))
    for (F field : {F::resize_output_w, F::resize_output_h})
      if (c.block.integer(field) != 0) {
        report.add("AIP-0414", field, fmt::format("{} has no effect: resize is off", info(field).name),
                   "set resize: true, or delete the line");
        break;
      }
  if (!c.block.on(F::padding))
    for (F field : {F::left_padding_size, F::right_padding_size, F::top_padding_size, F::bottom_padding_size,
                    F::padding_value})
      if (c.block.number(field) != 0) {
        report.add("AIP-0414", field, fmt::format("{} has no effect: padding is off", info(field).name),
                   "set padding: true, or delete the line");
        break;
      }
}

void network_type(const BlockCase& c, Report& report) {
  if (!applies(c) || c.input == nullptr) return;
  if (c.input->dtype == "int8")
    report.add("AIP-0421", F::input_format,
               "the arithmetic from uint8 pixels to an int8 network is not published",
               "npubin cannot compute it");
  if (c.input->dtype != "uint8") return;
  for (std::size_t i = 0; i < 4; ++i)
    for (F field : {nth(F::mean_chn_0, i), nth(F::min_chn_0, i), nth(F::var_reci_chn_0, i)}) {
      const double idle = field >= F::var_reci_chn_0 ? 1 : 0;
      if (c.block.number(field, idle) == idle) continue;
      report.add("AIP-0418", field,
                 fmt::format("{} has no effect: the network's input is uint8", info(field).name),
                 "delete it, or give the network an fp16 input");
      return;
    }
}

void name_and_framework(const BlockCase& c, Report& report) {
  const std::string& framework = c.surroundings.framework;
  if (framework.empty() || framework == "caffe" || framework == "0") return;
  if (!c.block.of(F::related_input_name).text.empty())
    report.add("AIP-0419", F::related_input_name,
               fmt::format("related_input_name is for Caffe models; this one is of {}", framework),
               "use related_input_rank");
}

constexpr std::array<BlockRule, 13> kLintRules{crop_off,
                                               mean_and_min,
                                               matrix_without_switch,
                                               switch_without_matrix,
                                               colour_standard,
                                               idle_swaps,
                                               reciprocal_in_min,
                                               deviation_for_reciprocal,
                                               reserved,
                                               dynamic_ignores,
                                               idle_sizes,
                                               network_type,
                                               name_and_framework};

}  // namespace

std::span<const BlockRule> lint_rules() {
  return kLintRules;
}

}  // namespace npubin::aipp
