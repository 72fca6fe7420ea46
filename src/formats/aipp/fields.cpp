#include "formats/aipp/fields.h"

#include <algorithm>
#include <array>
#include <vector>

namespace npubin::aipp {
namespace {

constexpr std::array<FieldInfo, kFieldCount> kFields{{
    {FieldId::aipp_mode, "aipp_mode", 1, FieldKind::Mode, false},
    {FieldId::related_input_rank, "related_input_rank", 2, FieldKind::UInt32, false},
    {FieldId::related_input_name, "related_input_name", 6, FieldKind::String, false},
    {FieldId::input_edge_idx, "input_edge_idx", 3, FieldKind::UInt32, true},
    {FieldId::max_src_image_size, "max_src_image_size", 4, FieldKind::UInt32, false},
    {FieldId::support_rotation, "support_rotation", 5, FieldKind::Bool, false},
    {FieldId::input_format, "input_format", 51, FieldKind::Format, false},
    {FieldId::csc_switch, "csc_switch", 52, FieldKind::Bool, false},
    {FieldId::cpadding_value, "cpadding_value", 53, FieldKind::Float, false},
    {FieldId::rbuv_swap_switch, "rbuv_swap_switch", 54, FieldKind::Bool, false},
    {FieldId::ax_swap_switch, "ax_swap_switch", 55, FieldKind::Bool, false},
    {FieldId::single_line_mode, "single_line_mode", 56, FieldKind::Bool, false},
    {FieldId::src_image_size_w, "src_image_size_w", 57, FieldKind::Int32, false},
    {FieldId::src_image_size_h, "src_image_size_h", 58, FieldKind::Int32, false},
    {FieldId::crop, "crop", 59, FieldKind::Bool, false},
    {FieldId::load_start_pos_w, "load_start_pos_w", 60, FieldKind::Int32, false},
    {FieldId::load_start_pos_h, "load_start_pos_h", 61, FieldKind::Int32, false},
    {FieldId::crop_size_w, "crop_size_w", 62, FieldKind::Int32, false},
    {FieldId::crop_size_h, "crop_size_h", 63, FieldKind::Int32, false},
    {FieldId::resize, "resize", 64, FieldKind::Bool, false},
    {FieldId::resize_output_w, "resize_output_w", 65, FieldKind::Int32, false},
    {FieldId::resize_output_h, "resize_output_h", 66, FieldKind::Int32, false},
    {FieldId::padding, "padding", 67, FieldKind::Bool, false},
    {FieldId::left_padding_size, "left_padding_size", 68, FieldKind::Int32, false},
    {FieldId::right_padding_size, "right_padding_size", 69, FieldKind::Int32, false},
    {FieldId::top_padding_size, "top_padding_size", 70, FieldKind::Int32, false},
    {FieldId::bottom_padding_size, "bottom_padding_size", 71, FieldKind::Int32, false},
    {FieldId::padding_value, "padding_value", 72, FieldKind::Float, false},
    {FieldId::mean_chn_0, "mean_chn_0", 10, FieldKind::Int32, false},
    {FieldId::mean_chn_1, "mean_chn_1", 11, FieldKind::Int32, false},
    {FieldId::mean_chn_2, "mean_chn_2", 12, FieldKind::Int32, false},
    {FieldId::mean_chn_3, "mean_chn_3", 19, FieldKind::Int32, false},
    {FieldId::min_chn_0, "min_chn_0", 13, FieldKind::Float, false},
    {FieldId::min_chn_1, "min_chn_1", 14, FieldKind::Float, false},
    {FieldId::min_chn_2, "min_chn_2", 15, FieldKind::Float, false},
    {FieldId::min_chn_3, "min_chn_3", 20, FieldKind::Float, false},
    {FieldId::var_reci_chn_0, "var_reci_chn_0", 16, FieldKind::Float, true},
    {FieldId::var_reci_chn_1, "var_reci_chn_1", 17, FieldKind::Float, true},
    {FieldId::var_reci_chn_2, "var_reci_chn_2", 18, FieldKind::Float, true},
    {FieldId::var_reci_chn_3, "var_reci_chn_3", 21, FieldKind::Float, true},
    {FieldId::matrix_r0c0, "matrix_r0c0", 30, FieldKind::Int32, true},
    {FieldId::matrix_r0c1, "matrix_r0c1", 31, FieldKind::Int32, true},
    {FieldId::matrix_r0c2, "matrix_r0c2", 32, FieldKind::Int32, true},
    {FieldId::matrix_r1c0, "matrix_r1c0", 33, FieldKind::Int32, true},
    {FieldId::matrix_r1c1, "matrix_r1c1", 34, FieldKind::Int32, true},
    {FieldId::matrix_r1c2, "matrix_r1c2", 35, FieldKind::Int32, true},
    {FieldId::matrix_r2c0, "matrix_r2c0", 36, FieldKind::Int32, true},
    {FieldId::matrix_r2c1, "matrix_r2c1", 37, FieldKind::Int32, true},
    {FieldId::matrix_r2c2, "matrix_r2c2", 38, FieldKind::Int32, true},
    {FieldId::output_bias_0, "output_bias_0", 39, FieldKind::Int32, true},
    {FieldId::output_bias_1, "output_bias_1", 40, FieldKind::Int32, true},
    {FieldId::output_bias_2, "output_bias_2", 41, FieldKind::Int32, true},
    {FieldId::input_bias_0, "input_bias_0", 42, FieldKind::Int32, true},
    {FieldId::input_bias_1, "input_bias_1", 43, FieldKind::Int32, true},
    {FieldId::input_bias_2, "input_bias_2", 44, FieldKind::Int32, true},
    {FieldId::raw_rgbir_to_f16_n, "raw_rgbir_to_f16_n", 45, FieldKind::UInt32, false},
}};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const FieldInfo> fields() {
  return kFields;
}
const FieldInfo& info(FieldId id) {
  return kFields[static_cast<std::size_t>(id)];
}
const FieldInfo* find_field(std::string_view name) {
  for (const FieldInfo& field : kFields)
    if (field.name == name) return &field;
  return nullptr;
}
const FieldInfo* find_field(std::uint32_t number) {
  for (const FieldInfo& field : kFields)
    if (field.number == number) return &field;
  return nullptr;
}

const FieldInfo* nearest_field(std::string_view name) {
  if (name.size() > 64) return nullptr;
  const FieldInfo* best = nullptr;
  std::size_t best_distance = name.size() / 3 + 1;
  for (const FieldInfo& field : kFields)
    if (const std::size_t distance = edit_distance(name, field.name); distance < best_distance) {
      best = &field;
      best_distance = distance;
    }
  return best;
}

}  // namespace npubin::aipp
