// Which layers of two models compute the same: by name and shape where names agree, else by kind, shape and
// order.
#pragma once

#include <vector>

#include "npubin/graph.h"

namespace npubin::cli {

struct LayerMatch {
  graph::ValueId first =
      graph::kNoValue;  // kNoValue: inside an operator of the first model that fuses it with another
  graph::ValueId second = graph::kNoValue;
  bool by_name = false;  // otherwise by kind, shape and place in the order of execution
};

// At most one partner for every result of a node; ordered as the second graph runs. Where names do not agree,
// the longest common sequence of (kind, shape) is taken: a fused activation is a layer of its own for this, a
// Reshape or Transpose also counts as the layer whose result it moves.
std::vector<LayerMatch> match_layers(const graph::Graph& first, const graph::Graph& second);

}  // namespace npubin::cli
