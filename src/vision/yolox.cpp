// YOLOX: one box per cell, objectness apart (hef spec 4c).
#include <cmath>

#include <fmt/format.h>

#include "vision/detection_operator.h"
#include "vision/feature_scan.h"
#include "vision/operator_checks.h"

namespace npubin::vision {
namespace {

class YoloX final : public DetectionOperator {
 public:
  static Result<YoloX> prepare(std::vector<YoloXLayer> layers, const OperatorConfig& config);

  std::span<const FeatureMap> maps() const override { return maps_; }
  std::uint64_t capacity() const override { return capacity_; }
  void decode(FrameData frames, DetectionFrame& out) override;

 private:
  template <class T>
  void decode_layer(std::size_t layer, FrameData frames, DetectionFrame& out) const;

  OperatorConfig config_;
  std::vector<YoloXLayer> layers_;
  std::vector<FeatureMap> maps_;
  std::vector<std::uint32_t> least_;  // objectness code of each layer that reaches the threshold
  std::vector<std::uint32_t> ids_;
  std::uint64_t capacity_ = 0;
};

Result<YoloX> YoloX::prepare(std::vector<YoloXLayer> layers, const OperatorConfig& config) {
  NPUBIN_CHECK(check_operator(config));
  if (layers.empty()) return malformed({}, "YOLOX has no layers");
  YoloX out;
  out.config_ = config;
  out.ids_ = reported_ids(config);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const YoloXLayer& layer = layers[i];
    NPUBIN_CHECK(check_map(layer.regression, 4, fmt::format("YOLOX box layer {}", i)));
    NPUBIN_CHECK(check_map(layer.objectness, 1, fmt::format("YOLOX objectness layer {}", i)));
    NPUBIN_CHECK(check_map(layer.classes, config.classes, fmt::format("YOLOX class layer {}", i)));
    NPUBIN_CHECK(check_same_grid(layer.classes, layer.regression, fmt::format("YOLOX class layer {}", i)));
    NPUBIN_CHECK(
        check_same_grid(layer.objectness, layer.regression, fmt::format("YOLOX objectness layer {}", i)));
    for (const FeatureMap* map : {&layer.regression, &layer.objectness, &layer.classes})
      out.maps_.push_back(*map);
    out.least_.push_back(least_code(layer.objectness, config.score_threshold));
    out.capacity_ += std::uint64_t{layer.classes.height} * layer.classes.width * config.classes;
    if (out.capacity_ > DetectionFrame::kMaxCandidates)
      return refused(
          fmt::format("a frame could give more than {} candidate boxes", DetectionFrame::kMaxCandidates));
  }
  out.layers_ = std::move(layers);
  return out;
}

template <class T>
Detection box_at(const YoloXLayer& layer, const std::byte* regression, std::size_t row, std::size_t column) {
  const MapReader<T> map(layer.regression, regression);
  const auto value = [&](std::size_t k) { return map.real(row, column, k); };
  const auto cells_x = static_cast<float>(layer.regression.width);
  const auto cells_y = static_cast<float>(layer.regression.height);
  const float x = (value(0) + static_cast<float>(column)) / cells_x;
  const float y = (value(1) + static_cast<float>(row)) / cells_y;
  const float width = std::exp(value(2)) / cells_x, height = std::exp(value(3)) / cells_y;
  Detection out;
  out.x_min = x - width / 2.0f;
  out.y_min = y - height / 2.0f;
  out.x_max = out.x_min + width;
  out.y_max = out.y_min + height;
  return out;
}

template <class T>
void YoloX::decode_layer(std::size_t index, FrameData frames, DetectionFrame& out) const {
  const YoloXLayer& layer = layers_[index];
  const MapReader<T> objectness_map(layer.objectness, frames[3 * index + 1]);
  const MapReader<T> class_map(layer.classes, frames[3 * index + 2]);
  for (std::size_t row = 0; row < layer.objectness.height; ++row)
    scan(objectness_map.row(row, 0), layer.objectness.width, least_[index], [&](std::size_t column) {
      const float objectness = objectness_map.real(row, column, 0);
      bool have_box = false;
      Detection box;
      for (std::uint32_t id = 0; id < config_.classes; ++id) {
        const float score = class_map.real(row, column, id) * objectness;
        if (!(score >= config_.score_threshold) || ids_[id] == kNoClass) continue;
        if (!have_box) box = box_at<T>(layer, frames[3 * index], row, column);
        have_box = true;
        box.score = score;
        box.class_id = ids_[id];
        out.add(box);
      }
    });
}

void YoloX::decode(FrameData frames, DetectionFrame& out) {
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].classes.wide ? decode_layer<std::uint16_t>(i, frames, out)
                            : decode_layer<std::uint8_t>(i, frames, out);
}

}  // namespace

Result<std::unique_ptr<DetectionOperator>> make_yolox(std::vector<YoloXLayer> layers,
                                                      const OperatorConfig& config) {
  NPUBIN_TRY(YoloX op, YoloX::prepare(std::move(layers), config));
  return std::make_unique<YoloX>(std::move(op));
}

}  // namespace npubin::vision
