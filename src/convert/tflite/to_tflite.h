// Graphs as .tflite files: the way out of Arm NN.
#pragma once

#include <cstddef>
#include <vector>

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

// The file. Operators that TensorFlow Lite lacks are expanded into those it has (batch normalisation, padding
// that is neither SAME nor VALID, bounded activations, ...), layouts turned, half floats widened; see
// prepare.h. Nodes of Arm NN's rules become TensorFlow Lite's: quantised results may differ by a step, float
// ones by rounding. Error (Refused): names every operator that cannot be expressed, all at once.
NPUBIN_API Result<std::vector<std::byte>> to_tflite(const graph::Graph& graph);

// Node by node, without that: a graph of which every node has an operator, or a lowering of its own.
Result<std::vector<std::byte>> lower_graph(const graph::Graph& graph);

}  // namespace npubin::convert
