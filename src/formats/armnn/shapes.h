// The shape rules of Arm NN: what a layer's outputs must be, given its inputs and attributes.
#pragma once

#include <vector>

#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::armnn {

// Shapes of a node's outputs. An empty list: the type has no rule here (it is listed, not run). Error
// (Malformed, without place): the inputs do not fit the layer. Precondition: all operands that the type
// requires are there.
Result<std::vector<Shape>> infer_shapes(const graph::Graph& graph, const graph::Node& node);

}  // namespace npubin::armnn
