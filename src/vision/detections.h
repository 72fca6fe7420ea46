// Detections: candidates of a frame, suppression of overlapping ones, and HailoRT's output buffers
// (hef spec 4c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "npubin/result.h"

namespace npubin::vision {

// Coordinates are fractions of the network's picture and are not clipped to it.
struct Detection {
  float y_min = 0, x_min = 0, y_max = 0, x_max = 0;
  float score = 0;
  std::uint32_t class_id = 0;
  std::uint32_t source = 0;  // operator's own: where its mask coefficients are
};

// Intersection over union without clipping; 0 where width or height of the intersection is not positive.
float intersection_over_union(const Detection& a, const Detection& b);

struct SuppressionConfig {
  float iou_threshold = 0;  // overlaps of at least this remove the weaker detection of the same class
  std::uint32_t max_per_class = 0;
};

// The frame's candidates and what remains of them. All memory is taken by prepare().
class DetectionFrame {
 public:
  // `capacity`: the most candidates that an operator can give for one frame. Error: Refused above
  // kMaxCandidates.
  static constexpr std::uint64_t kMaxCandidates = std::uint64_t{1} << 23;
  Result<void> prepare(std::uint64_t capacity);

  void clear() { candidates_.clear(); }
  // Precondition: fewer than `capacity` since clear().
  void add(const Detection& detection) { candidates_.push_back(detection); }

  // Sorts by score, removes what overlaps a stronger one of its class, keeps at most max_per_class of each.
  // Candidates with score 0 are dropped, as in HailoRT, where 0 marks the removed ones. Equal scores keep the
  // order in which they were added.
  void suppress(const SuppressionConfig& config);
  // Takes at most max_per_class candidates of each class, in the order in which they were added.
  void keep_all(std::uint32_t max_per_class);

  // By class, within it by descending score (after keep_all: in order of addition).
  std::span<const Detection> by_class() const { return kept_; }
  // All classes by descending score. Sorted on demand; by_class() is invalid afterwards.
  std::span<const Detection> by_score();

 private:
  void sort_candidates();

  std::vector<Detection> candidates_;
  std::vector<Detection> kept_;
  std::vector<std::uint32_t> order_;
};

// The packed buffer HAILO NMS BY CLASS: for each class float32 count, then count boxes of float32 y_min,
// x_min, y_max, x_max, score. The rest of the buffer is zero.
std::optional<std::uint64_t> by_class_floats(std::uint32_t classes, std::uint32_t max_per_class);
// Precondition: `out` has by_class_floats() elements and `detections` keeps to the maximum.
void write_by_class(std::span<const Detection> detections, std::uint32_t classes, std::span<float> out);

// The packed buffer HAILO NMS BY SCORE: u16 count, then records of five float32 and a u16 class.
inline constexpr std::size_t kScoreRecordBytes = 22;
// Writes at most `max_total` records; `off_by_one` allows one more, as HailoRT does (hef spec 5b). Returns
// the number of records. Precondition: `out` has 2 + kScoreRecordBytes * max_total bytes (one record more
// with off_by_one).
std::size_t write_by_score(std::span<const Detection> detections, std::size_t max_total, bool off_by_one,
                           std::span<std::byte> out);

}  // namespace npubin::vision
