// inspect: a network group.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/hef/facts_groups.h"
#include "formats/hef/listing.h"

namespace npubin::hef {
namespace {

std::string quant_text(const QuantInfo& q) {
  if (q.per_feature) {
    const auto [low, high] = std::minmax_element(q.scales.begin(), q.scales.end());
    return low == q.scales.end() ? "per feature"
                                 : fmt::format("per feature, scale {:g} to {:g}", *low, *high);
  }
  return fmt::format("scale {:g}, zero point {:g}, {:g} to {:g}", q.scale, q.zp, q.limvals_min,
                     q.limvals_max);
}

std::string nms_text(const NmsInfo& nms) {
  return fmt::format("{} classes, {} boxes, {}", nms.classes, nms.max_bboxes_per_class,
                     to_string(nms.burst_type));
}

void add_stream_row(Table& table, const Stream& s, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  const bool input = s.direction == Direction::HostToDevice;
  table.rows.push_back({indent + s.name, input ? "in" : "out", to_string(s.type), to_string(s.order),
                        s.nms ? nms_text(*s.nms) : shape_text(s.shape, s.order),
                        s.nms ? std::string("-") : shape_text(s.hw_shape, s.order), s.hw_frame_size,
                        s.is_mux ? std::string("mux") : quant_text(s.quant)});
  for (const Stream& inner : s.predecessors) add_stream_row(table, inner, depth + 1);
}

void add_streams(Node& node, const NetworkGroup& group) {
  Table& table = node.table(
      "streams", {"name", "direction", "type", "order", "shape", "padded", "bytes_per_frame", "quantization"},
      Detail::TextOnly);
  table.title = "streams (on the device)";
  for (const Stream& stream : group.streams) add_stream_row(table, stream, 0);
  Table& original = node.table("original_names", {"stream", "names_in_the_model"}, Detail::TextOnly);
  for (const Stream& stream : group.streams) {
    std::vector<const Stream*> leaves;
    append_leaves(stream, leaves);
    for (const Stream* leaf : leaves)
      if (!leaf->original_names.empty())
        original.rows.push_back({leaf->name, Datum::array_of(leaf->original_names)});
  }
}

std::string vstream_shape(const VStream& v) {
  if (!v.nms) return shape_text(v.shape.value_or(Shape3{}), v.order);
  return v.nms->max_bboxes_total
             ? fmt::format("{} classes, {} boxes in all", v.nms->classes, *v.nms->max_bboxes_total)
             : fmt::format("{} classes x {} boxes", v.nms->classes, v.nms->max_bboxes_per_class);
}

std::string made_from(const NetworkGroup& group, const VStream& v) {
  if (v.op) return fmt::format("operator {} ({})", group.ops[*v.op].name, op_type_name(group.ops[*v.op]));
  std::string out;
  for (const std::string& name : v.streams)
    if (name != v.name) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "the stream" : out;
}

void add_vstreams(Node& node, const NetworkGroup& group) {
  Table& table = node.table(
      "vstreams", {"name", "direction", "type", "order", "shape", "bytes_to_allocate", "as_float32", "from"},
      Detail::TextOnly);
  table.title = "virtual streams (on the host)";
  for (const VStream& v : group.vstreams) {
    const std::uint32_t unit = bytes_of(v.type);
    const std::uint64_t as_float =
        v.type == ElementType::F32 || v.nms || unit == 0 ? v.frame_size : v.frame_size / unit * 4;
    table.rows.push_back({v.name, v.direction == Direction::HostToDevice ? "in" : "out", to_string(v.type),
                          to_string(v.order), vstream_shape(v), v.frame_size, as_float, made_from(group, v)});
  }
}

void add_contexts(Node& node, const NetworkGroup& group) {
  Table& table = node.table("contexts",
                            {"context", "name", "operations", "actions", "config_writes", "config_bytes",
                             "between_contexts_bytes", "ddr_bytes", "estimated_us"},
                            Detail::TextOnly);
  auto actions = [](const ProgramCounts& counts) {
    std::uint64_t sum = 0;
    for (const auto& [name, times] : counts.actions) sum += times;
    return sum;
  };
  const ProgramCounts& p = group.preliminary;
  table.rows.push_back(
      {"preliminary", "", p.operations, actions(p), p.ccw_writes, p.ccw_bytes, Datum(), Datum(), Datum()});
  for (const Context& context : group.contexts) {
    std::uint64_t between = 0, ddr = 0;
    for (const EdgeLayer& edge : context.edge_layers) {
      if (edge.connection == Connection::Intermediate) between += edge.frame_size;
      if (edge.connection == Connection::Ddr) ddr += edge.frame_size;
    }
    const ProgramCounts& c = context.counts;
    table.rows.push_back(
        {fmt::format("{}", context.index), context.name, c.operations, actions(c), c.ccw_writes, c.ccw_bytes,
         between, ddr,
         context.estimated_ns > 0 ? Datum(static_cast<double>(context.estimated_ns) / 1000) : Datum()});
  }
}

void add_edges(Node& node, const NetworkGroup& group) {
  Table& table =
      node.table("edge_layers",
                 {"context", "name", "direction", "kind", "connection", "connected_to", "bytes_per_frame"},
                 Detail::Verbose);
  for (const Context& context : group.contexts)
    for (const EdgeLayer& edge : context.edge_layers) {
      std::string connected;
      for (const auto& [other, sys_index] : edge.connected)
        connected += fmt::format("{}context {} stream {}", connected.empty() ? "" : ", ", other, sys_index);
      if (edge.connection == Connection::Cache) connected = fmt::format("cache {}", edge.cache_id);
      table.rows.push_back({context.index, edge.name, to_string(edge.direction), to_string(edge.kind),
                            to_string(edge.connection), connected.empty() ? "-" : connected,
                            edge.frame_size});
    }
}

}  // namespace

Node describe_group(const HefArtifact&, const NetworkGroup& group) {
  Node node("network_group", "network group " + group.name);
  node.detail = Detail::TextOnly;
  node.field("networks", Datum::array_of(group.networks));
  node.field("contexts", group.contexts.size() == 1
                             ? std::string("1 (single context: everything fits on the chip at once)")
                             : fmt::format("{} (they take turns on the chip)", group.contexts.size()));
  if (!group.partial_layouts.empty())
    node.field("partial_layouts", fmt::format("{} (shown: {}; --layout N shows another)",
                                              fmt::join(group.partial_layouts, ", "), group.chosen_layout));
  if (group.transposed_net) node.field("transposed", "height and width are swapped on the host");
  if (group.bottleneck_fps > 0)
    node.field("frames_per_second", fmt::format("{:.6g} (the compiler's estimate)", group.bottleneck_fps));
  if (group.latency > 0)
    node.field("latency", fmt::format("{:.6g} s (the compiler's estimate)", group.latency));
  if (group.computational_ops > 0) node.field("computational_ops", group.computational_ops);
  node.field("config_channels", group.cfg_channels_count, {}, Detail::Verbose);
  node.field("output_order", Datum::array_of(group.sorted_outputs), {}, Detail::Verbose);
  add_vstreams(node, group);
  add_streams(node, group);
  add_contexts(node, group);
  add_edges(node, group);
  for (const Op& op : group.ops) {
    Node& child = node.child("op", fmt::format("post-processing {}: {}", op.name, op_type_name(op)));
    child.field("output", op.output_vstream);
    child.lines = recipe_of(group, op);
  }
  return node;
}

}  // namespace npubin::hef
