// Which element types a layer may have, after Arm NN's reference backend.
#pragma once

#include <string>
#include <vector>

#include "npubin/graph.h"

namespace npubin::armnn {

struct TypeFinding {
  bool error = false;  // else: the reference backend of 20.08 has no workload for it
  std::string message;
};

// Precondition: no operand but an optional bias, and no output, is missing.
std::vector<TypeFinding> check_types(const graph::Graph& graph, const graph::Node& node);

}  // namespace npubin::armnn
