// A graph of Arm NN's rules in the operators and layouts that TensorFlow Lite has: the first half of the way
// out.
#pragma once

#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

// The same network, still under Arm NN's rules, with
// - half floats widened to float32 (inputs and outputs too),
// - NCHW layers in NHWC between transpositions, which cancel between neighbours,
// - layers that TensorFlow Lite lacks expanded into those it has,
// - quantised layers that it has for float only as Dequantize, float layer, Quantize, which is what Arm NN
// computes. What has no equivalent is left for the lowering to refuse by name. Error: the rewritten graph
// breaks its own rules.
Result<graph::Graph> prepare_for_tflite(const graph::Graph& graph);

}  // namespace npubin::convert
