// The fields of the schema as data: what the readers, the writer, the rules and the listing go by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace npubin::aipp {

enum class FieldId : std::uint8_t {
  aipp_mode,
  related_input_rank,
  related_input_name,
  input_edge_idx,
  max_src_image_size,
  support_rotation,
  input_format,
  csc_switch,
  cpadding_value,
  rbuv_swap_switch,
  ax_swap_switch,
  single_line_mode,
  src_image_size_w,
  src_image_size_h,
  crop,
  load_start_pos_w,
  load_start_pos_h,
  crop_size_w,
  crop_size_h,
  resize,
  resize_output_w,
  resize_output_h,
  padding,
  left_padding_size,
  right_padding_size,
  top_padding_size,
  bottom_padding_size,
  padding_value,
  mean_chn_0,
  mean_chn_1,
  mean_chn_2,
  mean_chn_3,
  min_chn_0,
  min_chn_1,
  min_chn_2,
  min_chn_3,
  var_reci_chn_0,
  var_reci_chn_1,
  var_reci_chn_2,
  var_reci_chn_3,
  matrix_r0c0,
  matrix_r0c1,
  matrix_r0c2,
  matrix_r1c0,
  matrix_r1c1,
  matrix_r1c2,
  matrix_r2c0,
  matrix_r2c1,
  matrix_r2c2,
  output_bias_0,
  output_bias_1,
  output_bias_2,
  input_bias_0,
  input_bias_1,
  input_bias_2,
  raw_rgbir_to_f16_n,
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(FieldId::raw_rgbir_to_f16_n) + 1;

// The i-th of a run of fields that follow each other in the enumeration: nth(mean_chn_0, 2) is mean_chn_2.
constexpr FieldId nth(FieldId first, std::size_t i) {
  return static_cast<FieldId>(static_cast<std::size_t>(first) + i);
}

enum class FieldKind : std::uint8_t { Mode, Format, Bool, Int32, UInt32, Float, String };

struct FieldInfo {
  FieldId id;
  std::string_view name;
  std::uint32_t number;  // in the schema
  FieldKind kind;
  bool repeated;
};

// Indexed by FieldId.
std::span<const FieldInfo> fields();
const FieldInfo& info(FieldId id);
const FieldInfo* find_field(std::string_view name);
const FieldInfo* find_field(std::uint32_t number);
// The field whose name is most like `name` (edit distance at most a third of its length), or nullptr.
const FieldInfo* nearest_field(std::string_view name);

}  // namespace npubin::aipp
