// What the Ethos-U backend runs: a graph whose ethos-u nodes carry programs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "formats/ethosu_program.h"
#include "npubin/artifact.h"

namespace npubin::cli {

struct EthosUModel {
  graph::Graph graph;
  std::vector<std::shared_ptr<programs::EthosUProgram>> programs;  // in the graph's order
  std::string stand_in;               // what a stand-in does; empty: a command stream
  std::optional<Error> no_interface;  // why inputs and outputs have no known place
};

// Whether the file holds Ethos-U jobs.
bool is_ethosu_model(const Artifact& artifact);

// `io_file`: --io, for .npub. `bare`: operators between the jobs are not needed.
Result<EthosUModel> open_ethosu_model(const Artifact& artifact, const std::string& io_file,
                                      Diagnostics& findings);

}  // namespace npubin::cli
