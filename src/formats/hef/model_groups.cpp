// Network groups, contexts and edge layers (hef spec 3).
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

struct PartialCore {
  std::uint32_t layout = 0;
  Message core;
};

std::vector<PartialCore> partial_cores(const Message& core) {
  std::vector<PartialCore> out;
  auto collect = [&](std::string_view list, std::string_view member) {
    for (const Message& partial : core.messages(list))
      out.push_back(
          {partial.message("layout").u32("partial_clusters_layout_bitmap"), partial.message(member)});
  };
  collect("partial_core_ops", "core_op");
  collect("partial_network_groups", "network_group");
  std::stable_sort(out.begin(), out.end(),
                   [](const PartialCore& a, const PartialCore& b) { return a.layout < b.layout; });
  return out;
}

// Which message holds contexts and program: the group itself, its core op, or a partial layout of either.
void choose_core(const Model& model, NetworkGroup& group, std::optional<std::uint32_t> layout) {
  group.net_flow = model.has_extension(kExtNetFlow);
  group.core = group.message;
  if (group.net_flow) {
    group.core_op_missing = true;
    for (const Message& op : group.message.messages("ops"))
      if (op.has("core_op")) {
        group.core = op.message("core_op");
        group.core_op_missing = false;
        break;
      }
  }
  group.outer_core = group.core;
  if (model.architecture == nullptr || !model.architecture->multi_layout) return;
  const std::vector<PartialCore> partials = partial_cores(group.core);
  for (const PartialCore& partial : partials) group.partial_layouts.push_back(partial.layout);
  if (partials.empty()) return;
  const PartialCore* chosen = &partials.front();
  for (const PartialCore& partial : partials)
    if (layout && partial.layout == *layout) chosen = &partial;
  group.chosen_layout = chosen->layout;
  group.core = chosen->core;
}

std::string name_of(const Message& group) {
  const std::vector<Message> partials = group.messages("partial_network_groups");
  const Message metadata = partials.empty()
                               ? group.message("network_group_metadata")
                               : partials.front().message("network_group").message("network_group_metadata");
  return std::string(metadata.text("network_group_name"));
}

void read_metadata(NetworkGroup& group) {
  Message metadata = group.core.message("network_group_metadata");
  if (!metadata.present()) metadata = group.message.message("network_group_metadata");
  group.index = metadata.u32("network_group_index");
  group.transposed_net = metadata.flag("transposed_net");
  group.bottleneck_fps = metadata.f64("bottleneck_fps");
  group.latency = metadata.f64("latency");
  group.computational_ops = metadata.u64("computational_ops");
  group.cfg_channels_count = metadata.u32("cfg_channels_count");
}

void read_networks(const Model& model, NetworkGroup& group) {
  std::vector<std::string_view> names = group.core.texts("networks_names");
  if (names.empty()) names = group.message.texts("networks_names");
  if (model.has_optional_extension(kOptionalVariableBatch))
    for (std::string_view name : names) group.networks.push_back(fmt::format("{}/{}", group.name, name));
  if (group.networks.empty()) group.networks.push_back(fmt::format("{}/{}", group.name, group.name));
}

// fused ? fused.updated : partial ? partial[0] : group : last context (hef spec 3).
void read_sorted_outputs(NetworkGroup& group) {
  auto take = [&](const std::vector<std::string_view>& names) {
    group.sorted_outputs.assign(names.begin(), names.end());
    group.sorted_outputs_found = !names.empty();
  };
  const Message fused = group.core.message("fused_layers_metadata");
  if (fused.flag("network_has_fused_layers")) return take(fused.texts("updated_sorted_output_names"));
  const std::vector<Message> partials = group.message.messages("partial_network_groups");
  if (!group.net_flow && !partials.empty()) {
    take(partials.front().message("network_group").texts("sorted_outputs_order"));
    if (group.sorted_outputs_found) return;
  }
  take(group.message.texts("sorted_outputs_order"));
  if (group.sorted_outputs_found) return;
  const std::vector<Message> contexts = group.core.messages("contexts");
  if (!contexts.empty()) take(contexts.back().message("metadata").texts("sorted_outputs_order"));
}

EdgeLayer edge_layer_of(const Message& message) {
  EdgeLayer out;
  out.message = message;
  out.direction = message.u32("direction") == 0 ? Direction::HostToDevice : Direction::DeviceToHost;
  out.network_index = message.u32("network_index");
  const FieldSchema* kind = message.which("edge");
  const Message layer = kind != nullptr ? message.message(kind->name) : Message();
  if (kind != nullptr && kind->name == "layer_mux") out.kind = EdgeKind::Mux;
  if (kind != nullptr && kind->name == "layer_planes") out.kind = EdgeKind::Planes;
  out.name = layer.text("name");
  const Message base = layer.message("edge_layer_base");
  out.frame_size = std::uint64_t{base.u32("core_bytes_per_buffer")} * base.u32("core_buffers_per_frame");
  const Message switching = message.message("context_switch_info");
  const std::uint32_t connection = switching.u32("edge_connection_type");
  out.connection = connection <= 3 ? static_cast<Connection>(connection) : Connection::Unknown;
  for (const Message& other : switching.messages("connected_contexts"))
    out.connected.emplace_back(other.u32("index"), other.u32("sys_index"));
  out.buffers = switching.u32("buffers");
  out.cache_id = switching.i32("cache_id");
  return out;
}

Context context_of(const Message& message) {
  Context out;
  out.message = message;
  out.index = message.u32("context_index");
  const Message metadata = message.message("metadata");
  out.name = metadata.text("name");
  for (const Message& edge : metadata.messages("edge_layers"))
    if (out.edge_layers.size() < kMaxEdgeLayers) out.edge_layers.push_back(edge_layer_of(edge));
  out.counts = count_program(message.messages("operations"));
  for (const Message& trigger : metadata.messages("trigger_order"))
    out.estimated_ns += trigger.u64("estimated_time_from_previous_ns");
  return out;
}

}  // namespace

NetworkGroup derive_group(const Model& model, const Message& message, std::optional<std::uint32_t> layout) {
  NetworkGroup group;
  group.message = message;
  group.name = name_of(message);
  choose_core(model, group, layout);
  read_metadata(group);
  read_networks(model, group);
  read_sorted_outputs(group);
  for (const Message& context : group.core.messages("contexts"))
    if (group.contexts.size() < kMaxContexts) group.contexts.push_back(context_of(context));
  group.preliminary = count_program(group.core.message("preliminary_config").messages("operation"));
  for (const Message& edge : message.messages("pad_edges"))
    group.pad_edges.emplace_back(edge.u32("src"), edge.u32("dst"));
  return group;
}

}  // namespace npubin::hef
