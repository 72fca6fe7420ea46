// Device-side streams: boundary edge layers, planes expanded, muxes as trees (hef spec 3).
#include <algorithm>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

std::optional<std::uint64_t> product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t out = 1;
  for (std::uint64_t factor : factors) {
    const auto next = checked_mul(out, factor);
    if (!next) return std::nullopt;
    out = *next;
  }
  return out;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return value > UINT64_MAX - unit ? 0 : (value + unit - 1) / unit * unit;
}

ElementType element_type(std::uint32_t data_bytes) {
  return data_bytes == 1 ? ElementType::U8 : data_bytes == 2 ? ElementType::U16 : ElementType::Unknown;
}

struct LayerContext {
  const Model& model;
  const NetworkGroup& group;
  Message edge;  // ProtoHEFEdgeLayer
  Direction direction;
  bool boundary;
  std::size_t& budget;  // layers that may still be derived
};

BurstType burst_type(const Model& model, std::uint32_t number) {
  switch (number) {
    case 0:
      return model.family() == ChipFamily::Hailo15 ? BurstType::H15Bbox : BurstType::H8Bbox;
    case 1:
      return BurstType::H8PerClass;
    case 2:
      return BurstType::H15PerClass;
    case 3:
      return BurstType::H15PerFrame;
    default:
      return BurstType::Unknown;
  }
}

// With extension 25 an output's vectors win; an empty one repeats the scalar. Detections have one
// quantisation for the box and one for the score.
QuantInfo quant_of(const LayerContext& at, const Message& numeric, std::uint32_t features, bool nms) {
  QuantInfo out;
  out.zp = numeric.f32("qp_zp");
  out.scale = numeric.f32("qp_scale");
  out.limvals_min = numeric.f32("limvals_min");
  out.limvals_max = numeric.f32("limvals_max");
  if (at.direction != Direction::DeviceToHost || !at.model.has_extension(kExtScalePerFeature)) return out;
  out.per_feature = true;
  for (double zp : numeric.numbers("qp_zps")) out.zps.push_back(static_cast<float>(zp));
  for (double scale : numeric.numbers("qp_scales")) out.scales.push_back(static_cast<float>(scale));
  // A hostile feature count must not allocate: real layers have a few thousand channels.
  const std::size_t count = std::min<std::size_t>(nms ? 2 : features, std::size_t{1} << 16);
  if (out.zps.empty()) out.zps.assign(count, out.zp);
  if (out.scales.empty()) out.scales.assign(count, out.scale);
  return out;
}

// HailoRT pads a core's rows itself where the compiler did not (optional extension 11 absent).
bool core_hw_padding(const LayerContext& at, const Message& base, bool mux, ElementType type) {
  if (at.model.has_optional_extension(kOptionalHwPadding) || !at.boundary || mux) return false;
  if (device_order(base.u32("format")) != Order::Nhcw) return false;
  const std::uint64_t height = base.u32("height");
  const auto row = product({base.u32("width"), base.u32("features")});
  if (!row || base.u32("core_buffers_per_frame") != height || *row % 8 != 0) return false;
  // A core that does not state its stream FIFO's size has one of 8192 bytes.
  const std::uint32_t fifo = base.u32("max_shmifo_size");
  const std::uint64_t limit = fifo == 0 ? 8192 : std::min<std::uint64_t>(8192, fifo);
  const auto bytes = checked_mul<std::uint64_t>(*row, bytes_of(type));
  return bytes && *bytes < limit;
}

Stream stream_of(const LayerContext& at, const Message& layer, bool mux) {
  Stream out;
  const Message base = layer.message("edge_layer_base");
  out.edge = at.edge;
  out.name = layer.text("name");
  out.direction = at.direction;
  out.type = element_type(base.u32("data_bytes"));
  out.order = device_order(base.u32("format"));
  out.sys_index = base.u32("sys_index");
  out.engine_id = base.u32("engine_id");
  out.network_index = at.edge.u32("network_index");
  if (at.edge.has("pad_index")) out.pad_index = at.edge.u32("pad_index");
  for (std::string_view name : layer.texts("original_names")) out.original_names.emplace_back(name);
  out.shape = {base.u32("height"), base.u32("width"), base.u32("features")};
  out.hw_shape = {base.u32("padded_height"), base.u32("padded_width"), base.u32("padded_features")};
  out.core_hw_padding = core_hw_padding(at, base, mux, out.type);
  if (out.core_hw_padding) out.hw_shape = out.shape;
  // A vector of features has no height and width to swap.
  out.transposed = !mux && out.order != Order::Nc && (layer.flag("transposed") || at.group.transposed_net);
  if (out.transposed) std::swap(out.shape.height, out.shape.width);
  if (out.order == Order::NmsOnChip) {
    out.nms = nms_info_of(at.model, base.message("additional_info").message("nms_info"));
    out.shape = {out.nms->classes, 5, out.nms->max_bboxes_per_class * out.nms->chunks_per_frame};
  }
  if (!mux) out.quant = quant_of(at, layer.message("numeric_info"), out.shape.features, out.nms.has_value());
  out.is_mux = mux;
  return out;
}

// The recursion is bounded: the wire walk refuses documents nested deeper than kMaxDepth.
Stream layer_of(const LayerContext& at, const FieldSchema& kind, const Message& layer, int depth) {
  const bool mux = kind.name == "layer_mux";
  if (at.budget > 0) --at.budget;
  Stream out = stream_of(at, layer, mux);
  if (mux && depth < kMaxDepth) {
    const Message data = layer.message("mux_data");
    out.height_gcd = data.u32("height_gcd");
    for (std::uint64_t ratio : data.integers("height_ratios_list"))
      out.height_ratios.push_back(static_cast<std::uint32_t>(ratio));
    for (const Message& edge : layer.messages("predecessors"))
      if (const FieldSchema* inner = at.budget > 0 ? edge.which("edge") : nullptr;
          inner != nullptr && inner->name != "layer_planes")
        out.predecessors.push_back(layer_of(at, *inner, edge.message(inner->name), depth + 1));
  }
  out.hw_frame_size = hw_frame_size(out);
  return out;
}

void append_edge(const Model& model, const NetworkGroup& group, const EdgeLayer& edge, std::size_t& budget,
                 std::vector<Stream>& out) {
  const bool boundary = edge.connection == Connection::Boundary;
  const LayerContext at{model, group, edge.message, edge.direction, boundary, budget};
  const FieldSchema* kind = edge.message.which("edge");
  if (kind == nullptr) return;
  const Message layer = edge.message.message(kind->name);
  if (kind->name != "layer_planes") {
    out.push_back(layer_of(at, *kind, layer, 0));
    return;
  }
  for (const Message& plane : layer.messages("planes")) {
    const FieldSchema* inner = plane.which("edge");
    if (budget == 0 || inner == nullptr || inner->name == "layer_planes") continue;
    out.push_back(layer_of(at, *inner, plane.message(inner->name), 0));
    out.back().planes_name = edge.name;
  }
}

}  // namespace

NmsInfo nms_info_of(const Model& model, const Message& nms) {
  NmsInfo out;
  out.classes = nms.u32("number_of_classes");
  out.max_bboxes_per_class = nms.u32("max_output_size");
  out.bbox_size = nms.u32("bbox_size");
  out.chunks_per_frame = std::max<std::uint32_t>(1, nms.u32("input_division_factor"));
  out.burst_size = std::max<std::uint32_t>(1, nms.u32("burst_size"));
  out.burst_type = burst_type(model, nms.u32("burst_type"));
  out.is_defused = nms.flag("is_defused");
  const Message defuse = nms.message("defuse_info");
  out.class_group_index = defuse.u32("class_group_index");
  out.original_name = defuse.text("original_name");
  return out;
}

std::uint64_t hw_frame_size(const Stream& stream) {
  if (stream.nms) {
    const NmsInfo& nms = *stream.nms;
    // chunks * classes * (2 + bbox * max(burst, max_per_class)) + bbox * burst (hef spec 4b)
    const std::uint64_t boxes = std::max(nms.burst_size, nms.max_bboxes_per_class);
    const auto per_class = checked_add<std::uint64_t>(2, std::uint64_t{nms.bbox_size} * boxes);
    const auto all = per_class ? product({nms.chunks_per_frame, nms.classes, *per_class}) : std::nullopt;
    const auto sum = all ? checked_add(*all, std::uint64_t{nms.bbox_size} * nms.burst_size) : std::nullopt;
    return sum.value_or(0);
  }
  const Shape3& s = stream.hw_shape;
  const auto bytes = product({s.height, s.width, s.features, bytes_of(stream.type)});
  return bytes ? round_up(*bytes, 8) : 0;
}

std::uint64_t host_frame_size(const Shape3& shape, Order order, ElementType type) {
  if (order == Order::Rgb4) {
    const auto row = product({shape.width, shape.features});
    return row ? product({shape.height, round_up(*row, 4), bytes_of(type)}).value_or(0) : 0;
  }
  return product({shape.height, shape.width, shape.features, bytes_of(type)}).value_or(0);
}

void derive_streams(const Model& model, NetworkGroup& group) {
  std::vector<Stream> all;
  std::size_t budget = kMaxStreams;
  for (const Context& context : group.contexts)
    for (const EdgeLayer& edge : context.edge_layers)
      if (edge.connection == Connection::Boundary && budget > 0) append_edge(model, group, edge, budget, all);
  std::stable_partition(all.begin(), all.end(),
                        [](const Stream& s) { return s.direction == Direction::HostToDevice; });
  group.streams = std::move(all);
}

void append_leaves(const Stream& stream, std::vector<const Stream*>& out) {
  if (!stream.is_mux) {
    out.push_back(&stream);
    return;
  }
  for (const Stream& inner : stream.predecessors) append_leaves(inner, out);
}

const Stream* find_leaf(const NetworkGroup& group, std::string_view name) {
  std::vector<const Stream*> leaves;
  for (const Stream& stream : group.streams) append_leaves(stream, leaves);
  for (const Stream* leaf : leaves)
    if (leaf->name == name) return leaf;
  return nullptr;
}

}  // namespace npubin::hef
