#include "support/graphs.h"

#include "npubin/artifact.h"

namespace npubin::test {

Result<graph::Graph> read_graph(const fs::path& file) {
  NPUBIN_TRY(const auto artifact, open_artifact(file.string()));
  const auto* source = dynamic_cast<const graph::GraphSource*>(artifact.get());
  if (source == nullptr) return refused("no graph in " + file.string());
  Diagnostics findings;
  return source->graph(findings);
}

}  // namespace npubin::test
