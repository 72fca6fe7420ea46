#include "vision/aipp/csc_standards.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace npubin::aipp {
namespace {

constexpr std::array<CscStandard, 4> kStandards{{
    {"jpeg",
     "JPEG/BT.601 full",
     {256, 0, 359, 256, -88, -183, 256, 454, 0},
     {0, 128, 128},
     {77, 150, 29, -43, -85, 128, 128, -107, -21},
     {0, 128, 128}},
    {"bt601-narrow",
     "BT.601 narrow",
     {298, 0, 409, 298, -100, -208, 298, 516, 0},
     {16, 128, 128},
     {66, 129, 25, -38, -74, 112, 112, -94, -18},
     {16, 128, 128}},
    {"bt709-narrow",
     "BT.709 narrow",
     {298, 0, 459, 298, -55, -136, 298, 541, 0},
     {16, 128, 128},
     {47, 157, 16, -26, -87, 112, 112, -102, -10},
     {16, 128, 128}},
    {"bt709-full",
     "BT.709 full",
     {256, 0, 403, 256, -48, -120, 256, 475, 0},
     {0, 128, 128},
     {55, 183, 19, -29, -99, 128, 128, -116, -12},
     {0, 128, 128}},
}};

constexpr std::int32_t kNear = 8;  // the standards themselves lie 15 and more apart

Matrix with_rows_exchanged(const Matrix& m, std::size_t a, std::size_t b) {
  Matrix out = m;
  for (std::size_t i = 0; i < 3; ++i) std::swap(out[3 * a + i], out[3 * b + i]);
  return out;
}

std::int32_t distance(const Matrix& a, const Matrix& b) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    out = std::max(out, std::abs(std::int64_t{a[i]} - std::int64_t{b[i]}));
  return static_cast<std::int32_t>(std::min<std::int64_t>(out, 1 << 30));
}

}  // namespace

std::span<const CscStandard> csc_standards() {
  return kStandards;
}

Result<const CscStandard*> find_csc_standard(std::string_view key) {
  if (key == "bt601-full") key = "jpeg";
  for (const CscStandard& standard : kStandards)
    if (standard.key == key) return &standard;
  return usage_error(fmt::format("`{}` is no known video standard", key),
                     "standards: jpeg (= bt601-full), bt601-narrow, bt709-narrow, bt709-full");
}

std::string CscMatch::title() const {
  std::string out = from_yuv ? fmt::format("{} to {}", standard->title, reversed ? "BGR" : "RGB")
                             : fmt::format("RGB to {}{}", standard->title, reversed ? " (YVU)" : "");
  if (distance > 0) out = fmt::format("nearly {} (cells differ by up to {})", out, distance);
  return out;
}

std::optional<CscMatch> match_csc(const Matrix& matrix, std::optional<bool> from_yuv) {
  std::optional<CscMatch> best;
  const auto consider = [&](const CscStandard& standard, const Matrix& candidate, bool yuv, bool reversed) {
    const std::int32_t d = distance(matrix, candidate);
    if (d <= kNear && (!best || d < best->distance)) best = CscMatch{&standard, yuv, reversed, d};
  };
  for (const CscStandard& standard : kStandards) {
    if (from_yuv.value_or(true)) {
      consider(standard, standard.to_rgb, true, false);
      consider(standard, with_rows_exchanged(standard.to_rgb, 0, 2), true, true);
    }
    if (!from_yuv.value_or(false)) {
      consider(standard, standard.to_yuv, false, false);
      consider(standard, with_rows_exchanged(standard.to_yuv, 1, 2), false, true);
    }
  }
  return best;
}

bool is_grey_recipe(const Matrix& matrix) {
  return std::all_of(matrix.begin() + 3, matrix.end(), [](std::int32_t cell) { return cell == 0; }) &&
         std::any_of(matrix.begin(), matrix.begin() + 3, [](std::int32_t cell) { return cell != 0; });
}

const Matrix& default_matrix(bool yuv420sp) {
  static constexpr Matrix kYuv420Sp{298, 516, 0, 298, -100, -208, 298, 0, 409};
  static constexpr Matrix kOther{66, 129, 25, -38, -74, 112, 112, -94, -18};
  return yuv420sp ? kYuv420Sp : kOther;
}

}  // namespace npubin::aipp
