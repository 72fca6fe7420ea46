// Post-processing operators of the model, wired to their feature maps.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "formats/hef/host_stages.h"

namespace npubin::hef {
namespace {

std::vector<vision::Anchor> anchors_of(const Decoder& decoder) {
  std::vector<vision::Anchor> out;
  for (const auto& [width, height] : decoder.anchors)
    out.push_back({static_cast<float>(width), static_cast<float>(height)});
  return out;
}

Result<vision::FeatureMap> map_of(const HostContext& context, const std::string& name,
                                  std::vector<const Stream*>& leaves) {
  NPUBIN_TRY(const Stream* leaf, leaf_named(context, name));
  leaves.push_back(leaf);
  return feature_map(*leaf);
}

// HailoRT keeps the layers of YOLOv5 and SSD in a map by name; it decides between equal scores, and orders
// the rows of boxes without suppression (hef spec 4c).
std::vector<const Decoder*> by_name(const Op& op, std::string Decoder::*name) {
  std::vector<const Decoder*> out;
  for (const Decoder& decoder : op.decoders) out.push_back(&decoder);
  std::stable_sort(out.begin(), out.end(),
                   [name](const Decoder* a, const Decoder* b) { return a->*name < b->*name; });
  return out;
}

Result<WiredOperator> wire_yolox(const HostContext& context, const Op& op) {
  WiredOperator out;
  std::vector<vision::YoloXLayer> layers;
  for (const Decoder& decoder : op.decoders) {
    vision::YoloXLayer layer;
    NPUBIN_TRY(layer.regression, map_of(context, decoder.reg, out.leaves));
    NPUBIN_TRY(layer.objectness, map_of(context, decoder.obj, out.leaves));
    NPUBIN_TRY(layer.classes, map_of(context, decoder.cls, out.leaves));
    layers.push_back(layer);
  }
  NPUBIN_TRY(out.op, vision::make_yolox(std::move(layers), operator_config(context, op)));
  return out;
}

Result<WiredOperator> wire_ssd(const HostContext& context, const Op& op) {
  WiredOperator out;
  std::vector<vision::SsdLayer> layers;
  for (const Decoder* decoder : by_name(op, &Decoder::reg)) {
    vision::SsdLayer layer;
    NPUBIN_TRY(layer.regression, map_of(context, decoder->reg, out.leaves));
    NPUBIN_TRY(layer.classes, map_of(context, decoder->cls, out.leaves));
    layer.anchors = anchors_of(*decoder);
    layers.push_back(std::move(layer));
  }
  vision::SsdConfig ssd;
  ssd.centers_scale = static_cast<float>(op.centers_scale_factor);
  ssd.dimensions_scale = static_cast<float>(op.bbox_dimensions_scale_factor);
  ssd.channels = op.ty_tx_th_tw;
  NPUBIN_TRY(out.op, vision::make_ssd(std::move(layers), ssd, operator_config(context, op)));
  return out;
}

}  // namespace

vision::OperatorConfig operator_config(const HostContext& context, const Op& op) {
  const HostOptions& options = context.options;
  vision::OperatorConfig out;
  out.classes = op.classes;
  out.score_threshold = options.score_threshold.value_or(op.score_threshold);
  out.iou_threshold = options.iou_threshold.value_or(op.iou_threshold);
  out.max_per_class = options.max_proposals_per_class.value_or(op.max_proposals_per_class);
  out.image_height = op.image_height;
  out.image_width = op.image_width;
  out.background_removal = op.background_removal;
  out.background_index = op.background_removal_index;
  out.like_hailort = options.like_hailort;
  return out;
}

Result<YoloV5Wiring> wire_yolov5(const HostContext& context, const Op& op) {
  YoloV5Wiring out;
  for (const Decoder* decoder : by_name(op, &Decoder::stream)) {
    vision::YoloV5Layer layer;
    NPUBIN_TRY(layer.map, map_of(context, decoder->stream, out.leaves));
    layer.anchors = anchors_of(*decoder);
    out.layers.push_back(std::move(layer));
  }
  return out;
}

Result<YoloV8Wiring> wire_yolov8(const HostContext& context, const Op& op) {
  YoloV8Wiring out;
  for (const Decoder& decoder : op.decoders) {
    vision::YoloV8Layer layer;
    NPUBIN_TRY(layer.regression, map_of(context, decoder.reg, out.leaves));
    NPUBIN_TRY(layer.classes, map_of(context, decoder.cls, out.leaves));
    layer.stride = decoder.stride;
    out.layers.push_back(layer);
  }
  return out;
}

Result<WiredOperator> wire_operator(const HostContext& context, const Op& op) {
  switch (op.type) {
    case OpType::YoloV5: {
      NPUBIN_TRY(YoloV5Wiring wiring, wire_yolov5(context, op));
      NPUBIN_TRY(auto made, vision::make_yolov5(std::move(wiring.layers), operator_config(context, op)));
      return WiredOperator{std::move(made), std::move(wiring.leaves)};
    }
    case OpType::YoloV8: {
      NPUBIN_TRY(YoloV8Wiring wiring, wire_yolov8(context, op));
      NPUBIN_TRY(auto made, vision::make_yolov8(std::move(wiring.layers), operator_config(context, op)));
      return WiredOperator{std::move(made), std::move(wiring.leaves)};
    }
    case OpType::YoloX:
      return wire_yolox(context, op);
    case OpType::Ssd:
      return wire_ssd(context, op);
    default:
      return refused(fmt::format("operator {} of kind {} is not run", op.name, to_string(op.type)));
  }
}

}  // namespace npubin::hef
