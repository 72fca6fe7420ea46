// Edge layers of the contexts: kinds, connections, pairs (hef spec 3).
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

struct Edge {
  Message message;
  Message layer;
  const FieldSchema* kind = nullptr;
  Direction direction = Direction::HostToDevice;
  std::uint32_t connection = 0;
  std::uint32_t context = 0;
};

Edge edge_of(const Message& message, std::uint32_t context) {
  Edge out;
  out.message = message;
  out.context = context;
  out.kind = message.which("edge");
  if (out.kind != nullptr) out.layer = message.message(out.kind->name);
  out.direction = message.u32("direction") == 0 ? Direction::HostToDevice : Direction::DeviceToHost;
  out.connection = message.message("context_switch_info").u32("edge_connection_type");
  return out;
}

// The declared type against the member that is there; HailoRT 5.2 crashes where they differ.
bool check_kind(Findings& f, const Edge& edge) {
  constexpr std::string_view kKinds[] = {"layer_info", "layer_mux", "layer_planes"};
  const std::uint32_t declared = edge.message.u32("edge_layer_type");
  if (edge.kind == nullptr) {
    f.error("HEF-0511", edge.message, {}, "the edge layer holds neither an info, a mux nor a planes layer",
            status::kInvalidHef);
    return false;
  }
  if (declared < std::size(kKinds) && edge.kind->name == kKinds[declared]) return true;
  f.error("HEF-0512", edge.message, "edge_layer_type",
          fmt::format("edge_layer_type is {}, but the layer is a {}", declared, edge.kind->name),
          status::kInvalidHef);
  return false;
}

void check_connection(Findings& f, const Edge& edge) {
  const Message switching = edge.message.message("context_switch_info");
  const auto connected = switching.messages("connected_contexts");
  const std::string_view name = edge.layer.text("name");
  for (const Message& other : connected) {
    if (other.u64("sys_index") > 255)
      f.error("HEF-0517", other, "sys_index", "the connected stream's index does not fit a byte",
              status::kInvalidHef);
    if (other.u64("engine_id") > 255)
      f.error("HEF-0517", other, "engine_id", "the connected engine's index does not fit a byte",
              status::kInvalidHef);
  }
  switch (edge.connection) {
    case 0:
      break;
    case 1:
      if (connected.empty())
        f.error("HEF-0514", switching, "connected_contexts",
                fmt::format("{} lies between contexts, but no connected context is given", name),
                status::kInvalidHef);
      break;
    case 2:
      if (connected.size() != 1)
        f.error("HEF-0515", switching, "connected_contexts",
                fmt::format("DDR layer {} has {} connected contexts; exactly one is allowed", name,
                            connected.size()),
                status::kInvalidHef);
      else if (connected.front().u32("index") != switching.u32("context_index") &&
               connected.front().u32("index") != edge.context)
        f.error("HEF-0515", connected.front(), "index",
                fmt::format("DDR layer {} is connected to context {}, not to its own", name,
                            connected.front().u32("index")),
                status::kInvalidHef);
      break;
    case 3:
      if (switching.i32("cache_id") < 0)
        f.error("HEF-0516", switching, "cache_id",
                fmt::format("cache layer {} has a negative cache_id", name), status::kInvalidHef);
      break;
    default:
      f.error("HEF-0513", switching, "edge_connection_type",
              fmt::format("connection type {} does not exist", edge.connection), status::kInvalidHef);
  }
}

// A DDR buffer is written by one layer and read by its partner in the same context, by stream index.
void check_ddr_pairs(Findings& f, const std::vector<Edge>& edges) {
  std::map<std::uint32_t, const Edge*> inputs;
  for (const Edge& edge : edges)
    if (edge.connection == 2 && edge.direction == Direction::HostToDevice)
      inputs.emplace(edge.layer.message("edge_layer_base").u32("sys_index"), &edge);
  std::set<const Edge*> taken;
  for (const Edge& edge : edges) {
    if (edge.connection != 2 || edge.direction != Direction::DeviceToHost) continue;
    const auto connected = edge.message.message("context_switch_info").messages("connected_contexts");
    if (connected.size() != 1) continue;
    const auto found = inputs.find(connected.front().u32("sys_index"));
    if (found == inputs.end()) {
      f.error("HEF-0518", edge.message, {},
              fmt::format("DDR output {} has no input that reads it", edge.layer.text("name")),
              status::kInvalidHef);
      continue;
    }
    taken.insert(found->second);
    const Message out = edge.layer.message("edge_layer_base"),
                  in = found->second->layer.message("edge_layer_base");
    for (const char* field : {"core_bytes_per_buffer", "core_buffers_per_frame"})
      if (out.u32(field) != in.u32(field))
        f.error("HEF-0519", in, field,
                fmt::format("DDR pair {} writes {} = {} and reads {}", edge.layer.text("name"), field,
                            out.u32(field), in.u32(field)),
                status::kInvalidHef);
  }
  for (const auto& [index, edge] : inputs)
    if (!taken.contains(edge))
      f.error("HEF-0518", edge->message, {},
              fmt::format("DDR input {} has no output that writes it", edge->layer.text("name")),
              status::kInvalidHef);
}

void check_layers(Findings& f, const Edge& edge) {
  const bool boundary = edge.connection == 0;
  if (edge.kind->name == "layer_planes") {
    check_planes(f, edge.layer);
    return;
  }
  check_layer(f, edge.layer, edge.direction, boundary);
  if (edge.kind->name == "layer_mux") check_mux(f, edge.layer);
}

}  // namespace

void check_edges(Findings& f, const NetworkGroup& group, const Message& core) {
  std::set<std::string_view> boundary_names;
  std::size_t networks = core.texts("networks_names").size();
  if (networks == 0) networks = group.message.texts("networks_names").size();
  for (const Message& context : core.messages("contexts")) {
    std::vector<Edge> edges;
    for (const Message& message : context.message("metadata").messages("edge_layers")) {
      Edge edge = edge_of(message, context.u32("context_index"));
      if (!check_kind(f, edge)) continue;
      check_connection(f, edge);
      check_layers(f, edge);
      if (edge.connection == 0 && !boundary_names.insert(edge.layer.text("name")).second)
        f.error("HEF-0520", edge.layer, "name",
                fmt::format("two boundary streams are named {}", edge.layer.text("name")),
                status::kInvalidHef);
      if (message.u32("network_index") >= std::max<std::size_t>(1, networks))
        f.error(
            "HEF-0521", message, "network_index",
            fmt::format("network_index {} passes the {} networks", message.u32("network_index"), networks),
            status::kInvalidHef);
      edges.push_back(std::move(edge));
    }
    check_ddr_pairs(f, edges);
  }
}

}  // namespace npubin::hef
