// YOLOv8: anchor-free boxes whose sides are distributions over distances (hef spec 4c).
#pragma once

#include <span>
#include <vector>

#include "vision/detection_operator.h"

namespace npubin::vision {

class YoloV8 final : public DetectionOperator {
 public:
  static Result<YoloV8> prepare(std::vector<YoloV8Layer> layers, const OperatorConfig& config);

  std::span<const FeatureMap> maps() const override { return maps_; }
  std::uint64_t capacity() const override { return proposals_ * config_.classes; }
  void decode(FrameData frames, DetectionFrame& out) override;

  // All proposals without thresholds, 4 + classes floats each: y_min, x_min, y_max, x_max and class scores;
  // by layer, row, column. Precondition: `out` has proposals() * (4 + classes) elements.
  std::uint64_t proposals() const { return proposals_; }
  void decode_boxes(FrameData frames, std::span<float> out) const;

 private:
  template <class T>
  void decode_layer(std::size_t layer, const std::byte* regression, const std::byte* classes,
                    DetectionFrame& out) const;
  template <class T>
  void boxes_of_layer(std::size_t layer, const std::byte* regression, const std::byte* classes,
                      float* out) const;
  template <class T>
  Detection box_at(std::size_t layer, std::size_t row, std::size_t column, const std::byte* regression) const;

  OperatorConfig config_;
  std::vector<YoloV8Layer> layers_;
  std::vector<FeatureMap> maps_;
  std::vector<std::uint32_t> least_;  // class code of each layer that reaches the threshold
  std::vector<std::uint32_t> ids_;
  std::vector<std::vector<float>> exponentials_;  // of every 8-bit code of each layer's regression
  std::uint64_t proposals_ = 0;
};

}  // namespace npubin::vision
