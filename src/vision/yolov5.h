// YOLOv5: boxes relative to anchors, with or without mask coefficients (hef spec 4c).
#pragma once

#include <span>
#include <vector>

#include "vision/detection_operator.h"

namespace npubin::vision {

class YoloV5 final : public DetectionOperator {
 public:
  // `mask_coefficients` follow the classes of each anchor; `sigmoid`: values are logits (YOLOv5-seg).
  static Result<YoloV5> prepare(std::vector<YoloV5Layer> layers, const OperatorConfig& config, bool sigmoid,
                                std::uint32_t mask_coefficients);

  std::span<const FeatureMap> maps() const override { return maps_; }
  std::uint64_t capacity() const override { return capacity_; }
  void decode(FrameData frames, DetectionFrame& out) override;

  // All proposals without thresholds, 5 + classes floats each: y_min, x_min, y_max, x_max, objectness and
  // class scores; by layer, row, column, anchor. Precondition: `out` has proposals() * (5 + classes)
  // elements.
  std::uint64_t proposals() const { return proposals_; }
  void decode_boxes(FrameData frames, std::span<float> out) const;

  // The mask coefficients behind Detection::source, de-quantised and multiplied by the objectness.
  void coefficients(FrameData frames, std::uint32_t source, std::span<float> out) const;

 private:
  struct Thresholds {
    std::uint32_t objectness = 0, classes = 0;  // least codes
  };
  // Where an anchor of a cell is found.
  struct Cell {
    std::size_t layer = 0, row = 0, column = 0, anchor = 0;
  };

  template <class T>
  void decode_layer(std::size_t layer, const std::byte* frame, DetectionFrame& out) const;
  template <class T>
  Detection box_at(const Cell& cell, const std::byte* frame) const;
  template <class T>
  void boxes_of_layer(std::size_t layer, const std::byte* frame, float* out) const;
  float activate(float value) const;
  std::size_t entry() const { return 5 + config_.classes + mask_coefficients_; }
  Cell cell_of(std::uint32_t source) const;

  OperatorConfig config_;
  bool sigmoid_ = false;
  std::uint32_t mask_coefficients_ = 0;
  std::vector<YoloV5Layer> layers_;
  std::vector<FeatureMap> maps_;
  std::vector<Thresholds> thresholds_;
  std::vector<std::uint32_t> first_source_;  // of each layer
  std::vector<std::uint32_t> ids_;
  std::uint64_t capacity_ = 0, proposals_ = 0;
};

}  // namespace npubin::vision
