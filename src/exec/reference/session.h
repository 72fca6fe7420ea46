// The reference executor: node after node, each by its reference kernel, nothing rewritten.
#pragma once

#include "exec/kernel.h"
#include "npubin/session.h"

namespace npubin::exec {

// `kernels` as admit() gave them for this graph.
Result<std::unique_ptr<Session>> compile_reference(graph::Graph graph, std::vector<const KernelRow*> kernels);

}  // namespace npubin::exec
