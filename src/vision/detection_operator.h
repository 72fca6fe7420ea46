// Post-processing operators: what the device's feature maps say, as detections (hef spec 4c).
//
// Prepared once; a frame allocates nothing. Feature maps come as the device gives them: NHCW, rows padded,
// still quantised.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "npubin/result.h"
#include "vision/detections.h"
#include "vision/host_quantization.h"

namespace npubin::vision {

// One feature map of the device. All operators of hef spec 4c take NHCW.
struct FeatureMap {
  std::uint32_t height = 0, width = 0, features = 0;
  std::uint32_t padded_width = 0, padded_features = 0;
  bool wide = false;  // 16-bit codes
  HostQuantization quantization;

  std::size_t channel_stride() const { return padded_width; }
  std::size_t row_stride() const { return std::size_t{padded_width} * padded_features; }
  std::size_t bytes() const { return std::size_t{height} * row_stride() * (wide ? 2 : 1); }
};

struct OperatorConfig {
  std::uint32_t classes = 0;  // as the feature maps have them, the background included
  float score_threshold = 0;
  float iou_threshold = 0;
  std::uint32_t max_per_class = 0;
  float image_height = 0, image_width = 0;
  bool background_removal = false;
  std::uint32_t background_index = 0;
  // Tests class scores of YOLOv5 against the rounded code of the threshold, as HailoRT does, instead of the
  // threshold itself.
  bool like_hailort = false;

  std::uint32_t reported_classes() const { return classes - (background_removal ? 1 : 0); }
};

// `frames` of an operator are in the order of its maps.
using FrameData = std::span<const std::byte* const>;

class DetectionOperator {
 public:
  virtual ~DetectionOperator() = default;
  // In the order of FrameData.
  virtual std::span<const FeatureMap> maps() const = 0;
  // The most candidates that a frame can give.
  virtual std::uint64_t capacity() const = 0;
  // Adds all boxes that pass the thresholds. Precondition: each frame has maps()[i].bytes() bytes.
  virtual void decode(FrameData frames, DetectionFrame& out) = 0;
};

struct Anchor {
  float width = 0, height = 0;  // pixels (YOLOv5) or fractions of the picture (SSD)
};

struct YoloV5Layer {
  FeatureMap map;  // features: anchors x (5 + classes), or with 32 mask coefficients each
  std::vector<Anchor> anchors;
};
// Values have been through the sigmoid on the chip. Maps: one per layer, in the order given.
Result<std::unique_ptr<DetectionOperator>> make_yolov5(std::vector<YoloV5Layer> layers,
                                                       const OperatorConfig& config);

struct YoloV8Layer {
  FeatureMap regression;  // 4 x R features
  FeatureMap classes;
  std::uint32_t stride = 0;  // pixels
};
// Maps: regression and classes of each layer in turn.
Result<std::unique_ptr<DetectionOperator>> make_yolov8(std::vector<YoloV8Layer> layers,
                                                       const OperatorConfig& config);

struct YoloXLayer {
  FeatureMap regression, objectness, classes;
};
// Maps: regression, objectness and classes of each layer in turn.
Result<std::unique_ptr<DetectionOperator>> make_yolox(std::vector<YoloXLayer> layers,
                                                      const OperatorConfig& config);

struct SsdLayer {
  FeatureMap regression, classes;
  std::vector<Anchor> anchors;
};
struct SsdConfig {
  float centers_scale = 1, dimensions_scale = 1;
  std::array<std::uint32_t, 4> channels{0, 1, 2, 3};  // of y, x, h, w
};
// Maps: regression and classes of each layer in turn.
Result<std::unique_ptr<DetectionOperator>> make_ssd(std::vector<SsdLayer> layers, const SsdConfig& ssd,
                                                    const OperatorConfig& config);

}  // namespace npubin::vision
