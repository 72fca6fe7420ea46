#include "vision/device_layout.h"

#include <array>

#include "npubin/bytes.h"

namespace npubin::vision {

std::string_view to_string(FrameOrder order) {
  static constexpr std::array<std::string_view, 18> kNames{
      "NHWC", "NHCW", "NC",      "FCR",  "F8CR", "BAYER RGB", "12 BIT BAYER RGB",
      "NHW",  "YUY2", "RGB 888", "YYUV", "YYVU", "YYYYUV",    "NV12",
      "NV21", "I420", "NCHW",    "RGB4"};
  const auto i = static_cast<std::size_t>(order);
  return i < kNames.size() ? kNames[i] : "unknown";
}

std::optional<std::uint64_t> element_count(const FrameShape& shape) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 31;
  const std::uint64_t area = std::uint64_t{shape.height} * shape.width;
  const auto count = checked_mul<std::uint64_t>(area, shape.features);
  if (!count || *count > kLimit) return std::nullopt;
  return count;
}

std::optional<std::uint64_t> host_frame_bytes(FrameOrder order, const FrameShape& shape,
                                              std::uint32_t element_bytes) {
  const auto count = element_count(shape);
  if (!count) return std::nullopt;
  if (order != FrameOrder::Rgb4) return *count * element_bytes;
  const std::uint64_t row = (std::uint64_t{shape.width} * shape.features + 3) / 4 * 4;
  const auto elements = checked_mul<std::uint64_t>(row, shape.height);
  if (!elements || *elements > std::uint64_t{1} << 31) return std::nullopt;
  return *elements * element_bytes;
}

std::optional<std::uint64_t> device_frame_bytes(const FrameShape& shape, std::uint32_t element_bytes) {
  const auto count = element_count(shape);
  if (!count) return std::nullopt;
  return (*count * element_bytes + 7) / 8 * 8;
}

bool can_transpose(FrameOrder order) {
  switch (order) {
    case FrameOrder::Nhwc:
    case FrameOrder::Rgb4:
    case FrameOrder::Nhw:
    case FrameOrder::Bayer:
    case FrameOrder::Bayer12:
    case FrameOrder::Fcr:
    case FrameOrder::F8cr:
      return true;
    default:
      return false;
  }
}

}  // namespace npubin::vision
