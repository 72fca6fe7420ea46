// A graph of Arm NN's rules in the layers that an older schema has.
#pragma once

#include <string>
#include <vector>

#include "formats/armnn/age.h"
#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

struct OlderLayers {
  graph::Graph graph;
  bool changed = false;                     // false: the graph needs nothing that the age lacks
  std::vector<std::string> approximations;  // what is only nearly the same, by layer
};

// Layers that came after `age` are expanded into older ones where that gives the same: PRELU, Stack, Slice,
// Resize by nearest neighbours, comparisons, ... What has no expansion is left, and refused by whoever writes
// the file. Bilinear resizing with half-pixel centres or aligned corners becomes a plain one where
// `approximate` allows it. Error (Refused): names everything that cannot be expressed, all at once.
NPUBIN_API Result<OlderLayers> express_in_age(const graph::Graph& graph, armnn::Age age, bool approximate);

}  // namespace npubin::convert
