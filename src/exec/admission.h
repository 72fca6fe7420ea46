// What Session::compile asks of a graph before anything is built.
#pragma once

#include <vector>

#include "exec/kernel.h"

namespace npubin::exec {

// A reference kernel for every node, in the order of graph.nodes. Malformed: the graph breaks its own rules.
// Refused: names every operator that cannot be run, all at once, each with why.
Result<std::vector<const KernelRow*>> admit(const graph::Graph& graph);

// Type, shape and count as the graph's inputs; the error (Usage) says what is expected of which input.
Result<void> check_inputs(const graph::Graph& graph, std::span<const Tensor> inputs);

}  // namespace npubin::exec
