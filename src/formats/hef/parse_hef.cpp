// inspect --style parse-hef: line for line what HailoRT 5.2 prints.
#include <fmt/format.h>

#include "formats/hef/listing.h"

namespace npubin::hef {
namespace {

void append_stream(std::vector<std::string>& out, const Stream& stream) {
  const char* side = stream.direction == Direction::HostToDevice ? "Input " : "Output";
  const std::string detail = stream.order == Order::NmsOnChip
                                 ? fmt::format("maximum frame size: {}", stream.hw_frame_size)
                                 : shape_text(stream.hw_shape, stream.order);
  out.push_back(fmt::format("            {} {} {}, {}({})", side, stream.name, to_string(stream.type),
                            to_string(stream.order), detail));
}

std::string nms_text(const VStream& v) {
  const std::string boxes =
      v.nms->max_bboxes_total
          ? fmt::format("maximum bounding boxes total: {}", *v.nms->max_bboxes_total)
          : fmt::format("maximum bounding boxes per class: {}", v.nms->max_bboxes_per_class);
  return fmt::format("number of classes: {}, {}, maximum frame size: {}", v.nms->classes, boxes,
                     v.frame_size);
}

void append_vstream(std::vector<std::string>& out, const VStream& v) {
  const char* side = v.direction == Direction::HostToDevice ? "Input " : "Output";
  const std::string detail = v.nms ? nms_text(v) : shape_text(v.shape.value_or(Shape3{}), v.order);
  out.push_back(fmt::format("            {} {} {}, {}({})", side, v.name, to_string(v.type),
                            to_string(v.order), detail));
}

std::string display_name(const Op& op) {
  switch (op.type) {
    case OpType::YoloV5:
      return op.bbox_decoding_only ? "YOLOv5Bbox-Only-Post-Process" : "YOLOv5-Post-Process";
    case OpType::YoloV5Seg:
      return "YOLOv5Seg-Post-Process";
    case OpType::YoloV8:
      return op.bbox_decoding_only ? "YOLOv8Bbox-Only-Post-Process" : "YOLOV8-Post-Process";
    case OpType::YoloX:
      return "YOLOX-Post-Process";
    case OpType::Ssd:
      return "SSD-Post-Process";
    case OpType::Iou:
      return "IoU-Post-Process";
    case OpType::Softmax:
      return "Softmax-Post-Process";
    case OpType::Argmax:
      return "Argmax-Post-Process";
    case OpType::Unknown:
      break;
  }
  return "Unknown";
}

void append_nms_op(std::vector<std::string>& lines, const Op& op) {
  if (!op.bbox_decoding_only) {
    lines.push_back(fmt::format("Score threshold: {:.3f}", op.score_threshold));
    lines.push_back(fmt::format("IoU threshold: {:.2f}", op.iou_threshold));
  }
  lines.push_back(fmt::format("Classes: {}", op.classes));
  if (!op.bbox_decoding_only) {
    if (op.type == OpType::YoloV5Seg)
      lines.push_back(
          fmt::format("Max bboxes total: {}", std::uint64_t{op.max_proposals_per_class} * op.classes));
    else
      lines.push_back(fmt::format("Max bboxes per class: {}", op.max_proposals_per_class));
    if (op.background_removal)
      lines.push_back(fmt::format("Background removal index: {}", op.background_removal_index));
  }
  if (op.type == OpType::Iou) return;
  lines.push_back("Image height: " + short_number(double{op.image_height}));
  lines.push_back("Image width: " + short_number(double{op.image_width}));
  if (op.type == OpType::YoloV5Seg) lines.push_back(fmt::format("Mask threshold: {:.2f}", op.mask_threshold));
  if (op.type == OpType::Ssd) {
    lines.push_back(fmt::format("Centers scales factor: {}", op.centers_scale_factor));
    lines.push_back(fmt::format("Bbox dimension scale factor: {}", op.bbox_dimensions_scale_factor));
    lines.push_back("Normalize boxes: false");
  }
}

// HailoRT prints the last operator of a group only, and repeats it under every network.
void append_operation(std::vector<std::string>& out, const NetworkGroup& group) {
  if (group.ops.empty()) return;
  const Op& op = group.ops.back();
  std::vector<std::string> lines;
  const std::string type(to_string(op.type));
  lines.push_back(op.is_nms_op() ? "Op " + type : type + " Op");
  lines.push_back("Name: " + display_name(op));
  if (op.is_nms_op()) append_nms_op(lines, op);
  out.emplace_back("            Operation:");
  for (const std::string& line : lines) out.push_back("                " + line);
}

void append_group(std::vector<std::string>& out, const NetworkGroup& group) {
  out.push_back(fmt::format("Network group name: {}, {}", group.name,
                            group.contexts.size() > 1
                                ? fmt::format("Multi Context - Number of contexts: {}", group.contexts.size())
                                : "Single Context"));
  for (std::size_t i = 0; i < group.networks.size(); ++i) {
    out.push_back("    Network name: " + group.networks[i]);
    out.emplace_back("        Stream infos:");
    for (const Stream& stream : group.streams)
      if (group.networks.size() == 1 || stream.network_index == i) append_stream(out, stream);
    out.emplace_back("        VStream infos:");
    for (const VStream& vstream : group.vstreams)
      if (group.networks.size() == 1 || vstream.network_index == i) append_vstream(out, vstream);
    append_operation(out, group);
  }
}

}  // namespace

std::string short_number(double value) {
  return fmt::format("{:g}", value);
}

std::string shape_text(const Shape3& shape, Order order) {
  if (order == Order::Nc) return fmt::format("{}", shape.features);
  if (order == Order::Nhw) return fmt::format("{}x{}", shape.height, shape.width);
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.features);
}

std::vector<std::string> parse_hef_lines(const HefArtifact& artifact) {
  const Model& model = artifact.model();
  std::vector<std::string> out;
  std::string devices;
  if (model.architecture != nullptr)
    for (std::string_view device : model.architecture->devices)
      devices += fmt::format("{}{}", devices.empty() ? "" : ", ", device);
  out.push_back("HEF Compatible for: " + (devices.empty() ? "UNKNOWN" : devices));
  if (model.sdk != std::array<std::uint32_t, 3>{})
    out.push_back("HEF Compiler Version: " + model.sdk_version);
  for (const NetworkGroup& group : model.groups) append_group(out, group);
  return out;
}

}  // namespace npubin::hef
