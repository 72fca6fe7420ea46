// Lowering one graph node to TensorFlow Lite operators; `find_lowering` is the table.
#pragma once

#include <string>
#include <vector>

#include "formats/tflite/build.h"
#include "npubin/graph.h"

namespace npubin::convert {

// A model under construction. Values of the graph keep their index as tensor index; helpers come after them.
class TfliteLowering {
 public:
  explicit TfliteLowering(const graph::Graph& graph);

  const graph::Graph& source() const { return graph_; }
  const graph::Value& value(graph::ValueId id) const { return graph_.value(id); }

  // A tensor in between, like the value `like` in type and quantisation, with another shape.
  std::int32_t temporary(graph::ValueId like, Shape shape);
  std::int32_t constant(const std::string& name, const Tensor& tensor);
  std::int32_t ints(const std::string& name, const std::vector<std::int32_t>& values);
  // A float scalar in the type of a float value.
  std::int32_t scalar(const std::string& name, float value);

  tflite::BuildOperator& op(std::string builtin, std::vector<std::int32_t> inputs,
                            std::vector<std::int32_t> outputs);
  tflite::BuildOperator& op(std::string builtin, std::string options_table, std::vector<std::int32_t> inputs,
                            std::vector<std::int32_t> outputs,
                            std::vector<std::pair<std::string, tflite::OptionValue>> options);
  tflite::BuildModel take() { return std::move(model_); }

 private:
  const graph::Graph& graph_;
  tflite::BuildModel model_;
};

// Error (Refused): this use of the operator has no equivalent; the message ends "... cannot be expressed".
using Lowering = Result<void> (*)(TfliteLowering& out, const graph::Node& node);
Lowering find_lowering(graph::Op op);

// ActivationFunctionType of a fused activation. Error (Refused): there is no such fused activation.
Result<double> fused_activation(const graph::ActivationAttributes& activation);

// lower_windows.cpp
Result<void> lower_conv(TfliteLowering&, const graph::Node&);
Result<void> lower_depthwise(TfliteLowering&, const graph::Node&);
Result<void> lower_transpose_conv(TfliteLowering&, const graph::Node&);
Result<void> lower_fully_connected(TfliteLowering&, const graph::Node&);
Result<void> lower_pool(TfliteLowering&, const graph::Node&);
Result<void> lower_resize(TfliteLowering&, const graph::Node&);
Result<void> lower_batch_normalization(TfliteLowering&, const graph::Node&);
Result<void> lower_local_response(TfliteLowering&, const graph::Node&);
// lower_elementwise.cpp
Result<void> lower_binary(TfliteLowering&, const graph::Node&);
Result<void> lower_unary(TfliteLowering&, const graph::Node&);
Result<void> lower_activation(TfliteLowering&, const graph::Node&);
Result<void> lower_softmax(TfliteLowering&, const graph::Node&);
Result<void> lower_l2_normalization(TfliteLowering&, const graph::Node&);
Result<void> lower_reduce(TfliteLowering&, const graph::Node&);
Result<void> lower_arg_min_max(TfliteLowering&, const graph::Node&);
// lower_movement.cpp
Result<void> lower_reshape(TfliteLowering&, const graph::Node&);
Result<void> lower_transpose(TfliteLowering&, const graph::Node&);
Result<void> lower_concat(TfliteLowering&, const graph::Node&);
Result<void> lower_split(TfliteLowering&, const graph::Node&);
Result<void> lower_slice(TfliteLowering&, const graph::Node&);
Result<void> lower_strided_slice(TfliteLowering&, const graph::Node&);
Result<void> lower_pad(TfliteLowering&, const graph::Node&);
Result<void> lower_gather(TfliteLowering&, const graph::Node&);
Result<void> lower_stack(TfliteLowering&, const graph::Node&);
Result<void> lower_fill(TfliteLowering&, const graph::Node&);
Result<void> lower_space_batch(TfliteLowering&, const graph::Node&);
Result<void> lower_space_depth(TfliteLowering&, const graph::Node&);

}  // namespace npubin::convert
