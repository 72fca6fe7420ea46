// One emitter per operator of the graph; `find_emitter` is the table.
#pragma once

#include "convert/onnx/builder.h"
#include "npubin/graph.h"

namespace npubin::convert {

// Emits the ONNX nodes of one graph node. Error (Refused): this use of the operator has no ONNX equivalent.
using OnnxEmitter = Result<void> (*)(OnnxBuilder& builder, const graph::Node& node);

// nullptr where ONNX export does not know the operator.
OnnxEmitter find_emitter(graph::Op op);

// Appends the nodes of an activation after `from`; returns the name of the result, `to` where it is not
// empty.
std::string emit_activation(OnnxBuilder& builder, const graph::ActivationAttributes& activation,
                            const std::string& from, const std::string& to = {});

// windows.cpp
Result<void> emit_conv(OnnxBuilder&, const graph::Node&);
Result<void> emit_transpose_conv(OnnxBuilder&, const graph::Node&);
Result<void> emit_pool(OnnxBuilder&, const graph::Node&);
Result<void> emit_resize(OnnxBuilder&, const graph::Node&);
Result<void> emit_batch_normalization(OnnxBuilder&, const graph::Node&);
Result<void> emit_local_response(OnnxBuilder&, const graph::Node&);
// elementwise.cpp
Result<void> emit_binary(OnnxBuilder&, const graph::Node&);
Result<void> emit_unary(OnnxBuilder&, const graph::Node&);
Result<void> emit_activation_node(OnnxBuilder&, const graph::Node&);
Result<void> emit_prelu(OnnxBuilder&, const graph::Node&);
Result<void> emit_softmax(OnnxBuilder&, const graph::Node&);
Result<void> emit_l2_normalization(OnnxBuilder&, const graph::Node&);
Result<void> emit_reduce(OnnxBuilder&, const graph::Node&);
Result<void> emit_dequantize(OnnxBuilder&, const graph::Node&);
// movement.cpp
Result<void> emit_fully_connected(OnnxBuilder&, const graph::Node&);
Result<void> emit_batch_matmul(OnnxBuilder&, const graph::Node&);
Result<void> emit_reshape(OnnxBuilder&, const graph::Node&);
Result<void> emit_transpose(OnnxBuilder&, const graph::Node&);
Result<void> emit_concat(OnnxBuilder&, const graph::Node&);
Result<void> emit_split(OnnxBuilder&, const graph::Node&);
Result<void> emit_slice(OnnxBuilder&, const graph::Node&);
Result<void> emit_strided_slice(OnnxBuilder&, const graph::Node&);
Result<void> emit_pad(OnnxBuilder&, const graph::Node&);

}  // namespace npubin::convert
