// What `npubin inspect` says of an .armnn. Reads metadata only: weights stay where they are.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "formats/armnn/describe_layers.h"
#include "formats/armnn/document.h"
#include "formats/armnn/import.h"
#include "formats/armnn/validate.h"

namespace npubin::armnn {
namespace {

std::vector<Datum> port_row(const graph::Graph& graph, const graph::Port& port) {
  const bool there = port.value != graph::kNoValue;
  const graph::Value* value = there ? &graph.value(port.value) : nullptr;
  const bool quantized = there && value->quantization.present();
  return {Datum(port.name),
          Datum(port.id),
          there ? Datum::array_of(value->shape) : Datum(),
          there ? Datum(to_string(value->type)) : Datum(),
          quantized ? Datum(value->quantization.scale()) : Datum(),
          quantized ? Datum(value->quantization.zero_point()) : Datum()};
}

void add_ports(Node& node, const char* key, const graph::Graph& graph,
               const std::vector<graph::Port>& ports) {
  Table& table = node.table(key, {"name", "binding_id", "shape", "type", "scale", "zero_point"});
  for (const graph::Port& port : ports) table.rows.push_back(port_row(graph, port));
}

struct Totals {
  std::uint64_t parameters = 0, macs = 0, peak = 0, peak_node = 0;
  std::map<std::string, std::uint64_t> weight_bytes;  // by element type
};

std::uint64_t bytes_of(const graph::Value& value) {
  return static_cast<std::uint64_t>(count_of(value.shape)) * size_of(value.type);
}

// The largest sum of tensors that are alive at once when the layers run in order: produced or fed, and still
// to be read. Constants do not count.
void peak_memory(const graph::Graph& graph, Totals& totals) {
  const std::size_t forever = graph.nodes.size();
  std::vector<std::size_t> last_use(graph.values.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (graph::ValueId id : graph.nodes[i].inputs)
      if (id != graph::kNoValue) last_use[static_cast<std::size_t>(id)] = i;
  for (const graph::Port& port : graph.outputs)
    if (port.value != graph::kNoValue) last_use[static_cast<std::size_t>(port.value)] = forever;
  std::uint64_t alive = 0;
  for (const graph::Port& port : graph.inputs)
    if (port.value != graph::kNoValue) alive += bytes_of(graph.value(port.value));
  totals.peak = alive;
  std::vector<bool> freed(graph.values.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    for (graph::ValueId id : node.outputs)
      if (id != graph::kNoValue) alive += bytes_of(graph.value(id));
    if (alive > totals.peak) {
      totals.peak = alive;
      totals.peak_node = i;
    }
    auto release = [&](graph::ValueId id, std::size_t last) {
      if (id == graph::kNoValue || last > i || freed[static_cast<std::size_t>(id)]) return;
      const graph::Value& value = graph.value(id);
      freed[static_cast<std::size_t>(id)] = true;
      if (!value.constant) alive -= bytes_of(value);
    };
    for (graph::ValueId id : node.inputs)
      if (id != graph::kNoValue) release(id, last_use[static_cast<std::size_t>(id)]);
    for (graph::ValueId id : node.outputs)
      if (id != graph::kNoValue) release(id, last_use[static_cast<std::size_t>(id)]);
  }
}

Totals totals_of(const graph::Graph& graph) {
  Totals out;
  for (const graph::Value& value : graph.values) {
    if (!value.constant) continue;
    out.parameters += static_cast<std::uint64_t>(count_of(value.shape));
    out.weight_bytes[std::string(to_string(value.type))] += bytes_of(value);
  }
  for (const graph::Node& node : graph.nodes) out.macs += graph::macs_of(graph, node);
  peak_memory(graph, out);
  return out;
}

std::string schemes_text(const Schemes& schemes) {
  return fmt::format("ids of {}; depthwise weights {}; constants of FullyConnected as {}",
                     schemes.binding_ids > 0 ? "bindings" : "layers",
                     schemes.weights_layout > 0 ? "[1,H,W,I*M]" : "[M,I,H,W]",
                     schemes.constants_as_inputs > 0 ? "inputs" : "members");
}

// The first release of each age; each is asked whether it loads the file.
constexpr const char* kReleases[] = {"19.02", "seed",  "19.05", "19.08", "19.11", "20.02",
                                     "20.05", "20.08", "20.11", "21.02", "21.05", "21.08"};

Datum loading_releases(const ArmnnDocument& document) {
  Datum out = Datum(Datum::Array{});
  for (const char* release : kReleases) {
    Diagnostics findings;
    check_target(document, release, findings);
    if (!findings.has_errors()) out.push(release);
  }
  return out;
}

}  // namespace

Result<Node> ArmnnDocument::describe(const DescribeOptions& options) const {
  Node node("", fmt::format("{}: Arm NN graph", file_name_));
  node.field("format", "armnn", {}, Detail::JsonOnly);
  node.field("file_size", bytes_.size(), "bytes");
  node.field("age", to_string(age_.range));
  Datum evidence = Datum(Datum::Array{});
  for (const std::string& sentence : age_.evidence) evidence.push(sentence);
  node.field("age_evidence", std::move(evidence));
  node.field_text("schemes",
                  Datum(Datum::Object{{"binding_ids", list_.schemes.binding_ids},
                                      {"weights_layout", list_.schemes.weights_layout},
                                      {"constants_as_inputs", list_.schemes.constants_as_inputs}}),
                  schemes_text(list_.schemes));

  Diagnostics findings;
  const Import import = import_graph(bytes_, file_, list_, findings);
  const graph::Graph& graph = import.graph;
  if (findings.has_errors())
    node.field("errors", findings.count(Severity::Error),
               "(npubin check lists them; what follows is incomplete)");
  const bool trusted = !findings.has_errors();
  add_ports(node, "inputs", graph, graph.inputs);
  add_ports(node, "outputs", graph, graph.outputs);

  std::map<std::string, std::uint64_t> by_type;
  for (const Layer& layer : list_.layers)
    if (layer.kind != nullptr) ++by_type[std::string(layer.kind->name)];
  node.field("layers", list_.layers.size());
  Table& types = node.table("layers_by_type", {"type", "count"});
  for (const auto& [name, count] : by_type) types.rows.push_back({Datum(name), Datum(count)});

  if (trusted) {
    const Totals totals = totals_of(graph);
    node.field("parameters", totals.parameters);
    node.field("macs", totals.macs);
    node.field("activation_peak", totals.peak, "bytes");
    if (totals.peak_node < graph.nodes.size())
      node.field("activation_peak_at", fmt::format("{} '{}'", graph.nodes[totals.peak_node].source_type,
                                                   graph.nodes[totals.peak_node].name));
    Table& weights = node.table("weight_bytes", {"type", "bytes"});
    for (const auto& [type, bytes] : totals.weight_bytes) weights.rows.push_back({Datum(type), Datum(bytes)});
  }
  if (options.verbosity > 0 || options.json) {
    node.field("loads_in", loading_releases(*this), {}, Detail::Verbose);
    node.children.push_back(describe_layers(*this, import));
  }
  return node;
}

}  // namespace npubin::armnn
