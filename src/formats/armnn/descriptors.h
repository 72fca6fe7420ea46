// The way back from a node to a layer: its type and its descriptor.
#pragma once

#include "formats/armnn/layer_kinds.h"
#include "formats/armnn/record.h"
#include "npubin/graph.h"

namespace npubin::armnn {

// Sets the layer's table type and descriptor. `layer` is empty but for its base. Error (Refused): the
// operator or one of its attributes has no layer in Arm NN's schema.
Result<LayerType> describe_node(const graph::Graph& graph, const graph::Node& node, Record& layer);

// Operands that are written as members, in order from operand 1; empty for layers without.
std::vector<std::string_view> members_of(LayerType type);

}  // namespace npubin::armnn
