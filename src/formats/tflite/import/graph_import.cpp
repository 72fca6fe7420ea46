// The main subgraph as an operator graph under TensorFlow Lite's rules. tflite spec 1 to 6.
#include <fmt/format.h>

#include "formats/tflite/import/import.h"
#include "formats/tflite/import/operator_import.h"
#include "formats/tflite/validate.h"
#include "formats/tflite/vela_program.h"
#include "graph/tflite/rules.h"

namespace npubin::tflite {
namespace {

using namespace graph;

// tflite spec 2: low nibble first, sign-extended.
Tensor unpack_int4(ByteSpan packed, const Shape& shape) {
  Tensor out(DType::I8, shape);
  auto codes = out.as_mutable<std::int8_t>();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(packed[i / 2]);
    const auto nibble = static_cast<std::uint8_t>(i % 2 == 0 ? byte << 4 : byte & 0xf0);
    codes[i] = static_cast<std::int8_t>(static_cast<std::int8_t>(nibble) >> 4);
  }
  return out;
}

class GraphImport {
 public:
  GraphImport(const TfliteDocument& document, Diagnostics& findings, Constants constants)
      : document_(document),
        constants_(constants),
        subgraph_(document.subgraphs()[0]),
        findings_(findings),
        computed_(subgraph_.tensors.size(), false) {}

  Result<Graph> run() {
    graph_.name = subgraph_.name;
    mark(subgraph_.inputs);
    for (const OperatorView& op : subgraph_.operators) mark(op.outputs);
    for (std::size_t i = 0; i < subgraph_.tensors.size(); ++i) NPUBIN_CHECK(add_value(i));
    graph_.inputs = ports(subgraph_.inputs);
    graph_.outputs = ports(subgraph_.outputs);
    graph_.nodes.reserve(subgraph_.operators.size());
    for (std::size_t i = 0; i < subgraph_.operators.size(); ++i) graph_.nodes.push_back(add_node(i));
    return std::move(graph_);
  }

 private:
  void mark(const Numbers<std::int32_t>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) computed_[static_cast<std::size_t>(tensors[i])] = true;
  }

  Result<void> add_value(std::size_t index) {
    const TensorView& tensor = subgraph_.tensors[index];
    Value value;
    value.name = tensor.name;
    value.type = *tensor.dtype;
    value.shape = shape_of(tensor);
    value.quantization = quantization_of(tensor);
    value.variable = tensor.is_variable;
    const ByteSpan data = tensor.buffer == 0 ? ByteSpan() : document_.constant_bytes(tensor);
    const bool empty = count_of(value.shape) == 0;
    if (!computed_[index] && !value.variable && (!data.empty() || empty) && wanted(value.type, data.size())) {
      NPUBIN_TRY(value.constant, constant(tensor, value, data));
      value.constant->set_quantization(value.quantization);
    }
    graph_.add_value(std::move(value));
    return {};
  }

  bool wanted(DType type, std::size_t bytes) const {
    const bool parameter = (type == DType::I32 || type == DType::I64) && bytes <= kLargestParameter;
    return constants_ == Constants::All || parameter;
  }

  // A view of the file where it can be one. Copies are bounded: tensors may share one buffer any number of
  // times.
  Result<Tensor> constant(const TensorView& tensor, const Value& value, ByteSpan data) {
    const bool packed = tensor.type == kInt4;
    const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % size_of(value.type) == 0;
    if (packed || !aligned) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(count_of(value.shape)) * size_of(value.type);
      if (bytes > copy_budget_)
        return malformed(Location::at(tensor.offset, std::string(tensor.name)),
                         "the constants take more memory than any file of this size can need",
                         "tensors share the same buffer over and over", "TFL-0007");
      copy_budget_ -= bytes;
    }
    if (packed) return unpack_int4(data, value.shape);
    return Tensor::view(value.type, value.shape, document_.constant(tensor));
  }

  std::vector<Port> ports(const Numbers<std::int32_t>& tensors) const {
    std::vector<Port> out;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      out.push_back({graph_.value(tensors[i]).name, tensors[i], static_cast<std::int64_t>(i)});
    return out;
  }

  graph::Node add_node(std::size_t index) {
    const OperatorView& op = subgraph_.operators[index];
    graph::Node node;
    node.rules = Rules::Tflite;
    node.source_type = op.name();
    node.source_index = static_cast<std::int64_t>(index);
    node.source_offset = op.offset;
    node.inputs = op.inputs.to_vector<ValueId>();
    node.outputs = op.outputs.to_vector<ValueId>();
    if (!node.outputs.empty()) node.name = graph_.value(node.outputs[0]).name;
    OperatorImport import(document_, index, graph_, node, findings_);
    if (op.code->builtin == kCustom)
      custom(import, node);
    else
      builtin(import, node);
    return node;
  }

  void builtin(const OperatorImport& import, graph::Node& node) {
    const OperatorRow* row = find_operator_row(import.op().code->builtin);
    if (row == nullptr) {
      import.unsupported("no kernel for it");
      node.source_type = import.op().name();
      return;
    }
    node.op = row->op;
    if (!operands(import, *row)) return;
    const FlatTable& options = import.op().options;
    if (!row->options.empty() && options && options.name() != row->options) {
      import.error("TFL-0203", fmt::format("it carries {} instead of {}", options.name(), row->options),
                   "the file is damaged or was written wrongly");
      return;
    }
    if (row->attributes == nullptr || row->attributes(import)) by_the_rules(import, node);
  }

  static bool operands(const OperatorImport& import, const OperatorRow& row) {
    const std::size_t inputs = import.input_count(), outputs = import.output_count();
    if (inputs < row.least_inputs || (row.most_inputs != 255 && inputs > row.most_inputs))
      return import.error(
          "TFL-0201",
          fmt::format("it has {} operands; {} to {} are possible", inputs, row.least_inputs,
                      row.most_inputs == 255 ? std::string("any number") : std::to_string(row.most_inputs)));
    if (row.outputs == 0 ? outputs == 0 : outputs != row.outputs)
      return import.error("TFL-0201", fmt::format("it has {} outputs", outputs));
    for (std::size_t i = 0; i < inputs && i < row.required; ++i)
      if (import.input(i) == nullptr)
        return import.error("TFL-0202", fmt::format("operand {} may not be absent", i));
    return true;
  }

  void custom(const OperatorImport& import, graph::Node& node) {
    const std::string_view code = import.op().code->custom_code;
    if (code == "TFLite_Detection_PostProcess") {
      node.op = Op::DetectionPostProcess;
      if (import_detection(import)) by_the_rules(import, node);
    } else if (code == "ethos-u") {
      node.op = Op::EthosU;
      // Scratch memory is the machine's own; nobody produces it.
      for (std::size_t i = 2; i < 4 && i < node.inputs.size(); ++i) node.inputs[i] = kNoValue;
    } else {
      import.unsupported("no kernel for this custom operator");
      node.source_type = code;
    }
  }

  void by_the_rules(const OperatorImport& import, graph::Node& node) {
    const RuleBreach breach = tflite_breach(graph_, node);
    if (breach.kind == RuleBreach::Kind::Fault)
      import.error(std::string(breach.code), breach.text, breach.hint);
    if (breach.kind == RuleBreach::Kind::Unsupported) import.unsupported(breach.text);
    if (breach.kind == RuleBreach::Kind::Odd) import.warn(std::string(breach.code), breach.text, breach.hint);
  }

  static constexpr std::size_t kLargestParameter = 4096;  // bytes

  const TfliteDocument& document_;
  Constants constants_;
  std::uint64_t copy_budget_ = 4 * std::uint64_t{document_.bytes().size()} + 65536;  // bytes
  const SubgraphView& subgraph_;
  Diagnostics& findings_;
  std::vector<bool> computed_;  // an input or an operator's output
  Graph graph_;
};

// The first error, with how many more there are.
Error summary(const Diagnostics& findings) {
  Error out;
  for (const Diagnostic& finding : findings.findings()) {
    if (finding.severity != Severity::Error) continue;
    out.code = finding.code;
    out.where = finding.where;
    out.message = finding.message;
    out.hint = finding.hint;
    break;
  }
  if (findings.count(Severity::Error) > 1)
    out.hint = fmt::format("{}{}there are {} more errors: `npubin check` lists them", out.hint,
                           out.hint.empty() ? "" : "; ", findings.count(Severity::Error) - 1);
  return out;
}

}  // namespace

Result<Graph> import_graph(const TfliteDocument& document, Diagnostics& findings, Constants constants) {
  Diagnostics local;
  for (const Diagnostic& finding : document.read_findings().findings()) local.add(finding);
  validate_model(document, local);
  for (std::size_t i = 0; i < document.subgraphs().size(); ++i) {
    validate_tensors(document, i, local);
    validate_execution(document, i, local);
  }
  validate_calls(document, local);
  Result<Graph> out = Graph{};
  if (!local.has_errors()) out = GraphImport(document, local, constants).run();
  for (const Diagnostic& finding : local.findings()) findings.add(finding);
  if (local.has_errors()) return Unexpected(summary(local));
  if (out && constants == Constants::All && is_vela(document)) {
    Diagnostics told_by_check;
    NPUBIN_CHECK(attach_programs(*out, document, told_by_check));
  }
  return out;  // may be an error of its own: constants that cannot be held
}

}  // namespace npubin::tflite
