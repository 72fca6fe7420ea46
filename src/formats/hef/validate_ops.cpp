// Operators behind the chip: parameters and the shapes they are fed (hef spec 3 and 4c).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

class OpCheck {
 public:
  OpCheck(Findings& findings, const NetworkGroup& group, const Op& op)
      : f(findings), group_(group), op_(op), nms_(op.message.message("nms_op")) {
    if (const FieldSchema* kind = nms_.which("nms_op")) specific_ = nms_.message(kind->name);
  }

  void run() {
    if (op_.message.which("op") == nullptr) {
      f.error("HEF-0701", op_.message, {}, fmt::format("operator {} has no kind", op_.name),
              status::kInvalidHef);
    } else if (op_.message.has("logits_op")) {
      logits();
    } else if (nms_.which("nms_op") == nullptr) {
      f.error("HEF-0702", nms_, {}, fmt::format("post-processing {} has no kind", op_.name),
              status::kInvalidHef);
    } else {
      parameters();
      if (op_.type != OpType::Iou) geometry();
      if (op_.type != OpType::Iou) decoders();
      if (op_.type == OpType::Ssd) ssd();
      if (op_.type == OpType::YoloV5Seg) segmentation();
    }
  }

 private:
  void logits() {
    if (op_.input_streams.size() != 1)
      f.error("HEF-0703", op_.message, "input_pads",
              fmt::format("{} has {} inputs; exactly one is allowed", op_.name, op_.input_streams.size()),
              status::kInvalidHef);
    if (op_.message.message("logits_op").u32("logits_type") > 1)
      f.error("HEF-0702", op_.message.message("logits_op"), "logits_type",
              "an unknown kind of logits operator", status::kInvalidHef);
  }

  void parameters() {
    for (const char* field : {"nms_score_th", "nms_iou_th"})
      if (const double value = nms_.f64(field); !(value >= 0 && value <= 1))
        f.warn("HEF-0720", nms_, field, fmt::format("{} is {}, outside of 0 to 1", field, value),
               "HailoRT opens the file; nothing or everything passes such a threshold");
    if (op_.classes == 0)
      f.error("HEF-0721", nms_, "classes", "post-processing for 0 classes", status::kNone,
              "HailoRT opens the file");
    if (op_.max_proposals_per_class == 0 && !op_.bbox_decoding_only)
      f.warn("HEF-0722", nms_, "max_proposals_per_class",
             "at most 0 detections per class: the output is always empty");
    if (op_.background_removal && op_.background_removal_index >= op_.classes)
      f.error("HEF-0723", nms_, "background_removal_index",
              fmt::format("background class {} of {} classes", op_.background_removal_index, op_.classes),
              status::kNone, "HailoRT opens the file");
    for (const VStream& vstream : group_.vstreams)
      if (vstream.op && &group_.ops[*vstream.op] == &op_ &&
          (vstream.frame_size == 0 || vstream.frame_size > 0xFFFFFFFFu))
        if (op_.classes != 0 && op_.max_proposals_per_class != 0)
          f.error("HEF-0724", nms_, "max_proposals_per_class",
                  fmt::format("{} detections for {} classes need a buffer of more than 2^32 bytes",
                              op_.max_proposals_per_class, op_.classes),
                  status::kNone, "HailoRT opens the file and computes in 32 bits");
    if (op_.bbox_decoding_only && op_.type != OpType::YoloV5 && op_.type != OpType::YoloV8)
      f.error("HEF-0725", nms_, "bbox_decoding_only",
              fmt::format("{} cannot decode boxes only; YOLOv5 and YOLOv8 can", to_string(op_.type)),
              status::kInvalidHef);
  }

  void geometry() {
    for (const char* field : {"image_height", "image_width"})
      if (const double value = specific_.f64(field); !(value > 0) || !std::isfinite(value))
        f.error("HEF-0726", specific_, field, fmt::format("{} is {}: boxes are divided by it", field, value),
                status::kNone, "HailoRT opens the file");
  }

  const Stream* leaf(const std::string& name) const {
    return name.empty() ? nullptr : find_leaf(group_, name);
  }

  void connected(const Message& decoder, const char* field, const std::string& name) {
    if (!name.empty()) return;
    f.error("HEF-0728", decoder, field,
            fmt::format("decoder pad {} of {} is not connected to any output of the core", decoder.u32(field),
                        op_.name),
            status::kInvalidHef, "HailoRT checks it by assertion only and crashes");
  }

  void features(const Message& decoder, const std::string& name, std::uint64_t expected,
                const char* formula) {
    const Stream* stream = leaf(name);
    if (stream == nullptr || stream->shape.features == expected) return;
    f.error("HEF-0730", decoder, {},
            fmt::format("stream {} has {} features, the decoder needs {} ({})", name, stream->shape.features,
                        expected, formula),
            status::kInvalidHef, "HailoRT fails only at run time");
  }

  void anchors(const Message& decoder) {
    const auto w = op_.type == OpType::Ssd ? decoder.numbers("w").size() : decoder.integers("w").size();
    const auto h = op_.type == OpType::Ssd ? decoder.numbers("h").size() : decoder.integers("h").size();
    if (w != h)
      f.error("HEF-0729", decoder, "w", fmt::format("{} anchor widths, but {} heights", w, h),
              status::kInvalidHef);
    else if (w == 0)
      f.error("HEF-0729", decoder, "w", "a decoder without anchors", status::kInvalidHef);
  }

  void decoders() {
    const auto messages = specific_.messages("bbox_decoders");
    if (messages.empty())
      f.error("HEF-0727", specific_, "bbox_decoders", fmt::format("{} has no box decoders", op_.name),
              status::kNone, "HailoRT opens the file and never detects anything");
    for (std::size_t i = 0; i < messages.size() && i < op_.decoders.size(); ++i)
      decoder(messages[i], op_.decoders[i]);
  }

  void decoder(const Message& message, const Decoder& decoder) {
    const std::uint64_t classes = op_.classes, count = decoder.anchors.size();
    switch (op_.type) {
      case OpType::YoloV5:
      case OpType::YoloV5Seg: {
        const std::uint64_t masks = op_.type == OpType::YoloV5Seg ? 32 : 0;
        anchors(message);
        connected(message, "pad_index", decoder.stream);
        features(message, decoder.stream, count * (5 + classes + masks),
                 masks != 0 ? "anchors * (5 + classes + 32)" : "anchors * (5 + classes)");
        return;
      }
      case OpType::YoloX:
        connected(message, "obj_pad_index", decoder.obj);
        features(message, decoder.obj, 1, "one objectness");
        features(message, decoder.reg, 4, "x, y, w, h");
        features(message, decoder.cls, classes, "classes");
        break;
      case OpType::YoloV8: {
        features(message, decoder.cls, classes, "classes");
        const Stream* reg = leaf(decoder.reg);
        if (reg != nullptr && (reg->shape.features == 0 || reg->shape.features % 4 != 0))
          f.error("HEF-0730", message, {},
                  fmt::format("stream {} has {} features, which are not four distances", decoder.reg,
                              reg->shape.features),
                  status::kInvalidHef);
        break;
      }
      case OpType::Ssd:
        anchors(message);
        features(message, decoder.reg, count * 4, "anchors * 4");
        features(message, decoder.cls, count * classes, "anchors * classes");
        break;
      default:
        return;
    }
    connected(message, "reg_pad_index", decoder.reg);
    connected(message, "cls_pad_index", decoder.cls);
  }

  void ssd() {
    for (const char* field : {"centers_scale_factor", "bbox_dimensions_scale_factor"})
      if (specific_.u32(field) == 0)
        f.error("HEF-0731", specific_, field, fmt::format("{} is 0: box offsets are divided by it", field),
                status::kNone, "HailoRT opens the file");
    for (const char* field : {"ty", "tx", "th", "tw"})
      if (specific_.u32(field) > 3)
        f.error("HEF-0732", specific_, field,
                fmt::format("{} is channel {} of 4", field, specific_.u32(field)), status::kNone,
                "HailoRT opens the file and reads out of bounds");
  }

  void segmentation() {
    const auto& inputs = op_.input_streams;
    if (std::find(inputs.begin(), inputs.end(), op_.proto_layer) == inputs.end())
      f.error("HEF-0733", specific_.message("proto_info"), "proto_layer",
              fmt::format("mask prototypes {} are no input of {}", op_.proto_layer, op_.name),
              status::kInvalidHef);
  }

  Findings& f;
  const NetworkGroup& group_;
  const Op& op_;
  Message nms_, specific_;
};

}  // namespace

void check_ops(Findings& findings, const NetworkGroup& group) {
  for (const Op& op : group.ops) OpCheck(findings, group, op).run();
}

}  // namespace npubin::hef
