#include "vision/yolov5.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vision/feature_scan.h"
#include "vision/operator_checks.h"

namespace npubin::vision {
namespace {

float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}

// HailoRT's pre-test compares codes with the rounded code of the threshold (hef spec 4c).
std::uint32_t rounded_code(const FeatureMap& map, float threshold, bool logits) {
  if (logits) {
    const float p = std::clamp(threshold, 1e-7f, 1.0f - 1e-7f);
    threshold = std::log(p / (1.0f - p));
  }
  std::uint16_t code = 0;
  const float values[] = {threshold};
  if (map.wide) {
    quantize(values, &code, map.quantization, Overflow::Saturate);
  } else {
    std::uint8_t narrow = 0;
    quantize(values, &narrow, map.quantization, Overflow::Saturate);
    code = narrow;
  }
  return code;
}

// The sigmoid is monotone, so the least code is found by halving here too.
std::uint32_t least_logit_code(const FeatureMap& map, float threshold) {
  std::uint32_t low = 0, high = max_code(map) + 1;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (sigmoid(dequantize(middle, map.quantization)) >= threshold)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

float YoloV5::activate(float value) const {
  return sigmoid_ ? sigmoid(value) : value;
}

Result<YoloV5> YoloV5::prepare(std::vector<YoloV5Layer> layers, const OperatorConfig& config, bool sigmoid,
                               std::uint32_t mask_coefficients) {
  NPUBIN_CHECK(check_operator(config));
  YoloV5 out;
  out.config_ = config;
  out.sigmoid_ = sigmoid;
  out.mask_coefficients_ = mask_coefficients;
  out.ids_ = reported_ids(config);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const YoloV5Layer& layer = layers[i];
    if (layer.anchors.empty()) return malformed({}, fmt::format("YOLOv5 layer {} has no anchors", i));
    NPUBIN_CHECK(check_map(layer.map, std::uint64_t{layer.anchors.size()} * out.entry(),
                           fmt::format("YOLOv5 layer {}", i)));
    const float threshold = config.score_threshold;
    const std::uint32_t exact =
        sigmoid ? least_logit_code(layer.map, threshold) : least_code(layer.map, threshold);
    out.thresholds_.push_back(
        {exact, config.like_hailort ? rounded_code(layer.map, threshold, sigmoid) : exact});
    out.first_source_.push_back(static_cast<std::uint32_t>(out.proposals_));
    out.maps_.push_back(layer.map);
    out.proposals_ += std::uint64_t{layer.map.height} * layer.map.width * layer.anchors.size();
    out.capacity_ = out.proposals_ * config.classes;
    if (out.capacity_ > DetectionFrame::kMaxCandidates)
      return refused(
          fmt::format("a frame could give more than {} candidate boxes", DetectionFrame::kMaxCandidates));
  }
  if (layers.empty()) return malformed({}, "YOLOv5 has no layers");
  out.layers_ = std::move(layers);
  return out;
}

template <class T>
Detection YoloV5::box_at(const Cell& cell, const std::byte* frame) const {
  const YoloV5Layer& layer = layers_[cell.layer];
  const MapReader<T> map(layer.map, frame);
  const std::size_t first = cell.anchor * entry();
  const auto value = [&](std::size_t k) { return activate(map.real(cell.row, cell.column, first + k)); };
  const Anchor& anchor = layer.anchors[cell.anchor];
  const float x =
      (value(0) * 2.0f - 0.5f + static_cast<float>(cell.column)) / static_cast<float>(layer.map.width);
  const float y =
      (value(1) * 2.0f - 0.5f + static_cast<float>(cell.row)) / static_cast<float>(layer.map.height);
  const float wide = value(2) * 2.0f, high = value(3) * 2.0f;
  const float width = wide * wide * anchor.width / config_.image_width;
  const float height = high * high * anchor.height / config_.image_height;
  Detection out;
  out.x_min = x - width / 2.0f;
  out.y_min = y - height / 2.0f;
  out.x_max = out.x_min + width;
  out.y_max = out.y_min + height;
  return out;
}

template <class T>
void YoloV5::decode_layer(std::size_t index, const std::byte* frame, DetectionFrame& out) const {
  const YoloV5Layer& layer = layers_[index];
  const MapReader<T> map(layer.map, frame);
  const Thresholds& least = thresholds_[index];
  for (std::size_t row = 0; row < layer.map.height; ++row)
    for (std::size_t anchor = 0; anchor < layer.anchors.size(); ++anchor) {
      const std::size_t first = anchor * entry();
      scan(map.row(row, first + 4), layer.map.width, least.objectness, [&](std::size_t column) {
        const float objectness = activate(map.real(row, column, first + 4));
        bool have_box = false;
        Detection box;
        for (std::uint32_t id = 0; id < config_.classes; ++id) {
          if (map.row(row, first + 5 + id)[column] < least.classes || ids_[id] == kNoClass) continue;
          const float score = activate(map.real(row, column, first + 5 + id)) * objectness;
          if (!(score >= config_.score_threshold)) continue;
          if (!have_box) box = box_at<T>({index, row, column, anchor}, frame);
          have_box = true;
          box.score = score;
          box.class_id = ids_[id];
          box.source =
              first_source_[index] +
              static_cast<std::uint32_t>((row * layer.map.width + column) * layer.anchors.size() + anchor);
          out.add(box);
        }
      });
    }
}

void YoloV5::decode(FrameData frames, DetectionFrame& out) {
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].map.wide ? decode_layer<std::uint16_t>(i, frames[i], out)
                        : decode_layer<std::uint8_t>(i, frames[i], out);
}

template <class T>
void YoloV5::boxes_of_layer(std::size_t index, const std::byte* frame, float* out) const {
  const YoloV5Layer& layer = layers_[index];
  const MapReader<T> map(layer.map, frame);
  for (std::size_t row = 0; row < layer.map.height; ++row)
    for (std::size_t column = 0; column < layer.map.width; ++column)
      for (std::size_t anchor = 0; anchor < layer.anchors.size(); ++anchor) {
        const Detection box = box_at<T>({index, row, column, anchor}, frame);
        *out++ = box.y_min;
        *out++ = box.x_min;
        *out++ = box.y_max;
        *out++ = box.x_max;
        for (std::size_t k = 4; k < 5 + std::size_t{config_.classes}; ++k)
          *out++ = activate(map.real(row, column, anchor * entry() + k));
      }
}

void YoloV5::decode_boxes(FrameData frames, std::span<float> out) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    float* to = out.data() + std::size_t{first_source_[i]} * (5 + std::size_t{config_.classes});
    layers_[i].map.wide ? boxes_of_layer<std::uint16_t>(i, frames[i], to)
                        : boxes_of_layer<std::uint8_t>(i, frames[i], to);
  }
}

YoloV5::Cell YoloV5::cell_of(std::uint32_t source) const {
  const auto after = std::upper_bound(first_source_.begin(), first_source_.end(), source);
  Cell cell;
  cell.layer = static_cast<std::size_t>(after - first_source_.begin()) - 1;
  const YoloV5Layer& layer = layers_[cell.layer];
  const std::size_t local = source - first_source_[cell.layer];
  cell.anchor = local % layer.anchors.size();
  cell.column = local / layer.anchors.size() % layer.map.width;
  cell.row = local / layer.anchors.size() / layer.map.width;
  return cell;
}

void YoloV5::coefficients(FrameData frames, std::uint32_t source, std::span<float> out) const {
  const Cell cell = cell_of(source);
  const FeatureMap& map = layers_[cell.layer].map;
  const std::size_t first = cell.anchor * entry();
  const auto value = [&](std::size_t k) {
    return map.wide ? MapReader<std::uint16_t>(map, frames[cell.layer]).real(cell.row, cell.column, first + k)
                    : MapReader<std::uint8_t>(map, frames[cell.layer]).real(cell.row, cell.column, first + k);
  };
  const float objectness = activate(value(4));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = value(5 + config_.classes + k) * objectness;
}

Result<std::unique_ptr<DetectionOperator>> make_yolov5(std::vector<YoloV5Layer> layers,
                                                       const OperatorConfig& config) {
  NPUBIN_TRY(YoloV5 op, YoloV5::prepare(std::move(layers), config, false, 0));
  return std::make_unique<YoloV5>(std::move(op));
}

}  // namespace npubin::vision
