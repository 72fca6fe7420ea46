// Operators that run behind the chip, and how their pads are wired to streams (hef spec 3).
#include <map>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

Order order_of_pad(std::uint32_t format_order) {
  constexpr Order kOrders[] = {
      Order::Unknown, Order::Nhwc,     Order::Nhcw,       Order::Fcr,        Order::F8cr,   Order::Nhw,
      Order::Nc,      Order::BayerRgb, Order::Bayer12Bit, Order::NmsByClass, Order::Rgb888, Order::Nchw,
      Order::Yuy2,    Order::Nv12,     Order::Nv21,       Order::Yyuv,       Order::Yyvu};
  return format_order < std::size(kOrders) ? kOrders[format_order] : Order::Unknown;
}

// format_type is in force where it is set; data_bytes is its older spelling (0: 8 bits, 1: 16 bits).
ElementType type_of_pad(const Message& pad) {
  switch (pad.u32("format_type")) {
    case 1:
      return ElementType::U8;
    case 2:
      return ElementType::U16;
    default:
      return pad.u32("data_bytes") == 1 ? ElementType::U16 : ElementType::U8;
  }
}

class Wiring {
 public:
  explicit Wiring(const NetworkGroup& group) {
    std::vector<const Stream*> leaves;
    for (const Stream& stream : group.streams) append_leaves(stream, leaves);
    for (const Stream* leaf : leaves)
      if (leaf->direction == Direction::DeviceToHost && leaf->pad_index)
        outputs_.emplace(*leaf->pad_index, leaf);
    for (const auto& [source, destination] : group.pad_edges) source_of_.emplace(destination, source);
  }

  // The leaf behind an operator's input pad: pad edge, then the core op's output pad. nullptr: not connected.
  const Stream* behind_input(std::uint32_t pad) const {
    const auto found = source_of_.find(pad);
    return found != source_of_.end() ? at_core_output(found->second) : nullptr;
  }
  const Stream* at_core_output(std::uint32_t pad) const {
    const auto found = outputs_.find(pad);
    return found != outputs_.end() ? found->second : nullptr;
  }
  std::string name_at(std::uint32_t pad) const {
    const Stream* leaf = at_core_output(pad);
    return leaf != nullptr ? leaf->name : std::string();
  }

 private:
  std::map<std::uint32_t, const Stream*> outputs_;
  std::map<std::uint32_t, std::uint32_t> source_of_;
};

std::vector<std::pair<double, double>> anchors_of(const Message& decoder, bool floats) {
  std::vector<std::pair<double, double>> out;
  if (floats) {
    const auto w = decoder.numbers("w"), h = decoder.numbers("h");
    for (std::size_t i = 0; i < w.size() && i < h.size(); ++i) out.emplace_back(w[i], h[i]);
  } else {
    const auto w = decoder.integers("w"), h = decoder.integers("h");
    for (std::size_t i = 0; i < w.size() && i < h.size(); ++i)
      out.emplace_back(static_cast<std::uint32_t>(w[i]), static_cast<std::uint32_t>(h[i]));
  }
  return out;
}

void read_decoders(Op& op, const Message& specific, const Wiring& wiring) {
  for (const Message& message : specific.messages("bbox_decoders")) {
    if (op.decoders.size() >= kMaxDecoders) break;
    Decoder decoder;
    decoder.stride = message.u32("stride");
    if (op.type == OpType::YoloV5 || op.type == OpType::YoloV5Seg) {
      decoder.stream = wiring.name_at(message.u32("pad_index"));
      decoder.anchors = anchors_of(message, false);
    } else {
      decoder.reg = wiring.name_at(message.u32("reg_pad_index"));
      decoder.cls = wiring.name_at(message.u32("cls_pad_index"));
      if (op.type == OpType::YoloX) decoder.obj = wiring.name_at(message.u32("obj_pad_index"));
      if (op.type == OpType::Ssd) decoder.anchors = anchors_of(message, true);
    }
    op.decoders.push_back(std::move(decoder));
  }
}

void read_specific(Op& op, const Message& specific, const Wiring& wiring) {
  op.image_height = static_cast<float>(specific.f64("image_height"));
  op.image_width = static_cast<float>(specific.f64("image_width"));
  op.input_division_factor = specific.u32("input_division_factor");
  op.regression_length = specific.u32("regression_length");
  op.centers_scale_factor = specific.u32("centers_scale_factor");
  op.bbox_dimensions_scale_factor = specific.u32("bbox_dimensions_scale_factor");
  op.ty_tx_th_tw = {specific.u32("ty"), specific.u32("tx"), specific.u32("th"), specific.u32("tw")};
  // All zero: the order y, x, h, w (hef spec 4c).
  if (op.type == OpType::Ssd && op.ty_tx_th_tw == std::array<std::uint32_t, 4>{})
    op.ty_tx_th_tw = {0, 1, 2, 3};
  op.mask_threshold = static_cast<float>(specific.f64("mask_threshold"));
  const Message proto = specific.message("proto_info");
  op.proto_layer = proto.text("proto_layer");
  op.proto_number = proto.u32("number");
  op.proto_stride = proto.u32("stride");
  read_decoders(op, specific, wiring);
}

OpType nms_type(const FieldSchema* kind) {
  if (kind == nullptr) return OpType::Unknown;
  constexpr std::pair<std::string_view, OpType> kTypes[] = {
      {"yolo_nms_op", OpType::YoloV5}, {"yolox_nms_op", OpType::YoloX},    {"ssd_nms_op", OpType::Ssd},
      {"iou_op", OpType::Iou},         {"yolo_seg_op", OpType::YoloV5Seg}, {"yolov8_nms_op", OpType::YoloV8},
  };
  for (const auto& [name, type] : kTypes)
    if (kind->name == name) return type;
  return OpType::Unknown;
}

void read_nms(Op& op, const Message& nms, const Wiring& wiring) {
  op.score_threshold = static_cast<float>(nms.f64("nms_score_th"));
  op.iou_threshold = static_cast<float>(nms.f64("nms_iou_th"));
  op.max_proposals_per_class = nms.u32("max_proposals_per_class");
  op.classes = nms.u32("classes");
  op.background_removal = nms.flag("background_removal");
  op.background_removal_index = nms.u32("background_removal_index");
  op.bbox_decoding_only = nms.flag("bbox_decoding_only");
  const FieldSchema* kind = nms.which("nms_op");
  op.type = nms_type(kind);
  if (kind != nullptr) read_specific(op, nms.message(kind->name), wiring);
}

Op op_of(const Message& message, const Wiring& wiring) {
  Op op;
  op.message = message;
  op.name = message.text("name");
  for (const Message& pad : message.messages("input_pads")) {
    op.input_pads.push_back(pad.u32("index"));
    const Stream* leaf = wiring.behind_input(op.input_pads.back());
    op.input_streams.push_back(leaf != nullptr ? leaf->name : std::string());
  }
  const std::vector<Message> outputs = message.messages("output_pads");
  if (!outputs.empty()) {
    const Message& pad = outputs.front();
    op.output_vstream = pad.text("name");
    op.output_order = order_of_pad(pad.u32("format_order"));
    op.output_type = type_of_pad(pad);
    const Message shape = pad.message("tensor_shape");
    op.output_shape = {shape.u32("height"), shape.u32("width"), shape.u32("features")};
  }
  if (message.has("nms_op")) read_nms(op, message.message("nms_op"), wiring);
  if (message.has("logits_op"))
    op.type = message.message("logits_op").u32("logits_type") == 0 ? OpType::Argmax : OpType::Softmax;
  return op;
}

}  // namespace

void derive_ops(NetworkGroup& group) {
  if (!group.net_flow) return;
  const Wiring wiring(group);
  for (const Message& message : group.message.messages("ops"))
    if (!message.has("core_op") && group.ops.size() < kMaxOps) group.ops.push_back(op_of(message, wiring));
}

}  // namespace npubin::hef
