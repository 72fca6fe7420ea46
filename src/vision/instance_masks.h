// YOLOv5-seg: detections with a mask each, and the buffer HAILO NMS WITH BYTE MASK (hef spec 4c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "npubin/result.h"
#include "vision/detection_operator.h"

namespace npubin::vision {

inline constexpr std::uint32_t kMaskCoefficients = 32;

// One axis of the resampling from prototypes to the picture: a triangle as wide as a source pixel (or as a
// target pixel where the picture is smaller), edges clamped.
class TriangleResampling {
 public:
  struct Tap {
    std::uint32_t source = 0;
    float weight = 0;
  };
  void prepare(std::uint32_t source_size, std::uint32_t target_size);
  std::span<const Tap> taps(std::size_t target) const {
    return std::span(taps_).subspan(begin_[target], begin_[target + 1] - begin_[target]);
  }

 private:
  std::vector<Tap> taps_;
  std::vector<std::size_t> begin_;
};

// Height and width of a detection's mask: the box's size in pixels, rounded up; 0 where it has none.
struct MaskSize {
  std::uint32_t height = 0, width = 0;
  std::uint64_t bytes() const { return std::uint64_t{height} * width; }
};

class MaskMaker {
 public:
  // `prototypes`: kMaskCoefficients features. Error: Malformed as check_map; Refused for a picture above
  // 16384 x 16384.
  static Result<MaskMaker> prepare(const FeatureMap& prototypes, float image_height, float image_width,
                                   float mask_threshold);

  const FeatureMap& map() const { return map_; }
  // At most the picture and one pixel on each axis.
  MaskSize size(const Detection& detection) const;
  // De-quantises the frame's prototypes once for all its masks.
  void load(const std::byte* prototypes);
  // One byte per pixel of the box, row-major: 1 where the mask is above its threshold. Pixels outside the
  // picture are 0. Precondition: `out` has size(detection).bytes() bytes, coefficients kMaskCoefficients.
  void draw(const Detection& detection, std::span<const float> coefficients, std::span<std::uint8_t> out);

 private:
  void prototype_rows(std::size_t begin, std::size_t end, std::span<const float> coefficients);

  FeatureMap map_;
  std::uint32_t image_height_ = 0, image_width_ = 0;
  float threshold_ = 0;
  TriangleResampling rows_, columns_;
  std::vector<float> prototypes_;  // kMaskCoefficients planes
  std::vector<float> mask_;        // at the prototypes' size
  std::vector<float> line_;        // one row of prototypes' columns
};

// The packed buffer HAILO NMS WITH BYTE MASK: u16 count, then per detection a record of 46 bytes (y_min,
// x_min, y_max, x_max, score as float32; u16 class; u64 mask bytes; u64 that was a pointer, here 0; u64
// offset of the mask in the buffer) followed by its mask.
inline constexpr std::size_t kMaskRecordBytes = 46;
class ByteMaskWriter {
 public:
  explicit ByteMaskWriter(std::span<std::byte> out);
  // Adds a record and gives the place of its mask. An empty span with ok false: the buffer is full (HailoRT's
  // INSUFFICIENT_BUFFER, 65535 records included).
  struct Place {
    bool ok = false;
    std::span<std::uint8_t> mask;
  };
  Place add(const Detection& detection, std::uint64_t mask_bytes);
  std::size_t count() const { return count_; }

 private:
  std::span<std::byte> out_;
  std::size_t at_ = 2;
  std::size_t count_ = 0;
};

}  // namespace npubin::vision
