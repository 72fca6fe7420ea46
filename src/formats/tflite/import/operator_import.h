// One operator of a file on its way into the graph: access to its operands and options, and the ways to say
// that something is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tflite/document.h"
#include "npubin/diagnostics.h"
#include "npubin/graph.h"

namespace npubin::tflite {

class OperatorImport {
 public:
  OperatorImport(const TfliteDocument& document, std::size_t index, const graph::Graph& graph,
                 graph::Node& node, Diagnostics& findings)
      : op_(document.subgraphs()[0].operators[index]),
        index_(index),
        graph_(graph),
        node_(node),
        findings_(findings) {}

  const OperatorView& op() const { return op_; }
  graph::Node& node() const { return node_; }
  std::size_t input_count() const { return op_.inputs.size(); }
  std::size_t output_count() const { return op_.outputs.size(); }
  // nullptr where the operand is absent.
  const graph::Value* input(std::size_t i) const;
  const graph::Value& output(std::size_t i) const;

  std::int64_t option(std::string_view field) const { return op_.options.integer(field); }
  float real_option(std::string_view field) const { return op_.options.real(field); }

  // The contents of a constant operand of I32 or I64. Empty optional, with the node made unsupported, where
  // the operand is computed while running, and with an error where it is absent or of another type.
  std::optional<std::vector<std::int64_t>> constant_integers(std::size_t input, std::string_view what) const;
  // The same for a single number.
  std::optional<std::int64_t> constant_integer(std::size_t input, std::string_view what) const;

  // The file breaks a rule: the graph cannot be built. Always false, for `return error(...)`.
  bool error(std::string code, const std::string& message, std::string hint = {}) const;
  // Odd, but computed all the same.
  void warn(std::string code, const std::string& message, std::string hint = {}) const;
  // Well-formed, but not computed here: the node becomes Op::Unsupported. Always false.
  bool unsupported(const std::string& reason) const;

  // NONE, RELU, RELU6, RELU_N1_TO_1. False after an error or where there is no kernel for it.
  bool fused_activation(graph::ActivationAttributes& out) const;
  // An axis in -rank..rank-1 made 0..rank-1. False after an error.
  bool normalize_axis(std::int64_t axis, std::size_t rank, int& out) const;

 private:
  Location where() const;

  const OperatorView& op_;
  std::size_t index_;
  const graph::Graph& graph_;
  graph::Node& node_;
  Diagnostics& findings_;
};

// Fills node().op and node().attributes; false where an error or a refusal was recorded.
using AttributeImport = bool (*)(const OperatorImport& op);

struct OperatorRow {
  std::int32_t builtin;
  graph::Op op;
  std::string_view options;  // the table that the operator's options must be, where it has any; empty: any
  std::uint8_t least_inputs, most_inputs;  // 255: no limit
  std::uint8_t outputs;                    // 0: any number
  std::uint8_t required;                   // that many leading operands may not be absent
  AttributeImport attributes;              // nullptr: none
};
std::span<const OperatorRow> operator_rows();
// nullptr where the operator is not imported.
const OperatorRow* find_operator_row(std::int32_t builtin);

// By family.
bool import_conv(const OperatorImport& op);
bool import_depthwise(const OperatorImport& op);
bool import_transpose_conv(const OperatorImport& op);
bool import_fully_connected(const OperatorImport& op);
bool import_batch_matmul(const OperatorImport& op);
bool import_pool(const OperatorImport& op);
bool import_svdf(const OperatorImport& op);
bool import_local_response(const OperatorImport& op);

bool import_binary(const OperatorImport& op);
bool import_activation(const OperatorImport& op);
bool import_softmax(const OperatorImport& op);
bool import_l2_normalization(const OperatorImport& op);

bool import_reduce(const OperatorImport& op);
bool import_arg_min_max(const OperatorImport& op);
bool import_resize(const OperatorImport& op);

bool import_reshape(const OperatorImport& op);
bool import_squeeze(const OperatorImport& op);
bool import_expand_dims(const OperatorImport& op);
bool import_transpose(const OperatorImport& op);
bool import_concat(const OperatorImport& op);
bool import_split(const OperatorImport& op);
bool import_slice(const OperatorImport& op);
bool import_strided_slice(const OperatorImport& op);
bool import_pad(const OperatorImport& op);
bool import_tile(const OperatorImport& op);
bool import_gather(const OperatorImport& op);
bool import_stack(const OperatorImport& op);
bool import_fill(const OperatorImport& op);
bool import_space_batch(const OperatorImport& op);
bool import_space_depth(const OperatorImport& op);

bool import_detection(const OperatorImport& op);

}  // namespace npubin::tflite
