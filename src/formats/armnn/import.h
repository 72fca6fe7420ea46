// The layers of a file as a neutral graph with Arm NN's rules.
//
// Operands, by layer type (kNoValue where an optional one is absent):
//   Convolution2d, DepthwiseConvolution2d, TransposeConvolution2d, FullyConnected: input, weights, bias
//   BatchNormalization: input, mean, variance, beta, gamma
//   DetectionPostProcess: boxes, scores, anchors
//   Prelu: input, alpha.  Gather: parameters, indices
// Constants, members or Constant layers, are values without a node. Input and Output layers are ports whose
// id is the binding id. Reshape's result keeps its input's quantisation (armnn spec 3). Permute's mapping is
// turned into NumPy's meaning. Depthwise weights with per-axis scales have one scale per output channel
// i*M+m.
#pragma once

#include <vector>

#include "formats/armnn/layers.h"
#include "formats/armnn/link.h"
#include "npubin/bytes.h"
#include "npubin/diagnostics.h"
#include "npubin/graph.h"

namespace npubin::armnn {

struct Import {
  graph::Graph graph;
  std::vector<std::int64_t> node_of_layer;                   // by position; -1 where a layer has no node
  std::vector<std::vector<graph::ValueId>> values_of_layer;  // by position and output slot index
};

// Builds what can be built; the graph is to be trusted only while `findings` has no errors. Nodes stand in an
// order of execution.
Import import_graph(const Bytes& bytes, const FlatBuffer& file, const LayerList& list, Diagnostics& findings);

}  // namespace npubin::armnn
