// Facts of network groups: streams, virtual streams, contexts, operators.
#include "formats/hef/facts_groups.h"

#include "formats/hef/facts.h"

namespace npubin::hef {
namespace {

// Floats of the file go out as the double of the same value: the conventions of the conformance cases.
Datum number(float value) {
  return Datum(double{value});
}

Datum numbers(const std::vector<float>& values) {
  Datum out{Datum::Array{}};
  for (float value : values) out.push(number(value));
  return out;
}

Datum strings(const std::vector<std::string>& values) {
  return Datum::array_of(values);
}

Datum nms_facts(const NmsInfo& nms) {
  return Datum()
      .set("classes", nms.classes)
      .set("max_bboxes_per_class", nms.max_bboxes_per_class)
      .set("bbox_size", nms.bbox_size)
      .set("chunks_per_frame", nms.chunks_per_frame)
      .set("burst_size", nms.burst_size)
      .set("burst_type", to_string(nms.burst_type))
      .set("is_defused", nms.is_defused)
      .set("class_group_index", nms.class_group_index)
      .set("original_name", nms.original_name);
}

Datum counts_facts(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  Datum out{Datum::Object{}};
  for (const auto& [name, times] : counts) out.set(name, times);
  return out;
}

Datum edge_facts(const EdgeLayer& edge) {
  Datum out;
  out.set("name", edge.name);
  out.set("direction", to_string(edge.direction));
  out.set("kind", to_string(edge.kind));
  out.set("connection", to_string(edge.connection));
  out.set("network_index", edge.network_index);
  if (edge.connection == Connection::Boundary) return out;
  Datum connected{Datum::Array{}};
  for (const auto& [context, sys_index] : edge.connected)
    connected.push(Datum(Datum::Array{context, sys_index}));
  out.set("connected", std::move(connected));
  if (edge.connection == Connection::Ddr) out.set("buffers", edge.buffers);
  if (edge.connection == Connection::Cache) out.set("cache_id", edge.cache_id);
  return out;
}

Datum context_facts(const Context& context) {
  Datum edges{Datum::Array{}};
  for (const EdgeLayer& edge : context.edge_layers) edges.push(edge_facts(edge));
  return Datum()
      .set("index", context.index)
      .set("name", context.name)
      .set("edge_layers", std::move(edges))
      .set("operations", context.counts.operations)
      .set("triggers", counts_facts(context.counts.triggers))
      .set("actions", counts_facts(context.counts.actions));
}

Datum decoder_facts(const Op& op, const Decoder& decoder) {
  Datum out;
  const bool by_anchor = op.type == OpType::YoloV5 || op.type == OpType::YoloV5Seg;
  if (by_anchor) {
    out.set("stream", decoder.stream);
  } else {
    out.set("reg", decoder.reg).set("cls", decoder.cls);
    if (op.type == OpType::YoloX) out.set("obj", decoder.obj);
  }
  if (by_anchor || op.type == OpType::Ssd) {
    Datum anchors{Datum::Array{}};
    for (const auto& [w, h] : decoder.anchors)
      anchors.push(by_anchor
                       ? Datum(Datum::Array{static_cast<std::uint64_t>(w), static_cast<std::uint64_t>(h)})
                       : Datum(Datum::Array{w, h}));
    out.set("anchors", std::move(anchors));
  }
  if (op.type != OpType::Ssd) out.set("stride", decoder.stride);
  return out;
}

void set_specific(Datum& out, const Op& op) {
  if (op.type == OpType::Iou || op.type == OpType::Unknown) return;
  out.set("image_height", number(op.image_height)).set("image_width", number(op.image_width));
  Datum decoders{Datum::Array{}};
  for (const Decoder& decoder : op.decoders) decoders.push(decoder_facts(op, decoder));
  out.set("decoders", std::move(decoders));
  if (op.type == OpType::YoloV8) out.set("regression_length", op.regression_length);
  if (op.type == OpType::YoloV8 || op.type == OpType::YoloV5)
    out.set("input_division_factor", op.input_division_factor);
  if (op.type == OpType::Ssd) {
    out.set("centers_scale_factor", op.centers_scale_factor);
    out.set("bbox_dimensions_scale_factor", op.bbox_dimensions_scale_factor);
    const auto& t = op.ty_tx_th_tw;
    out.set("ty_tx_th_tw", Datum(Datum::Array{t[0], t[1], t[2], t[3]}));
  }
  if (op.type == OpType::YoloV5Seg) {
    out.set("mask_threshold", number(op.mask_threshold));
    out.set("proto_layer", op.proto_layer);
    out.set("proto_number", op.proto_number);
    out.set("proto_stride", op.proto_stride);
  }
}

}  // namespace

std::string op_type_name(const Op& op) {
  return std::string(to_string(op.type)) + (op.bbox_decoding_only ? "_BBOX_ONLY" : "");
}

Datum quant_facts(const QuantInfo& quant) {
  Datum out;
  out.set("mode", quant.per_feature ? "per_feature" : "scalar");
  out.set("zp", number(quant.zp)).set("scale", number(quant.scale));
  out.set("limvals_min", number(quant.limvals_min)).set("limvals_max", number(quant.limvals_max));
  if (quant.per_feature) out.set("zps", numbers(quant.zps)).set("scales", numbers(quant.scales));
  return out;
}

Datum stream_facts(const Stream& s) {
  Datum out;
  out.set("name", s.name);
  out.set("direction", to_string(s.direction));
  out.set("dtype", to_string(s.type));
  out.set("device_order", to_string(s.order));
  out.set("sys_index", s.sys_index);
  out.set("engine_id", s.engine_id);
  if (s.core_hw_padding) out.set("core_hw_padding", true);
  if (s.nms) out.set("nms", nms_facts(*s.nms));
  out.set("hw_frame_size", s.hw_frame_size);
  out.set("shape", shape_datum(s.shape));
  out.set("hw_shape", shape_datum(s.hw_shape));
  out.set("transposed", s.transposed);
  out.set("is_mux", s.is_mux);
  if (s.is_mux) {
    out.set("height_gcd", s.height_gcd);
    out.set("height_ratios", Datum::array_of(s.height_ratios));
    Datum inner{Datum::Array{}};
    for (const Stream& predecessor : s.predecessors) inner.push(stream_facts(predecessor));
    out.set("predecessors", std::move(inner));
  } else {
    out.set("quant", quant_facts(s.quant));
    out.set("original_names", strings(s.original_names));
  }
  return out;
}

Datum vstream_facts(const VStream& v) {
  Datum out;
  out.set("name", v.name);
  out.set("direction", to_string(v.direction));
  out.set("dtype", to_string(v.type));
  out.set("host_order", to_string(v.order));
  out.set("shape", v.shape ? shape_datum(*v.shape) : Datum());
  if (v.nms) {
    Datum nms;
    nms.set("classes", v.nms->classes);
    if (v.nms->max_bboxes_total)
      nms.set("max_bboxes_total", *v.nms->max_bboxes_total);
    else
      nms.set("max_bboxes_per_class", v.nms->max_bboxes_per_class);
    out.set("nms_shape", std::move(nms));
  }
  if (!v.planes.empty()) out.set("planes", strings(v.planes));
  if (!v.defused_from.empty()) out.set("defused_from", strings(v.defused_from));
  out.set("network", v.network);
  return out;
}

Datum op_facts(const NetworkGroup& group, std::size_t index) {
  const Op& op = group.ops[index];
  Datum out;
  out.set("name", op.name);
  out.set("input_streams", strings(op.input_streams));
  out.set("output_vstream", op.output_vstream);
  if (op.is_nms_op()) {
    out.set("score_threshold", number(op.score_threshold)).set("iou_threshold", number(op.iou_threshold));
    out.set("max_proposals_per_class", op.max_proposals_per_class);
    out.set("classes", op.classes);
    out.set("background_removal", op.background_removal);
    out.set("background_removal_index", op.background_removal_index);
    out.set("bbox_decoding_only", op.bbox_decoding_only);
  }
  out.set("type", op_type_name(op));
  if (op.is_nms_op()) set_specific(out, op);
  for (const VStream& vstream : group.vstreams)
    if (vstream.op == index) {
      out.set("vstream", vstream_facts(vstream));
      break;
    }
  return out;
}

Datum group_facts(const NetworkGroup& g) {
  Datum out;
  out.set("name", g.name).set("index", g.index).set("number_of_contexts", g.contexts.size());
  out.set("networks", strings(g.networks));
  out.set("transposed_net", g.transposed_net);
  out.set("bottleneck_fps", g.bottleneck_fps).set("latency", g.latency);
  out.set("computational_ops", g.computational_ops);
  out.set("cfg_channels_count", g.cfg_channels_count);
  out.set("sorted_outputs", strings(g.sorted_outputs));
  out.set("partial_layouts", Datum::array_of(g.partial_layouts));
  Datum streams{Datum::Array{}}, vstreams{Datum::Array{}}, contexts{Datum::Array{}}, ops{Datum::Array{}},
      pad_edges{Datum::Array{}};
  for (const Stream& stream : g.streams) streams.push(stream_facts(stream));
  for (const VStream& vstream : g.vstreams) vstreams.push(vstream_facts(vstream));
  for (const Context& context : g.contexts) contexts.push(context_facts(context));
  for (std::size_t i = 0; i < g.ops.size(); ++i) ops.push(op_facts(g, i));
  for (const auto& [source, destination] : g.pad_edges)
    pad_edges.push(Datum(Datum::Array{source, destination}));
  out.set("streams", std::move(streams)).set("vstreams", std::move(vstreams));
  out.set("contexts", std::move(contexts));
  out.set("preliminary", Datum()
                             .set("operations", g.preliminary.operations)
                             .set("triggers", counts_facts(g.preliminary.triggers))
                             .set("actions", counts_facts(g.preliminary.actions)));
  out.set("ops", std::move(ops)).set("pad_edges", std::move(pad_edges));
  return out;
}

}  // namespace npubin::hef
