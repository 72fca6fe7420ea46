// From a list of layers to a graph: connections by layer index, and an order of execution.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "formats/armnn/layers.h"
#include "npubin/diagnostics.h"

namespace npubin::armnn {

struct Source {
  std::size_t layer = 0;   // position in LayerList::layers
  std::size_t output = 0;  // position in that layer's `outputs`
};

struct Links {
  // Per layer, per input in the order of the slots' indices; empty where nothing sensible is connected.
  std::vector<std::vector<std::optional<Source>>> inputs;
  // Positions in an order of execution; file order wherever that is one. Shorter than the list if the graph
  // has a cycle.
  std::vector<std::size_t> order;
};

// Findings: layers without a base, types that disagree, duplicate indices, dangling connections, wrong
// numbers of slots, cycles. Work and memory are linear in the number of connections (times a logarithm for
// the order).
Links link(const LayerList& list, Diagnostics& findings);

// Where a layer stands, for a finding: its offset and "layers[3]" with an optional field behind it.
Location where(const Layer& layer, std::string_view field = {});

}  // namespace npubin::armnn
