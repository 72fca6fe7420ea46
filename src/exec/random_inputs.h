// Seeded inputs for a graph: the same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::exec {

// One tensor per input, in order: floats in [-1, 1), quantised codes over their type's whole range, other
// integers in 0..7 (indices have to stay small), booleans either. Error (Malformed): an input's shape is too
// large to allocate.
NPUBIN_API Result<std::vector<Tensor>> random_inputs(const graph::Graph& graph, std::uint64_t seed);

}  // namespace npubin::exec
