// Virtual streams: what a user of HailoRT reads and writes (hef spec 3).
#include <algorithm>
#include <map>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

std::string network_of(const NetworkGroup& group, std::uint32_t index) {
  return index < group.networks.size() ? group.networks[index] : group.networks.front();
}

VStream plain(const NetworkGroup& group, const Stream& leaf) {
  VStream out;
  out.name = leaf.name;
  out.direction = leaf.direction;
  out.order = default_host_order(leaf.order);
  out.type = leaf.type;
  out.network_index = leaf.network_index;
  out.network = network_of(group, leaf.network_index);
  out.streams = {leaf.name};
  out.quant = leaf.quant;
  if (leaf.nms) {
    out.type = ElementType::F32;
    out.nms = NmsShape{leaf.nms->classes, leaf.nms->max_bboxes_per_class * leaf.nms->chunks_per_frame, {}, 0};
    out.frame_size = nms_frame_size(*out.nms, out.order);
  } else {
    out.shape = leaf.shape;
    out.frame_size = host_frame_size(leaf.shape, out.order, out.type);
  }
  return out;
}

// The planes of one picture are one input.
VStream planes_of(const NetworkGroup& group, const Stream& first) {
  constexpr Order kOrders[] = {Order::Nv12, Order::Nv21, Order::I420};
  const Message layer = first.edge.message("layer_planes");
  VStream out;
  out.name = first.planes_name;
  out.direction = first.direction;
  out.type = first.type;
  const std::uint32_t format = layer.u32("planes_format");
  out.order = format < std::size(kOrders) ? kOrders[format] : Order::Unknown;
  out.shape = Shape3{layer.u32("height"), layer.u32("width"), layer.u32("features")};
  out.network_index = first.network_index;
  out.network = network_of(group, first.network_index);
  out.quant = first.quant;
  for (const Stream& stream : group.streams) {
    if (stream.planes_name != first.planes_name) continue;
    out.planes.push_back(stream.name);
    out.streams.push_back(stream.name);
    out.frame_size += host_frame_size(stream.shape, Order::Nhwc, stream.type);
  }
  return out;
}

using FusedLayers = std::map<std::string, NmsInfo, std::less<>>;

FusedLayers fused_layers(const Model& model, const NetworkGroup& group) {
  FusedLayers out;
  for (const Message& layer : group.core.message("fused_layers_metadata").messages("fused_layers"))
    out.emplace(layer.message("layer_info").text("name"), nms_info_of(model, layer.message("nms_info")));
  return out;
}

// Defused detections come out as the one layer they were before the compiler split it.
VStream fused(const FusedLayers& layers, const NetworkGroup& group, const Stream& leaf) {
  VStream out = plain(group, leaf);
  out.name = leaf.nms->original_name;
  if (const auto layer = layers.find(out.name); layer != layers.end()) {
    const NmsInfo& nms = layer->second;
    out.nms = NmsShape{nms.classes, nms.max_bboxes_per_class * nms.chunks_per_frame, {}, 0};
    out.frame_size = nms_frame_size(*out.nms, out.order);
  }
  std::vector<const Stream*> parts;
  std::vector<const Stream*> leaves;
  for (const Stream& stream : group.streams) append_leaves(stream, leaves);
  for (const Stream* part : leaves)
    if (part->nms && part->nms->is_defused && part->nms->original_name == out.name) parts.push_back(part);
  std::stable_sort(parts.begin(), parts.end(), [](const Stream* a, const Stream* b) {
    return a->nms->class_group_index < b->nms->class_group_index;
  });
  out.streams.clear();
  for (const Stream* part : parts) out.streams.push_back(part->name);
  out.defused_from = out.streams;
  return out;
}

// Boxes decoded without suppression: one row per anchor (YOLOv5) or cell (YOLOv8).
Shape3 bbox_only_shape(const NetworkGroup& group, const Op& op) {
  std::uint64_t proposals = 0;
  for (const Decoder& decoder : op.decoders) {
    const bool v5 = op.type == OpType::YoloV5;
    const Stream* leaf = find_leaf(group, v5 ? decoder.stream : decoder.reg);
    if (leaf == nullptr) continue;
    const std::uint64_t cells = std::uint64_t{leaf->shape.height} * leaf->shape.width;
    proposals += v5 ? cells * decoder.anchors.size() : cells;
  }
  const std::uint32_t columns = (op.type == OpType::YoloV5 ? 5 : 4) + op.classes;
  return {1, static_cast<std::uint32_t>(std::min<std::uint64_t>(proposals, UINT32_MAX)), columns};
}

void shape_nms(const NetworkGroup& group, const Op& op, VStream& out) {
  if (op.bbox_decoding_only) {
    out.type = ElementType::F32;
    out.order = Order::Nhwc;
    out.shape = bbox_only_shape(group, op);
    out.frame_size = host_frame_size(*out.shape, out.order, out.type);
    return;
  }
  NmsShape nms;
  nms.classes = op.classes - (op.background_removal && op.classes > 0 ? 1 : 0);
  nms.max_bboxes_per_class = op.max_proposals_per_class;
  out.order = Order::NmsByClass;
  out.type = ElementType::F32;
  if (op.type == OpType::YoloV5Seg) {
    out.order = Order::NmsByteMask;
    out.type = ElementType::U8;
    nms.max_bboxes_total = std::uint64_t{op.max_proposals_per_class} * nms.classes;
    const double mask = double{op.image_height} * op.image_width * 4;
    nms.max_accumulated_mask_size = mask >= 0 && mask < 1e15 ? static_cast<std::uint64_t>(mask) : 0;
  }
  out.nms = nms;
  out.frame_size = nms_frame_size(nms, out.order);
}

void shape_logits(const NetworkGroup& group, const Op& op, VStream& out) {
  const Stream* leaf = op.input_streams.empty() ? nullptr : find_leaf(group, op.input_streams.front());
  Shape3 shape = leaf != nullptr ? leaf->shape : op.output_shape;
  const bool vector = leaf != nullptr ? leaf->order == Order::Nc : op.output_order == Order::Nc;
  if (op.type == OpType::Softmax) {
    out.type = ElementType::F32;
    out.order = vector ? Order::Nc : Order::Nhwc;
  } else {
    out.type = op.output_type;
    out.order = vector ? Order::Nc : Order::Nhw;
    shape.features = 1;
  }
  out.shape = shape;
  out.frame_size = host_frame_size(shape, out.order, out.type);
}

VStream behind_op(const NetworkGroup& group, std::size_t index) {
  const Op& op = group.ops[index];
  VStream out;
  out.name = op.output_vstream;
  out.direction = Direction::DeviceToHost;
  out.op = index;
  out.streams = op.input_streams;
  const Stream* first = op.input_streams.empty() ? nullptr : find_leaf(group, op.input_streams.front());
  out.network_index = first != nullptr ? first->network_index : 0;
  out.network = network_of(group, out.network_index);
  if (first != nullptr) out.quant = first->quant;
  if (op.is_nms_op())
    shape_nms(group, op, out);
  else
    shape_logits(group, op, out);
  return out;
}

// Which operator takes a leaf; the first one where several do.
std::map<std::string_view, std::size_t> ops_by_leaf(const NetworkGroup& group) {
  std::map<std::string_view, std::size_t> out;
  for (std::size_t i = 0; i < group.ops.size(); ++i)
    for (const std::string& name : group.ops[i].input_streams)
      if (!name.empty()) out.emplace(name, i);
  return out;
}

}  // namespace

std::uint64_t nms_frame_size(const NmsShape& shape, Order order) {
  if (order == Order::NmsByteMask)
    return checked_add(2 + 46 * shape.max_bboxes_total.value_or(0), shape.max_accumulated_mask_size)
        .value_or(0);
  if (order == Order::NmsByScore) return 2 + 22 * shape.max_bboxes_total.value_or(0);
  const auto per_class = checked_mul<std::uint64_t>(5, shape.max_bboxes_per_class);
  return checked_mul<std::uint64_t>(shape.classes, 4 * (1 + *per_class)).value_or(0);
}

void derive_vstreams(const Model& model, NetworkGroup& group) {
  std::vector<VStream> inputs, outputs;
  auto known = [](const std::vector<VStream>& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](const VStream& v) { return v.name == name; });
  };
  const FusedLayers layers = fused_layers(model, group);
  const std::map<std::string_view, std::size_t> takers = ops_by_leaf(group);
  for (const Stream& stream : group.streams) {
    if (stream.direction == Direction::HostToDevice) {
      if (stream.planes_name.empty())
        inputs.push_back(plain(group, stream));
      else if (!known(inputs, stream.planes_name))
        inputs.push_back(planes_of(group, stream));
      continue;
    }
    std::vector<const Stream*> leaves;
    append_leaves(stream, leaves);
    for (const Stream* leaf : leaves) {
      if (const auto taker = takers.find(leaf->name); taker != takers.end()) {
        const bool seen = std::any_of(outputs.begin(), outputs.end(),
                                      [&](const VStream& v) { return v.op == taker->second; });
        if (!seen) outputs.push_back(behind_op(group, taker->second));
      } else if (leaf->nms && leaf->nms->is_defused) {
        if (!known(outputs, leaf->nms->original_name)) outputs.push_back(fused(layers, group, *leaf));
      } else {
        outputs.push_back(plain(group, *leaf));
      }
    }
  }
  // Names missing from the sorted list are an error that validation reports; here they come last.
  std::map<std::string_view, std::size_t> rank;
  for (std::size_t i = 0; i < group.sorted_outputs.size(); ++i) rank.emplace(group.sorted_outputs[i], i);
  auto place = [&](const VStream& v) {
    const auto found = rank.find(v.name);
    return found == rank.end() ? rank.size() + group.sorted_outputs.size() : found->second;
  };
  std::stable_sort(outputs.begin(), outputs.end(),
                   [&](const VStream& a, const VStream& b) { return place(a) < place(b); });
  group.vstreams = std::move(inputs);
  group.vstreams.insert(group.vstreams.end(), std::make_move_iterator(outputs.begin()),
                        std::make_move_iterator(outputs.end()));
}

}  // namespace npubin::hef
