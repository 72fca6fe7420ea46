// The registry of run backends: one line each.
#include "cli/run/aipp.h"
#include "cli/run/backend.h"
#include "cli/run/graph.h"
#include "cli/run/hef.h"

namespace npubin::cli {

std::vector<std::unique_ptr<RunBackend>> run_backends() {
  std::vector<std::unique_ptr<RunBackend>> out;
  out.push_back(graph_backend());
  out.push_back(aipp_backend());
  out.push_back(hef_backend());
  return out;
}

}  // namespace npubin::cli
