// inspect: what a .tflite file holds. tflite spec 1.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "ethosu/listing.h"
#include "formats/tflite/describe_parts.h"
#include "formats/tflite/document.h"
#include "formats/tflite/import/import.h"
#include "formats/tflite/schema.h"
#include "formats/tflite/vela.h"

namespace npubin::tflite {
namespace {

void describe_ports(Node& node, const SubgraphView& graph, const Numbers<std::int32_t>& ports,
                    std::string key) {
  Table& table = node.table(std::move(key), {"tensor", "name", "type", "shape", "scale", "zero_point"});
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::int32_t index = ports[i];
    if (index < 0 || static_cast<std::size_t>(index) >= graph.tensors.size()) continue;
    const TensorView& tensor = graph.tensors[static_cast<std::size_t>(index)];
    table.rows.push_back({index, tensor.name, type_name(tensor), Datum::array_of(shape_of(tensor)),
                          scale_datum(tensor), zero_point_datum(tensor)});
  }
}

void describe_operator_counts(Node& node, const SubgraphView& graph) {
  struct Kind {
    std::int32_t version = 0;
    std::uint64_t count = 0;
    bool npu = false;
  };
  std::map<std::pair<std::string, std::int32_t>, Kind> kinds;
  for (const OperatorView& op : graph.operators) {
    const std::int32_t version = op.code != nullptr ? op.code->version : 0;
    Kind& kind = kinds[{operator_name(op), version}];
    kind.version = version;
    ++kind.count;
    kind.npu = op.code != nullptr && op.code->is_custom("ethos-u");
  }
  Table& table = node.table("operator_kinds", {"operator", "version", "count", "rules"});
  for (const auto& [name, kind] : kinds)
    table.rows.push_back({name.first, kind.version, kind.count, kind.npu ? "ethos-u" : "tflite"});
}

std::string indices(const Numbers<std::int32_t>& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += fmt::format("{}{}", i == 0 ? "" : " ", list[i]);
  return out;
}

// Multiply-accumulates by operator of the main subgraph, those of ethos-u operators from their command
// streams; empty where it cannot be imported.
std::vector<std::uint64_t> macs_of(const TfliteDocument& document) {
  Diagnostics ignored;
  const auto graph = import_graph(document, ignored, Constants::Parameters);
  std::vector<std::uint64_t> out;
  if (!graph) return out;
  for (const graph::Node& node : graph->nodes)
    out.push_back(node.op == graph::Op::Unsupported ? 0 : graph::macs_of(*graph, node));
  if (is_vela(document))
    if (const auto model = read_vela(document, ignored))
      for (const VelaOperator& op : model->operators)
        if (op.subgraph == 0 && op.index < out.size()) out[op.index] = ethosu::job_macs(op.job);
  return out;
}

void describe_operators(Node& node, const SubgraphView& graph, const std::vector<std::uint64_t>& macs) {
  Table& table =
      node.table("operators", {"index", "operator", "inputs", "outputs", "macs", "options"}, Detail::Verbose);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const OperatorView& op = graph.operators[i];
    table.rows.push_back({std::uint64_t{i}, operator_name(op), indices(op.inputs), indices(op.outputs),
                          i < macs.size() ? Datum(macs[i]) : Datum(), options_text(op)});
  }
}

void describe_tensors(Node& node, const TfliteDocument& document, const SubgraphView& graph) {
  Table& table = node.table(
      "tensors",
      {"index", "name", "type", "shape", "scale", "zero_point", "buffer", "constant_bytes", "kind"},
      Detail::Verbose);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const TensorView& tensor = graph.tensors[i];
    const std::size_t bytes = tensor.buffer == 0 ? 0 : document.constant_bytes(tensor).size();
    const char* kind = tensor.is_variable ? "variable" : bytes > 0 ? "constant" : "activation";
    table.rows.push_back({std::uint64_t{i}, tensor.name, type_name(tensor), Datum::array_of(shape_of(tensor)),
                          scale_datum(tensor), zero_point_datum(tensor), tensor.buffer, std::uint64_t{bytes},
                          kind});
  }
}

void describe_subgraph(Node& node, const TfliteDocument& document, std::size_t index) {
  const SubgraphView& graph = document.subgraphs()[index];
  if (!graph.name.empty()) node.field("name", graph.name);
  node.field("operator_count", std::uint64_t{graph.operators.size()});
  node.field("tensor_count", std::uint64_t{graph.tensors.size()});
  node.field("activation_peak", activation_peak(document, graph), "bytes");
  std::vector<std::uint64_t> macs;
  if (index == 0) macs = macs_of(document);
  if (!macs.empty()) node.field("macs", std::accumulate(macs.begin(), macs.end(), std::uint64_t{0}));
  describe_ports(node, graph, graph.inputs, "inputs");
  describe_ports(node, graph, graph.outputs, "outputs");
  describe_operator_counts(node, graph);
  describe_operators(node, graph, macs);
  describe_tensors(node, document, graph);
}

void describe_metadata(Node& node, const TfliteDocument& document) {
  if (document.metadata().empty()) return;
  Table& table = node.table("metadata", {"name", "buffer", "bytes", "text"});
  for (const MetadataView& entry : document.metadata()) {
    const ByteSpan data = document.buffer_bytes(entry.buffer);
    table.rows.push_back({entry.name, entry.buffer, std::uint64_t{data.size()}, printable(data)});
  }
}

void describe_signatures(Node& node, const TfliteDocument& document) {
  if (document.signatures().empty()) return;
  Table& table = node.table("signatures", {"key", "subgraph", "inputs", "outputs"});
  auto names = [](const std::vector<SignatureView::Entry>& entries) {
    std::string out;
    for (const auto& entry : entries)
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", entry.name, entry.tensor);
    return out;
  };
  for (const SignatureView& signature : document.signatures())
    table.rows.push_back(
        {signature.key, signature.subgraph, names(signature.inputs), names(signature.outputs)});
}

}  // namespace

Result<Node> TfliteDocument::describe(const DescribeOptions&) const {
  Node root("model", "TensorFlow Lite model");
  root.field("format", "tflite");
  root.field("file_size", std::uint64_t{bytes_.size()}, "bytes");
  root.field("schema_version", version_);
  if (!description_.empty()) root.field("description", description_);
  std::uint64_t constants = 0;
  for (const BufferView& buffer : buffers_) constants += buffer.data.size();
  root.field("buffer_count", std::uint64_t{buffers_.size()});
  root.field("buffer_bytes", constants, "bytes");
  describe_metadata(root, *this);
  describe_signatures(root, *this);
  Node& list = root.child("subgraphs");
  list.list = true;
  for (std::size_t i = 0; i < subgraphs_.size(); ++i)
    describe_subgraph(list.child(fmt::format("subgraph_{}", i)), *this, i);
  describe_vela(*this, root);
  return root;
}

}  // namespace npubin::tflite
