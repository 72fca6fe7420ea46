// Gives the ethos-u operators of a graph their programs.
#pragma once

#include <memory>
#include <vector>

#include "formats/ethosu_program.h"
#include "formats/tflite/vela.h"

namespace npubin::tflite {

// One program per ethos-u operator of the main subgraph, in the graph's order; all share their regions. The
// nodes' payloads point to them. Error: as read_vela(); Malformed where operators and nodes do not agree;
// Refused where the regions take too much memory.
Result<std::vector<std::shared_ptr<programs::EthosUProgram>>> attach_programs(graph::Graph& graph,
                                                                              const TfliteDocument& document,
                                                                              Diagnostics& findings);

}  // namespace npubin::tflite
