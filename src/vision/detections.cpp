#include "vision/detections.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "npubin/bytes.h"

namespace npubin::vision {

float intersection_over_union(const Detection& a, const Detection& b) {
  const float width = std::min(a.x_max, b.x_max) - std::max(a.x_min, b.x_min);
  const float height = std::min(a.y_max, b.y_max) - std::max(a.y_min, b.y_min);
  if (width <= 0.0f || height <= 0.0f) return 0.0f;
  const float both = width * height;
  const float area_a = (a.y_max - a.y_min) * (a.x_max - a.x_min);
  const float area_b = (b.y_max - b.y_min) * (b.x_max - b.x_min);
  return both / (area_a + area_b - both);
}

Result<void> DetectionFrame::prepare(std::uint64_t capacity) {
  if (capacity > kMaxCandidates)
    return refused(fmt::format("a frame could give {} candidate boxes; at most {} are handled", capacity,
                               kMaxCandidates));
  candidates_.reserve(static_cast<std::size_t>(capacity));
  kept_.reserve(static_cast<std::size_t>(capacity));
  order_.reserve(static_cast<std::size_t>(capacity));
  return {};
}

void DetectionFrame::sort_candidates() {
  order_.resize(candidates_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  // std::stable_sort would allocate; the index decides between equal scores instead.
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Detection &x = candidates_[a], &y = candidates_[b];
    if (x.class_id != y.class_id) return x.class_id < y.class_id;
    return x.score != y.score ? x.score > y.score : a < b;
  });
}

void DetectionFrame::suppress(const SuppressionConfig& config) {
  sort_candidates();
  kept_.clear();
  std::size_t class_start = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Detection& candidate = candidates_[order_[i]];
    if (i > 0 && candidates_[order_[i - 1]].class_id != candidate.class_id) class_start = kept_.size();
    if (candidate.score == 0.0f || kept_.size() - class_start >= config.max_per_class) continue;
    // A weaker one falls to any stronger one that stays, so comparing with the kept ones is enough.
    const bool removed = std::any_of(
        kept_.begin() + static_cast<std::ptrdiff_t>(class_start), kept_.end(), [&](const Detection& kept) {
          return intersection_over_union(kept, candidate) >= config.iou_threshold;
        });
    if (!removed) kept_.push_back(candidate);
  }
}

void DetectionFrame::keep_all(std::uint32_t max_per_class) {
  order_.resize(candidates_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Detection &x = candidates_[a], &y = candidates_[b];
    return x.class_id != y.class_id ? x.class_id < y.class_id : a < b;
  });
  kept_.clear();
  std::size_t in_class = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Detection& candidate = candidates_[order_[i]];
    if (i > 0 && candidates_[order_[i - 1]].class_id != candidate.class_id) in_class = 0;
    if (in_class++ < max_per_class) kept_.push_back(candidate);
  }
}

std::span<const Detection> DetectionFrame::by_score() {
  order_.resize(kept_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return kept_[a].score != kept_[b].score ? kept_[a].score > kept_[b].score : a < b;
  });
  candidates_.clear();
  for (std::uint32_t i : order_) candidates_.push_back(kept_[i]);
  return candidates_;
}

std::optional<std::uint64_t> by_class_floats(std::uint32_t classes, std::uint32_t max_per_class) {
  const std::uint64_t count = std::uint64_t{classes} * (1 + 5 * std::uint64_t{max_per_class});
  if (classes != 0 && count > std::uint64_t{1} << 30) return std::nullopt;
  return count;
}

void write_by_class(std::span<const Detection> detections, std::uint32_t classes, std::span<float> out) {
  std::size_t at = 0, next = 0;
  for (std::uint32_t id = 0; id < classes; ++id) {
    const std::size_t count_at = at++;
    std::size_t count = 0;
    for (; next < detections.size() && detections[next].class_id == id; ++next, ++count) {
      const Detection& d = detections[next];
      const float record[] = {d.y_min, d.x_min, d.y_max, d.x_max, d.score};
      std::memcpy(out.data() + at, record, sizeof(record));
      at += 5;
    }
    out[count_at] = static_cast<float>(count);
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(at), out.end(), 0.0f);
}

std::size_t write_by_score(std::span<const Detection> detections, std::size_t max_total, bool off_by_one,
                           std::span<std::byte> out) {
  const std::size_t limit = std::min<std::size_t>(max_total + (off_by_one ? 1 : 0), 0xFFFF);
  const std::size_t count = std::min(limit, detections.size());
  std::fill(out.begin(), out.end(), std::byte{0});
  store(out.data(), static_cast<std::uint16_t>(count));
  std::byte* to = out.data() + 2;
  for (std::size_t i = 0; i < count; ++i, to += kScoreRecordBytes) {
    const Detection& d = detections[i];
    const float values[] = {d.y_min, d.x_min, d.y_max, d.x_max, d.score};
    for (std::size_t k = 0; k < 5; ++k) store(to + 4 * k, values[k]);
    store(to + 20, static_cast<std::uint16_t>(d.class_id));
  }
  return count;
}

}  // namespace npubin::vision
