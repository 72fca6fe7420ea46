#include "vision/yolov8.h"

#include <cmath>

#include <fmt/format.h>

#include "vision/feature_scan.h"
#include "vision/operator_checks.h"

namespace npubin::vision {

Result<YoloV8> YoloV8::prepare(std::vector<YoloV8Layer> layers, const OperatorConfig& config) {
  NPUBIN_CHECK(check_operator(config));
  if (layers.empty()) return malformed({}, "YOLOv8 has no layers");
  YoloV8 out;
  out.config_ = config;
  out.ids_ = reported_ids(config);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const YoloV8Layer& layer = layers[i];
    NPUBIN_CHECK(check_map(layer.regression, 4, fmt::format("YOLOv8 box layer {}", i)));
    NPUBIN_CHECK(check_map(layer.classes, config.classes, fmt::format("YOLOv8 class layer {}", i)));
    NPUBIN_CHECK(check_same_grid(layer.classes, layer.regression, fmt::format("YOLOv8 class layer {}", i)));
    if (layer.regression.features % 4 != 0)
      return malformed({}, fmt::format("YOLOv8 box layer {} has {} features, which four sides cannot share",
                                       i, layer.regression.features));
    out.maps_.push_back(layer.regression);
    out.maps_.push_back(layer.classes);
    out.least_.push_back(least_code(layer.classes, config.score_threshold));
    std::vector<float> exponentials;
    if (!layer.regression.wide)
      for (std::uint32_t code = 0; code < 256; ++code)
        exponentials.push_back(std::exp(dequantize(code, layer.regression.quantization)));
    out.exponentials_.push_back(std::move(exponentials));
    out.proposals_ += std::uint64_t{layer.classes.height} * layer.classes.width;
    if (out.capacity() > DetectionFrame::kMaxCandidates)
      return refused(
          fmt::format("a frame could give more than {} candidate boxes", DetectionFrame::kMaxCandidates));
  }
  out.layers_ = std::move(layers);
  return out;
}

// Each side's distance is the mean of 0, 1, 2, ... under the softmax of its features.
template <class T>
Detection YoloV8::box_at(std::size_t index, std::size_t row, std::size_t column,
                         const std::byte* regression) const {
  const YoloV8Layer& layer = layers_[index];
  const MapReader<T> map(layer.regression, regression);
  const std::size_t length = layer.regression.features / 4;
  const auto exponential = [&](std::size_t feature) {
    const T code = map.row(row, feature)[column];
    if constexpr (sizeof(T) == 1) return exponentials_[index][code];
    return std::exp(dequantize(code, layer.regression.quantization));
  };
  float distance[4];
  for (std::size_t side = 0; side < 4; ++side) {
    float sum = 0, weighted = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const float weight = exponential(side * length + i);
      sum += weight;
      weighted += static_cast<float>(i) * weight;
    }
    distance[side] = weighted / sum;
  }
  const auto stride = static_cast<float>(layer.stride);
  const float x = (static_cast<float>(column) + 0.5f) * stride / config_.image_width;
  const float y = (static_cast<float>(row) + 0.5f) * stride / config_.image_height;
  Detection out;
  out.x_min = x - distance[0] * stride / config_.image_width;
  out.y_min = y - distance[1] * stride / config_.image_height;
  out.x_max = x + distance[2] * stride / config_.image_width;
  out.y_max = y + distance[3] * stride / config_.image_height;
  return out;
}

template <class T>
void YoloV8::decode_layer(std::size_t index, const std::byte* regression, const std::byte* classes,
                          DetectionFrame& out) const {
  const YoloV8Layer& layer = layers_[index];
  const FeatureMap& grid = layer.classes;
  const MapReader<T> map(grid, classes);
  for (std::size_t row = 0; row < grid.height; ++row)
    for (std::uint32_t id = 0; id < config_.classes; ++id) {
      if (ids_[id] == kNoClass) continue;
      scan(map.row(row, id), grid.width, least_[index], [&](std::size_t column) {
        Detection box = box_at<T>(index, row, column, regression);
        box.score = map.real(row, column, id);
        box.class_id = ids_[id];
        out.add(box);
      });
    }
}

void YoloV8::decode(FrameData frames, DetectionFrame& out) {
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].classes.wide ? decode_layer<std::uint16_t>(i, frames[2 * i], frames[2 * i + 1], out)
                            : decode_layer<std::uint8_t>(i, frames[2 * i], frames[2 * i + 1], out);
}

template <class T>
void YoloV8::boxes_of_layer(std::size_t index, const std::byte* regression, const std::byte* classes,
                            float* out) const {
  const FeatureMap& grid = layers_[index].classes;
  const MapReader<T> map(grid, classes);
  for (std::size_t row = 0; row < grid.height; ++row)
    for (std::size_t column = 0; column < grid.width; ++column) {
      const Detection box = box_at<T>(index, row, column, regression);
      *out++ = box.y_min;
      *out++ = box.x_min;
      *out++ = box.y_max;
      *out++ = box.x_max;
      for (std::size_t id = 0; id < config_.classes; ++id) *out++ = map.real(row, column, id);
    }
}

void YoloV8::decode_boxes(FrameData frames, std::span<float> out) const {
  float* to = out.data();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const FeatureMap& grid = layers_[i].classes;
    grid.wide ? boxes_of_layer<std::uint16_t>(i, frames[2 * i], frames[2 * i + 1], to)
              : boxes_of_layer<std::uint8_t>(i, frames[2 * i], frames[2 * i + 1], to);
    to += std::size_t{grid.height} * grid.width * (4 + std::size_t{config_.classes});
  }
}

Result<std::unique_ptr<DetectionOperator>> make_yolov8(std::vector<YoloV8Layer> layers,
                                                       const OperatorConfig& config) {
  NPUBIN_TRY(YoloV8 op, YoloV8::prepare(std::move(layers), config));
  return std::make_unique<YoloV8>(std::move(op));
}

}  // namespace npubin::vision
