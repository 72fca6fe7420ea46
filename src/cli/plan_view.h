// How the executor would run a network, for `inspect --plan`.
#pragma once

#include "npubin/artifact.h"
#include "npubin/describe.h"

namespace npubin::cli {

// Compiles the artifact's graph for one thread and adds a child "plan" to `node`. A file without a graph is
// left as it is. Error: what Session::compile says.
Result<void> add_plan(const Artifact& artifact, Node& node);

}  // namespace npubin::cli
