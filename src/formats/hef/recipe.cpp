// Post-processing in the terms of a decoding recipe (hef spec 4c).
#include <fmt/format.h>

#include "formats/hef/listing.h"

namespace npubin::hef {
namespace {

std::string anchors_text(const Decoder& decoder) {
  std::string out;
  for (const auto& [w, h] : decoder.anchors) out += fmt::format(" {:g}x{:g}", w, h);
  return out;
}

std::string shape_of(const NetworkGroup& group, const std::string& name) {
  const Stream* leaf = find_leaf(group, name);
  return leaf == nullptr ? std::string("not connected") : shape_text(leaf->shape, leaf->order);
}

void append_formula(std::vector<std::string>& out, const Op& op) {
  switch (op.type) {
    case OpType::YoloV5:
    case OpType::YoloV5Seg:
      out.emplace_back("per anchor 5 + classes channels: x, y, w, h, objectness, classes" +
                       std::string(op.type == OpType::YoloV5Seg
                                       ? ", then 32 mask coefficients; sigmoid on the host"
                                       : "; sigmoid was applied on the chip"));
      out.emplace_back(
          "x = (2 tx - 0.5 + column) / columns, y alike; w = (2 tw)^2 * anchor_w / image_w, h alike");
      out.emplace_back("score = objectness * class; corners = centre -/+ half size, not clipped");
      return;
    case OpType::YoloV8:
      out.emplace_back(
          "reg: four groups; each softmax, then the expected index = distance to left, top, right, bottom");
      out.emplace_back(
          "centre = (column + 0.5) * stride / image_w; corners = centre -/+ distance * stride / image_w");
      out.emplace_back("score = class; sigmoid was applied on the chip");
      return;
    case OpType::YoloX:
      out.emplace_back("x = (tx + column) / columns, w = exp(tw) / columns; score = objectness * class");
      return;
    case OpType::Ssd:
      out.emplace_back(fmt::format("channels ty {}, tx {}, th {}, tw {}; tx, ty / {}, tw, th / {}",
                                   op.ty_tx_th_tw[0], op.ty_tx_th_tw[1], op.ty_tx_th_tw[2], op.ty_tx_th_tw[3],
                                   op.centers_scale_factor, op.bbox_dimensions_scale_factor));
      out.emplace_back("x = tx * anchor_w + (column + 0.5) / columns, w = exp(tw) * anchor_w; score = class");
      return;
    case OpType::Iou:
      out.emplace_back("boxes come decoded from the chip; the host suppresses overlaps");
      return;
    case OpType::Softmax:
      out.emplace_back("softmax over the features, in float32");
      return;
    case OpType::Argmax:
      out.emplace_back("index of the largest feature; the lowest one wins");
      return;
    case OpType::Unknown:
      out.emplace_back("of a kind that npubin does not know");
  }
}

void append_suppression(std::vector<std::string>& out, const Op& op) {
  if (op.bbox_decoding_only) {
    out.emplace_back(
        "decoding only: no threshold, no suppression; rows of y_min, x_min, y_max, x_max, scores");
    return;
  }
  out.push_back(fmt::format(
      "keep scores >= {:g}; of two boxes of a class with IoU >= {:g} the lower score goes; at most "
      "{} per class",
      op.score_threshold, op.iou_threshold, op.max_proposals_per_class));
  if (op.background_removal)
    out.push_back(fmt::format("class {} is background and left out", op.background_removal_index));
  if (op.type == OpType::YoloV5Seg)
    out.push_back(fmt::format("masks: sigmoid(coefficients . {} ({})), resized to the image, 1 where > {:g}",
                              op.proto_layer, op.proto_number, op.mask_threshold));
  out.emplace_back("these thresholds can also be set at run time, per virtual stream (HailoRT)");
}

}  // namespace

std::vector<std::string> recipe_of(const NetworkGroup& group, const Op& op) {
  std::vector<std::string> out;
  if (op.is_nms_op() && op.type != OpType::Iou)
    out.push_back(fmt::format("image {:g} x {:g} (height x width), {} classes", op.image_height,
                              op.image_width, op.classes));
  for (const Decoder& decoder : op.decoders) {
    std::string line;
    if (!decoder.stream.empty())
      line = fmt::format("{} ({})", decoder.stream, shape_of(group, decoder.stream));
    if (!decoder.reg.empty()) line = fmt::format("reg {} ({})", decoder.reg, shape_of(group, decoder.reg));
    if (!decoder.cls.empty()) line += fmt::format(", cls {} ({})", decoder.cls, shape_of(group, decoder.cls));
    if (!decoder.obj.empty()) line += fmt::format(", obj {} ({})", decoder.obj, shape_of(group, decoder.obj));
    if (decoder.stride != 0) line += fmt::format(", stride {}", decoder.stride);
    if (!decoder.anchors.empty()) line += ", anchors (w x h)" + anchors_text(decoder);
    out.push_back(std::move(line));
  }
  append_formula(out, op);
  if (op.is_nms_op()) append_suppression(out, op);
  return out;
}

}  // namespace npubin::hef
