// Arm NN's concatenations and splits by views, seen as work along one axis.
#pragma once

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::graph {

// The axis (from 0) along which the inputs of a Concat lie side by side, in order. Error (Refused): the views
// of an Arm NN Merger or Concat lie otherwise.
NPUBIN_API Result<int> concat_axis(const Graph& graph, const Node& node);

}  // namespace npubin::graph
