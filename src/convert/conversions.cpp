#include "convert/conversions.h"

#include <fmt/format.h>

#include "convert/armnn/older_layers.h"
#include "convert/armnn/to_armnn_rules.h"
#include "convert/float_twin.h"
#include "convert/onnx/export.h"
#include "convert/tflite/to_tflite.h"
#include "formats/armnn/age_conversion.h"
#include "formats/armnn/build.h"
#include "formats/hef/rewrite.h"
#include "npubin/graph.h"

namespace npubin::convert {
namespace {

using FileBytes = std::vector<std::byte>;

Result<graph::Graph> graph_of(const Artifact& source) {
  const auto* holder = dynamic_cast<const graph::GraphSource*>(&source);
  if (holder == nullptr) return refused(fmt::format("a file of format {} holds no graph", source.format()));
  Diagnostics findings;
  return holder->graph(findings);
}

// The graph to convert: the source's own, or its float32 twin.
Result<graph::Graph> graph_for(const Artifact& source, const ConvertOptions& options) {
  NPUBIN_TRY(graph::Graph graph, graph_of(source));
  if (!options.dequantize) return graph;
  return float_twin(graph);
}

Unexpected unknown_schema(const std::string& schema) {
  return usage_error(fmt::format("--schema {} is no schema that is known here", schema),
                     "seed, 19.02, 19.05, 19.08, 19.11, 20.02, 20.05, 20.08, 20.11, 21.02 or 21.05");
}

// Nothing leaves that the own reader would not take: the file is read, checked and imported again.
Result<Converted> accepted(Converted converted, std::string_view format) {
  const Format* reader = find_format(format);
  if (reader == nullptr) return refused(fmt::format("there is no reader of .{} files", format));
  NPUBIN_TRY(const auto again, reader->read(npubin::Bytes::own(FileBytes(converted.bytes)), {}));
  Diagnostics findings;
  again->validate({}, findings);
  for (const Diagnostic& finding : findings.findings())
    if (finding.severity == Severity::Error)
      return refused(
          fmt::format("the result would not pass `npubin check`: {} [{}]", finding.message, finding.code),
          "nothing is written");
  NPUBIN_TRY(const graph::Graph graph, graph_of(*again));
  // An .armnn may hold layers that are only read, also after a change of schema; a new .tflite has none.
  for (const graph::Node& node : graph.nodes)
    if (format == "tflite" && node.op == graph::Op::Unsupported)
      return refused(fmt::format("the result holds {}, which is not run", node.source_type),
                     "nothing is written");
  return converted;
}

// A graph of Arm NN's rules as a file of `age`. Before 20.02 files are written by way of 20.08.
Result<FileBytes> armnn_file(const graph::Graph& graph, armnn::Age age) {
  if (age >= armnn::Age::V2002) return armnn::build(graph, age);
  NPUBIN_TRY(FileBytes newer, armnn::build(graph, armnn::Age::V2008));
  NPUBIN_TRY(const auto document, armnn::ArmnnDocument::read(npubin::Bytes::own(std::move(newer)), {}));
  return armnn::convert_to_age(static_cast<const armnn::ArmnnDocument&>(*document), age);
}

Result<Converted> armnn_to_age(const Artifact& source, const ConvertOptions& options) {
  const auto age = armnn::age_of_release(options.schema.empty() ? "20.08" : options.schema);
  if (!age) return unknown_schema(options.schema);
  if (options.dequantize)
    return refused("--dequantize does not write .armnn files from .armnn files",
                   "convert it to .tflite, then that to .armnn");
  const auto& document = static_cast<const armnn::ArmnnDocument&>(source);
  NPUBIN_TRY(const graph::Graph graph, graph_of(source));
  NPUBIN_TRY(OlderLayers older, express_in_age(graph, *age, options.approximate));
  if (!older.changed) {
    NPUBIN_TRY(FileBytes bytes, armnn::convert_to_age(document, *age));
    return accepted({std::move(bytes), {}}, "armnn");
  }
  // Layers were replaced: the file is written from the graph, whose constants 20.08 holds as older ages do.
  NPUBIN_TRY(FileBytes newer, armnn::convert_to_age(document, armnn::Age::V2008));
  NPUBIN_TRY(const auto middle, armnn::ArmnnDocument::read(npubin::Bytes::own(std::move(newer)), {}));
  NPUBIN_TRY(const graph::Graph members, graph_of(*middle));
  NPUBIN_TRY(older, express_in_age(members, *age, options.approximate));
  NPUBIN_TRY(FileBytes bytes, armnn_file(older.graph, *age));
  return accepted({std::move(bytes), std::move(older.approximations)}, "armnn");
}

Result<Converted> graph_to_onnx(const Artifact& source, const ConvertOptions& options) {
  NPUBIN_TRY(const graph::Graph graph, graph_for(source, options));
  NPUBIN_TRY(const std::string model, to_onnx(graph));
  const auto* data = reinterpret_cast<const std::byte*>(model.data());
  return Converted{FileBytes(data, data + model.size()), {}};
}

Result<Converted> graph_to_tflite(const Artifact& source, const ConvertOptions& options) {
  NPUBIN_TRY(const graph::Graph graph, graph_for(source, options));
  NPUBIN_TRY(FileBytes bytes, to_tflite(graph));
  return accepted({std::move(bytes), {}}, "tflite");
}

Result<Converted> tflite_to_armnn(const Artifact& source, const ConvertOptions& options) {
  const auto age = armnn::age_of_release(options.schema.empty() ? "20.08" : options.schema);
  if (!age) return unknown_schema(options.schema);
  NPUBIN_TRY(const graph::Graph graph, graph_for(source, options));
  NPUBIN_TRY(const graph::Graph rewritten, to_armnn_rules(graph));
  NPUBIN_TRY(OlderLayers older, express_in_age(rewritten, *age, options.approximate));
  NPUBIN_TRY(FileBytes bytes, armnn_file(older.graph, *age));
  return accepted({std::move(bytes), std::move(older.approximations)}, "armnn");
}

Result<Converted> hef_to_header_version(const Artifact& source, const ConvertOptions& options) {
  const std::string& text = options.header_version;
  if (text.size() != 1 || text[0] < '0' || text[0] > '3')
    return usage_error(text.empty() ? "a HEF becomes a HEF of another header version: which one?"
                                    : fmt::format("--header-version {} does not exist", text),
                       "give --header-version 1, 2 or 3");
  NPUBIN_TRY(auto rewritten, hef::rewrite_header_version(static_cast<const hef::HefArtifact&>(source),
                                                         static_cast<std::uint32_t>(text[0] - '0')));
  return Converted{std::move(rewritten.bytes), {}};
}

Result<Converted> tflite_to_float(const Artifact& source, const ConvertOptions& options) {
  if (!options.dequantize)
    return usage_error("a .tflite becomes another .tflite only as its float32 twin", "give --dequantize");
  return graph_to_tflite(source, options);
}

constexpr Conversion kConversions[] = {
    {"armnn", ".armnn", "the same graph in another schema (--schema)", armnn_to_age},
    {"armnn", ".onnx", "a float graph as an ONNX model", graph_to_onnx},
    {"armnn", ".tflite", "the graph as a TensorFlow Lite model", graph_to_tflite},
    {"hef", ".hef", "the same document under another header version (--header-version)",
     hef_to_header_version},
    {"tflite", ".armnn", "the graph by Arm NN's rules (--schema)", tflite_to_armnn},
    {"tflite", ".onnx", "a float graph as an ONNX model", graph_to_onnx},
    {"tflite", ".tflite", "the float32 twin of a quantised graph (--dequantize)", tflite_to_float},
};

}  // namespace

std::span<const Conversion> conversions() {
  return kConversions;
}

Result<const Conversion*> find_conversion(std::string_view from, std::string_view to_extension) {
  std::string known;
  for (const Conversion& row : kConversions) {
    if (row.from != from) continue;
    if (row.to == to_extension) return &row;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.to);
  }
  return refused(fmt::format("{} files are not converted to {}", from,
                             to_extension.empty() ? "a file without extension" : to_extension),
                 known.empty() ? "nothing is converted from this format" : "known from there: " + known);
}

}  // namespace npubin::convert
