// The mapping blob of Hailo-8 files: the network as it was placed, without weights (hef spec 3, mapping
// blob). Its schema is not published; the field numbers were read off real files.
#include <fmt/format.h>

#include "formats/hef/listing.h"

namespace npubin::hef {
namespace {

constexpr std::size_t kMaxLayers = 100000;

struct MapLayer {
  std::uint64_t type = 0;
  std::string name, ordinal, inputs, outputs, kernel, stride, original;
};

std::string type_name(std::uint64_t type) {
  constexpr std::pair<std::uint64_t, std::string_view> kTypes[] = {{0, "conv"},
                                                                   {1, "maxpool"},
                                                                   {3, "input_to_cluster"},
                                                                   {4, "output_from_cluster"},
                                                                   {12, "concat"},
                                                                   {15, "depthwise"},
                                                                   {25, "input"},
                                                                   {26, "output"},
                                                                   {27, "input_to_prepost"},
                                                                   {28, "output_from_prepost"},
                                                                   {29, "format conversion"},
                                                                   {40, "feature splitter"}};
  for (const auto& [number, name] : kTypes)
    if (number == type) return std::string(name);
  return fmt::format("type {}", type);
}

std::string_view text_of(const WireField& wire) {
  return {reinterpret_cast<const char*>(wire.payload.data()), wire.payload.size()};
}

// The varints of a small message, "3x3x16".
std::string numbers_of(const WireField& message) {
  std::string out;
  WireField wire;
  for (WireCursor it(message.payload, message.value_offset); it.next(wire);)
    if (wire.wire_type == 0) out += fmt::format("{}{}", out.empty() ? "" : "x", wire.bits);
  return out;
}

void join(std::string& list, std::string_view item) {
  list += (list.empty() ? "" : ", ") + std::string(item);
}

MapLayer layer_of(const WireField& message) {
  MapLayer out;
  WireField wire;
  for (WireCursor it(message.payload, message.value_offset); it.next(wire);) {
    if (wire.number == 1 && wire.wire_type == 0) out.type = wire.bits;
    if (wire.number == 3 && wire.wire_type == 0) out.ordinal = fmt::format("{}", wire.bits);
    if (wire.wire_type != 2) continue;
    if (wire.number == 2) out.name = text_of(wire);
    if (wire.number == 4) join(out.inputs, numbers_of(wire));
    if (wire.number == 5) join(out.outputs, numbers_of(wire));
    if (wire.number == 6) out.kernel = numbers_of(wire);
    if (wire.number == 7) out.stride = numbers_of(wire);
    if (wire.number == 44) join(out.original, text_of(wire));
  }
  return out;
}

std::pair<std::uint64_t, std::uint64_t> edge_of(const WireField& message) {
  std::pair<std::uint64_t, std::uint64_t> out{0, 0};
  WireField wire;
  for (WireCursor it(message.payload, message.value_offset); it.next(wire);) {
    if (wire.number == 1 && wire.wire_type == 0) out.first = wire.bits;
    if (wire.number == 2 && wire.wire_type == 0) out.second = wire.bits;
  }
  return out;
}

// The compiler's build id: a message whose field 2 is a text.
std::string build_of(const WireField& message) {
  WireField wire;
  for (WireCursor it(message.payload, message.value_offset); it.next(wire);)
    if (wire.number == 2 && wire.wire_type == 2) return std::string(text_of(wire));
  return {};
}

}  // namespace

std::optional<Node> describe_mapping(const HefArtifact& artifact) {
  const Model& m = artifact.model();
  if (m.mapping.empty()) return std::nullopt;
  std::vector<MapLayer> layers;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::string build;
  WireField top;
  bool have_graph = false;
  for (WireCursor it(m.mapping, m.mapping_offset); it.next(top);) {
    if (top.number == 9 && top.wire_type == 2) build = build_of(top);
    if (top.number != 2 || top.wire_type != 2 || have_graph) continue;
    have_graph = true;
    WireField wire;
    for (WireCursor graph(top.payload, top.value_offset); graph.next(wire);) {
      if (wire.number == 1 && wire.wire_type == 2 && layers.size() < kMaxLayers)
        layers.push_back(layer_of(wire));
      if (wire.number == 2 && wire.wire_type == 2 && edges.size() < kMaxLayers)
        edges.push_back(edge_of(wire));
    }
  }
  Node node("mapping_graph", fmt::format("mapping graph, {} layers, {} edges", layers.size(), edges.size()));
  node.field("layers_count", layers.size(), {}, Detail::JsonOnly);
  if (!build.empty()) node.field("compiler_build", build);
  if (!layers.empty()) node.field_text("hint", Datum(), "-v lists the layers", Detail::TextOnly);
  Table& table = node.table(
      "layers", {"position", "type", "name", "input", "output", "kernel", "stride", "original_names"},
      Detail::Verbose);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const MapLayer& l = layers[i];
    table.rows.push_back({i, type_name(l.type), l.name, l.inputs, l.outputs, l.kernel, l.stride, l.original});
  }
  Table& links = node.table("edges", {"from", "to", "from_name", "to_name"}, Detail::VeryVerbose);
  for (const auto& [from, to] : edges)
    links.rows.push_back({from, to, from < layers.size() ? layers[from].name : "?",
                          to < layers.size() ? layers[to].name : "?"});
  return node;
}

}  // namespace npubin::hef
