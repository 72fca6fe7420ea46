// Which video standard a colour matrix stands for (aipp spec 5).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "npubin/result.h"

namespace npubin::aipp {

using Matrix = std::array<std::int32_t, 9>;

struct CscStandard {
  std::string_view key;    // "bt601-narrow"
  std::string_view title;  // "BT.601 narrow"
  Matrix to_rgb;           // from YUV, rows R,G,B
  std::array<std::int32_t, 3> input_bias;
  Matrix to_yuv;  // from RGB, rows Y,U,V
  std::array<std::int32_t, 3> output_bias;
};
std::span<const CscStandard> csc_standards();
Result<const CscStandard*> find_csc_standard(std::string_view key);  // Usage

struct CscMatch {
  const CscStandard* standard = nullptr;
  bool from_yuv = false;      // YUV to RGB; else RGB to YUV
  bool reversed = false;      // rows 0 and 2 exchanged (BGR), or rows 1 and 2 (YVU)
  std::int32_t distance = 0;  // largest difference of a cell; 0: exactly

  // "JPEG/BT.601 full to RGB", "RGB to BT.709 narrow", "nearly BT.601 narrow to BGR (cells differ by up to
  // 1)"
  std::string title() const;
};
// The nearest standard within 8 steps of every cell, among conversions of the given direction or of both.
std::optional<CscMatch> match_csc(const Matrix& matrix, std::optional<bool> from_yuv = std::nullopt);

// Rows 1 and 2 are zero: only channel 0 carries anything.
bool is_grey_recipe(const Matrix& matrix);

// The matrix that the operator takes where a cell is not set (aipp spec 2).
const Matrix& default_matrix(bool yuv420sp);

}  // namespace npubin::aipp
