#include "formats/aipp/settings.h"

#include <algorithm>
#include <limits>

#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {
namespace {

using F = FieldId;

std::int32_t int_of(const Block& block, F field, std::int64_t otherwise = 0) {
  return static_cast<std::int32_t>(block.integer(field, otherwise));
}

void take_csc(const Block& block, Settings& out) {
  out.csc = block.on(F::csc_switch);
  const Matrix& matrix = default_matrix(out.format == InputFormat::Yuv420Sp);
  constexpr std::array<std::int32_t, 3> kBias{16, 128, 128};
  for (std::size_t i = 0; i < 9; ++i) out.matrix[i] = int_of(block, nth(F::matrix_r0c0, i), matrix[i]);
  for (std::size_t i = 0; i < 3; ++i) {
    out.input_bias[i] = int_of(block, nth(F::input_bias_0, i), kBias[i]);
    out.output_bias[i] = int_of(block, nth(F::output_bias_0, i), kBias[i]);
  }
}

void take_normalisation(const Block& block, Settings& out) {
  for (std::size_t i = 0; i < 4; ++i) {
    out.mean[i] = int_of(block, nth(F::mean_chn_0, i));
    out.min[i] = static_cast<float>(block.number(nth(F::min_chn_0, i)));
    out.var_reci[i] = static_cast<float>(block.number(nth(F::var_reci_chn_0, i), 1));
  }
  // proto3 cannot tell an explicit 0 from unset: both are the operator's default (aipp spec 9).
  const auto n = static_cast<std::uint32_t>(block.number(F::raw_rgbir_to_f16_n));
  out.raw_n = n == 0 ? 8 : n;
}

}  // namespace

Settings settings_of_block(const Block& block) {
  Settings out;
  out.format = block.format();
  out.src_w = int_of(block, F::src_image_size_w);
  out.src_h = int_of(block, F::src_image_size_h);
  out.swap_rb_uv = block.on(F::rbuv_swap_switch);
  out.swap_ax = block.on(F::ax_swap_switch);
  out.crop = block.on(F::crop);
  out.crop_x = int_of(block, F::load_start_pos_w);
  out.crop_y = int_of(block, F::load_start_pos_h);
  out.crop_w = int_of(block, F::crop_size_w);
  out.crop_h = int_of(block, F::crop_size_h);
  take_csc(block, out);
  out.resize = block.on(F::resize);
  out.resize_w = int_of(block, F::resize_output_w);
  out.resize_h = int_of(block, F::resize_output_h);
  take_normalisation(block, out);
  out.padding = block.on(F::padding);
  out.pad_left = int_of(block, F::left_padding_size);
  out.pad_right = int_of(block, F::right_padding_size);
  out.pad_top = int_of(block, F::top_padding_size);
  out.pad_bottom = int_of(block, F::bottom_padding_size);
  out.padding_value = static_cast<float>(block.number(F::padding_value));
  return out;
}

}  // namespace npubin::aipp
