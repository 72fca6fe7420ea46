// How a frame lies in memory, on the host and on a Hailo device, and how many bytes it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace npubin::vision {

// Orders of one frame (hef spec 3 and 4b). The first group lies on both sides, the second on the device only,
// the third on the host only.
enum class FrameOrder : std::uint8_t {
  Nhwc,     // rows of pixels of features
  Nhcw,     // rows of features of pixels
  Nc,       // a vector of features
  Fcr,      // as Nhwc, features padded
  F8cr,     // rows of groups of eight features of pixels of eight features; as a host order the same as Nhwc
  Bayer,    // one sample per pixel
  Bayer12,  // one 16-bit sample per pixel
  Nhw,      // one value per pixel, never de-quantised
  Yuy2,     // Y U Y V
  Rgb888,   // device: blue, green, red and a zero byte
  Yyuv,     // device: two rows of Y, one row of interleaved U V
  Yyvu,     // device: two rows of Y, one row of interleaved V U
  Yyyyuv,   // device: two rows of Y, half a row of U, half a row of V
  Nv12,     // host: all Y, then interleaved U V
  Nv21,     // host: all Y, then interleaved V U
  I420,     // host: all Y, all U, all V
  Nchw,     // host: planes of rows
  Rgb4,     // host: rows of RGB, each row padded to four bytes
};

std::string_view to_string(FrameOrder order);

struct FrameShape {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t features = 0;

  bool operator==(const FrameShape&) const = default;
};

// Elements of a frame, padding included; nothing where that exceeds 2^31.
std::optional<std::uint64_t> element_count(const FrameShape& shape);

// Bytes of a frame on the host: rows of RGB4 are aligned to four bytes. Nothing where that exceeds 2^32.
std::optional<std::uint64_t> host_frame_bytes(FrameOrder order, const FrameShape& shape,
                                              std::uint32_t element_bytes);
// Bytes of a frame as the device transfers it: rounded up to eight (hef spec 4a).
std::optional<std::uint64_t> device_frame_bytes(const FrameShape& shape, std::uint32_t element_bytes);

// Height and width exchanged.
inline FrameShape transposed(const FrameShape& shape) {
  return {shape.width, shape.height, shape.features};
}
// Orders in which height and width of a frame can be exchanged cell by cell (hef spec 4a).
bool can_transpose(FrameOrder order);

}  // namespace npubin::vision
