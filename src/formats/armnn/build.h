// A graph of Arm NN's rules as an .armnn file.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/armnn/age.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::armnn {

// Layers in the graph's order, numbered from 0; weights as members, other constants as Constant layers;
// binding ids are the ports'. The result is read back and compared. Error (Refused): an operator, attribute
// or type that Arm NN's schema of `age` (20.02 ... 21.05) cannot express, by name; or nodes of other rules.
Result<std::vector<std::byte>> build(const graph::Graph& graph, Age age = Age::V2008);

}  // namespace npubin::armnn
