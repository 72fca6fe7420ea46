// SSD: boxes relative to anchors that are fractions of the picture (hef spec 4c).
#include <cmath>

#include <fmt/format.h>

#include "vision/detection_operator.h"
#include "vision/feature_scan.h"
#include "vision/operator_checks.h"

namespace npubin::vision {
namespace {

class Ssd final : public DetectionOperator {
 public:
  static Result<Ssd> prepare(std::vector<SsdLayer> layers, const SsdConfig& ssd,
                             const OperatorConfig& config);

  std::span<const FeatureMap> maps() const override { return maps_; }
  std::uint64_t capacity() const override { return capacity_; }
  void decode(FrameData frames, DetectionFrame& out) override;

 private:
  template <class T>
  void decode_layer(std::size_t layer, FrameData frames, DetectionFrame& out) const;
  template <class T>
  Detection box_at(const SsdLayer& layer, const std::byte* regression, std::size_t row, std::size_t column,
                   std::size_t anchor) const;

  OperatorConfig config_;
  SsdConfig ssd_;
  std::vector<SsdLayer> layers_;
  std::vector<FeatureMap> maps_;
  std::vector<std::uint32_t> least_;  // class code of each layer that reaches the threshold
  std::vector<std::uint32_t> ids_;
  std::uint64_t capacity_ = 0;
};

Result<Ssd> Ssd::prepare(std::vector<SsdLayer> layers, const SsdConfig& ssd, const OperatorConfig& config) {
  NPUBIN_CHECK(check_operator(config));
  if (layers.empty()) return malformed({}, "SSD has no layers");
  // HailoRT divides by them unseen (hef spec 4c).
  if (!(ssd.centers_scale > 0) || !(ssd.dimensions_scale > 0))
    return malformed({}, fmt::format("SSD scale factors are {} and {}; boxes are divided by them",
                                     ssd.centers_scale, ssd.dimensions_scale));
  Ssd out;
  out.config_ = config;
  out.ssd_ = ssd;
  out.ids_ = reported_ids(config);
  for (std::uint32_t channel : ssd.channels)
    if (channel > 3) return malformed({}, fmt::format("SSD box channel {} is not one of 0 to 3", channel));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const SsdLayer& layer = layers[i];
    const std::uint64_t anchors = layer.anchors.size();
    if (anchors == 0) return malformed({}, fmt::format("SSD layer {} has no anchors", i));
    NPUBIN_CHECK(check_map(layer.regression, 4 * anchors, fmt::format("SSD box layer {}", i)));
    NPUBIN_CHECK(check_map(layer.classes, anchors * config.classes, fmt::format("SSD class layer {}", i)));
    NPUBIN_CHECK(check_same_grid(layer.classes, layer.regression, fmt::format("SSD class layer {}", i)));
    out.maps_.push_back(layer.regression);
    out.maps_.push_back(layer.classes);
    out.least_.push_back(least_code(layer.classes, config.score_threshold));
    out.capacity_ += std::uint64_t{layer.classes.height} * layer.classes.width * anchors * config.classes;
    if (out.capacity_ > DetectionFrame::kMaxCandidates)
      return refused(
          fmt::format("a frame could give more than {} candidate boxes", DetectionFrame::kMaxCandidates));
  }
  out.layers_ = std::move(layers);
  return out;
}

template <class T>
Detection Ssd::box_at(const SsdLayer& layer, const std::byte* regression, std::size_t row, std::size_t column,
                      std::size_t index) const {
  const MapReader<T> map(layer.regression, regression);
  const auto value = [&](std::size_t k) { return map.real(row, column, index * 4 + ssd_.channels[k]); };
  const Anchor& anchor = layer.anchors[index];
  const float cell_x = 1.0f / static_cast<float>(layer.regression.width);
  const float cell_y = 1.0f / static_cast<float>(layer.regression.height);
  const float anchor_x = static_cast<float>(column) * cell_x + 0.5f * cell_x;
  const float anchor_y = static_cast<float>(row) * cell_y + 0.5f * cell_y;
  const float y = value(0) / ssd_.centers_scale * anchor.height + anchor_y;
  const float x = value(1) / ssd_.centers_scale * anchor.width + anchor_x;
  const float height = std::exp(value(2) / ssd_.dimensions_scale) * anchor.height;
  const float width = std::exp(value(3) / ssd_.dimensions_scale) * anchor.width;
  Detection out;
  out.x_min = x - width / 2.0f;
  out.y_min = y - height / 2.0f;
  out.x_max = out.x_min + width;
  out.y_max = out.y_min + height;
  return out;
}

template <class T>
void Ssd::decode_layer(std::size_t index, FrameData frames, DetectionFrame& out) const {
  const SsdLayer& layer = layers_[index];
  const MapReader<T> map(layer.classes, frames[2 * index + 1]);
  for (std::size_t row = 0; row < layer.classes.height; ++row)
    for (std::size_t anchor = 0; anchor < layer.anchors.size(); ++anchor)
      for (std::uint32_t id = 0; id < config_.classes; ++id) {
        if (ids_[id] == kNoClass) continue;
        const std::size_t feature = anchor * config_.classes + id;
        scan(map.row(row, feature), layer.classes.width, least_[index], [&](std::size_t column) {
          Detection box = box_at<T>(layer, frames[2 * index], row, column, anchor);
          box.score = map.real(row, column, feature);
          box.class_id = ids_[id];
          out.add(box);
        });
      }
}

void Ssd::decode(FrameData frames, DetectionFrame& out) {
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].classes.wide ? decode_layer<std::uint16_t>(i, frames, out)
                            : decode_layer<std::uint8_t>(i, frames, out);
}

}  // namespace

Result<std::unique_ptr<DetectionOperator>> make_ssd(std::vector<SsdLayer> layers, const SsdConfig& ssd,
                                                    const OperatorConfig& config) {
  NPUBIN_TRY(Ssd op, Ssd::prepare(std::move(layers), ssd, config));
  return std::make_unique<Ssd>(std::move(op));
}

}  // namespace npubin::vision
