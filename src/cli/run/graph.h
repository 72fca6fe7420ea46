// The backend that runs graphs.
#pragma once

#include <memory>
#include <string_view>

#include "cli/run/backend.h"
#include "cli/run/graph_inputs.h"
#include "cli/run/graph_report.h"

namespace npubin::cli {

inline constexpr std::string_view kGraphBackend = "networks (.armnn, .tflite, .npub)";

struct GraphRunOptions {
  GraphInputOptions inputs;
  TopOptions top;
  std::string dump_all, exec, plan_cache;
};

// The options are shared with backends that borrow them.
std::unique_ptr<RunBackend> graph_backend(std::shared_ptr<GraphRunOptions> options);

// Warnings met on the way from the file to a graph, to standard error; standard output stays the report's.
void tell_findings(const Diagnostics& findings);

}  // namespace npubin::cli
