// TFLite_Detection_PostProcess. tflite spec 6.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::DetectionAttributes;

struct Box {
  float y0, x0, y1, x1;
};
struct Detection {
  std::size_t anchor;
  std::int64_t label;
  float score;
};

WorkVector<Box> decode(const KernelCall& call, const DetectionAttributes& a) {
  const Tensor &boxes = call.input(0), &anchors = call.input(2);
  const auto count = static_cast<std::size_t>(boxes.dim(1)), width = static_cast<std::size_t>(boxes.dim(2));
  WorkVector<Box> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float *b = boxes.as<float>().data() + i * width, *n = anchors.as<float>().data() + 4 * i;
    const float y = b[0] / a.scale_y * n[2] + n[0], x = b[1] / a.scale_x * n[3] + n[1];
    const float half_h = 0.5f * std::exp(b[2] / a.scale_h) * n[2],
                half_w = 0.5f * std::exp(b[3] / a.scale_w) * n[3];
    out[i] = {y - half_h, x - half_w, y + half_h, x + half_w};
  }
  return out;
}

float overlap(const Box& a, const Box& b) {
  const float area_a = (a.y1 - a.y0) * (a.x1 - a.x0), area_b = (b.y1 - b.y0) * (b.x1 - b.x0);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float height = std::max(std::min(a.y1, b.y1) - std::max(a.y0, b.y0), 0.0f);
  const float width = std::max(std::min(a.x1, b.x1) - std::max(a.x0, b.x0), 0.0f);
  const float common = height * width;
  return common / (area_a + area_b - common);
}

// Candidates above the threshold by stable descending score; each kept one removes what overlaps it.
WorkVector<Detection> suppress(const WorkVector<Box>& boxes, WorkVector<Detection> candidates,
                               const DetectionAttributes& a, std::size_t most) {
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](const Detection& d) { return !(d.score >= a.score_threshold); }),
                   candidates.end());
  // Candidates come by ascending anchor: this is the stable order, without std::stable_sort's own memory.
  std::sort(candidates.begin(), candidates.end(), [](const Detection& x, const Detection& y) {
    return x.score != y.score ? x.score > y.score : x.anchor < y.anchor;
  });
  WorkVector<Detection> kept;
  kept.reserve(std::min(candidates.size(), most));
  for (const Detection& candidate : candidates) {
    if (kept.size() >= most) break;
    const bool hidden = std::any_of(kept.begin(), kept.end(), [&](const Detection& k) {
      return overlap(boxes[k.anchor], boxes[candidate.anchor]) > a.iou_threshold;
    });
    if (!hidden) kept.push_back(candidate);
  }
  return kept;
}

class Scores {
 public:
  Scores(const Tensor& scores, const DetectionAttributes& a)
      : data_(scores.as<float>().data()), columns_(scores.dim(2)), background_(columns_ - a.num_classes) {}
  // Class numbers exclude the background, which comes first.
  float at(std::size_t anchor, std::int64_t label) const {
    return data_[static_cast<std::int64_t>(anchor) * columns_ + background_ + label];
  }

 private:
  const float* data_;
  std::int64_t columns_, background_;
};

// Fast: the best class of every anchor takes part once.
WorkVector<Detection> fast(const WorkVector<Box>& boxes, const Scores& scores, const DetectionAttributes& a) {
  WorkVector<Detection> candidates;
  candidates.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::int64_t best = 0;
    for (std::int64_t c = 1; c < a.num_classes; ++c)
      if (scores.at(i, c) > scores.at(i, best)) best = c;
    candidates.push_back({i, best, scores.at(i, best)});
  }
  return suppress(boxes, std::move(candidates), a, static_cast<std::size_t>(a.max_detections));
}

// Regular: every class by itself, the results merged by score.
WorkVector<Detection> regular(const WorkVector<Box>& boxes, const Scores& scores,
                              const DetectionAttributes& a) {
  WorkVector<Detection> merged;
  for (std::int64_t c = 0; c < a.num_classes; ++c) {
    WorkVector<Detection> candidates;
    candidates.reserve(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) candidates.push_back({i, c, scores.at(i, c)});
    const auto kept =
        suppress(boxes, std::move(candidates), a, static_cast<std::size_t>(a.detections_per_class));
    merged.insert(merged.end(), kept.begin(), kept.end());
    std::sort(merged.begin(), merged.end(), [](const Detection& x, const Detection& y) {
      if (x.score != y.score) return x.score > y.score;
      return x.label != y.label ? x.label < y.label : x.anchor < y.anchor;
    });
    if (merged.size() > static_cast<std::size_t>(a.max_detections))
      merged.resize(static_cast<std::size_t>(a.max_detections));
  }
  return merged;
}

}  // namespace

Result<void> run_detection(const KernelCall& call) {
  const auto& a = call.node.attr<DetectionAttributes>();
  for (std::size_t i = 0; i < 2; ++i)
    for (float x : call.input(i).as<float>())
      if (std::isnan(x)) return malformed({}, "a box or score is not a number");
  const WorkVector<Box> boxes = decode(call, a);
  const Scores scores(call.input(1), a);
  const auto found = a.regular_nms ? regular(boxes, scores, a) : fast(boxes, scores, a);
  auto where = call.output(0).as_mutable<float>(), labels = call.output(1).as_mutable<float>(),
       how = call.output(2).as_mutable<float>();
  const std::size_t count = std::min(found.size(), how.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Box& box = boxes[found[i].anchor];
    const float corners[] = {box.y0, box.x0, box.y1, box.x1};
    std::copy(std::begin(corners), std::end(corners), where.begin() + static_cast<std::ptrdiff_t>(4 * i));
    labels[i] = static_cast<float>(found[i].label);
    how[i] = found[i].score;
  }
  call.output(3).as_mutable<float>()[0] = static_cast<float>(count);
  return {};
}

}  // namespace npubin::exec::tflite
