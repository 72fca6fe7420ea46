// The registry of run backends: one line each.
#include "cli/run/aipp.h"
#include "cli/run/backend.h"
#include "cli/run/ethosu.h"
#include "cli/run/graph.h"
#include "cli/run/hef.h"

namespace npubin::cli {

std::vector<std::unique_ptr<RunBackend>> run_backends() {
  std::vector<std::unique_ptr<RunBackend>> out;
  const auto graph_options = std::make_shared<GraphRunOptions>();
  // Before the graphs: a compiled .tflite is a graph as well.
  out.push_back(ethosu_backend(graph_options));
  out.push_back(graph_backend(graph_options));
  out.push_back(aipp_backend());
  out.push_back(hef_backend());
  return out;
}

}  // namespace npubin::cli
