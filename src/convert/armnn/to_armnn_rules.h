// A TensorFlow Lite graph as Arm NN would hold it: the way into .armnn.
#pragma once

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

// The same network with every node under Arm NN's rules: constants folded, fused activations apart, operands
// of one rank, depthwise weights in [M,I,H,W], operators that Arm NN lacks expanded into those it has
// (20.08). Quantised results may differ by a step per layer, float ones by rounding. Precondition: a graph of
// Rules::Tflite that graph::verify accepts. Error (Refused): names every operator that cannot be expressed,
// all at once.
NPUBIN_API Result<graph::Graph> to_armnn_rules(const graph::Graph& graph);

// Nodes whose operands are all constant become constants, computed by their own rules. What fails to compute
// is left.
NPUBIN_API graph::Graph fold_constants(const graph::Graph& graph);

}  // namespace npubin::convert
