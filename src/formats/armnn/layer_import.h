// What the importers of single layer types work with. Internal to the import.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/armnn/import.h"

namespace npubin::armnn {

class LayerImport {
 public:
  LayerImport(const Bytes& bytes, const FlatBuffer& file, const LayerList& list, const Layer& layer,
              graph::Graph& graph, graph::Node& node, Diagnostics& findings)
      : list(list),
        layer(layer),
        graph(graph),
        node(node),
        findings(findings),
        descriptor(layer.descriptor().value_or(TableView())),
        bytes_(bytes),
        file_(file) {}

  const LayerList& list;
  const Layer& layer;
  graph::Graph& graph;
  graph::Node& node;  // inputs and outputs are filled in already
  Diagnostics& findings;
  TableView descriptor;  // without fields where the layer has none

  // The finding stands at a field of the descriptor.
  void error(std::string_view code, std::string_view field, std::string message, std::string hint = {});
  void warn(std::string_view code, std::string_view field, std::string message, std::string hint = {});

  bool has_input(std::size_t i) const { return i < node.inputs.size() && node.inputs[i] != graph::kNoValue; }
  // Null where the operand is missing, which has been reported already.
  const graph::Value* input(std::size_t i) const {
    return has_input(i) ? &graph.value(node.inputs[i]) : nullptr;
  }
  graph::Value* output(std::size_t i) {
    return i < node.outputs.size() && node.outputs[i] != graph::kNoValue ? &graph.value(node.outputs[i])
                                                                         : nullptr;
  }

  // A member constant as a new value; kNoValue where it is absent or broken. `required`: absence is an error.
  graph::ValueId constant(std::string_view member, bool required);
  // Weights and bias as inputs 1 and 2, from the slots or from the members (armnn spec 2, "old files").
  void add_weights_and_bias(bool bias_enabled);

  graph::DataLayout data_layout(std::string_view field = "dataLayout");
  graph::Padding padding() const;
  // An error was reported for this layer.
  bool failed() const { return failed_; }

 private:
  const Bytes& bytes_;
  const FlatBuffer& file_;
  bool failed_ = false;
};

// Fills op, attributes and further operands of a node. Null for types that are read and listed only.
using ImportLayer = void (*)(LayerImport&);
ImportLayer importer_of(LayerType type);

// One group of layer types each; called by the table in import_layers.cpp.
namespace importers {
void convolution(LayerImport&);
void depthwise_convolution(LayerImport&);
void transpose_convolution(LayerImport&);
void fully_connected(LayerImport&);
void batch_mat_mul(LayerImport&);
void pooling(LayerImport&);
void normalization(LayerImport&);
void l2_normalization(LayerImport&);
void batch_normalization(LayerImport&);
void instance_normalization(LayerImport&);
void detection_post_process(LayerImport&);

void activation(LayerImport&);
void softmax(LayerImport&);
void log_softmax(LayerImport&);
void comparison(LayerImport&);
void elementwise_unary(LayerImport&);
void elementwise_binary(LayerImport&);
void logical_binary(LayerImport&);
void mean(LayerImport&);
void reduce(LayerImport&);
void arg_min_max(LayerImport&);
void fill(LayerImport&);

void reshape(LayerImport&);
void permute(LayerImport&);
void transpose(LayerImport&);
void concat(LayerImport&);
void splitter(LayerImport&);
void slice(LayerImport&);
void strided_slice(LayerImport&);
void pad(LayerImport&);
void gather(LayerImport&);
void stack(LayerImport&);
void resize(LayerImport&);
void resize_bilinear(LayerImport&);
void space_to_batch(LayerImport&);
void batch_to_space(LayerImport&);
void space_to_depth(LayerImport&);
void depth_to_space(LayerImport&);
void tile(LayerImport&);
}  // namespace importers

}  // namespace npubin::armnn
