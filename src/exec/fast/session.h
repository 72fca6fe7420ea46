// The fast executor: rewritten graph, chosen kernels, one arena.
#pragma once

#include "exec/kernel.h"
#include "npubin/session.h"

namespace npubin::exec {

Result<std::unique_ptr<Session>> compile_fast(graph::Graph graph,
                                              const std::vector<const KernelRow*>& kernels,
                                              const SessionOptions& options);

}  // namespace npubin::exec
