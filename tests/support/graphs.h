// Networks of test files.
#pragma once

#include "npubin/graph.h"
#include "support/data.h"

namespace npubin::test {

// The graph of a network's file of any format.
Result<graph::Graph> read_graph(const fs::path& file);

}  // namespace npubin::test
