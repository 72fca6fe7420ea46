// Anything that can be run on tensors, for comparing: a graph, or an Ethos-U job.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/run/backend.h"
#include "exec/difference.h"
#include "npubin/artifact.h"
#include "npubin/graph.h"
#include "npubin/session.h"

namespace npubin::cli {

// Called for every tensor inside, in order of execution; `value` is its number in ModelRun::network().
using LayerObserver =
    std::function<void(graph::ValueId value, const std::string& name, const Tensor& tensor)>;

class ModelRun {
 public:
  virtual ~ModelRun() = default;
  // Name, type, shape and quantisation of each input, as a graph with inputs and nothing else.
  virtual const graph::Graph& interface() const = 0;
  // The graph as the file gave it.
  virtual const graph::Graph& network() const = 0;
  virtual Result<std::vector<NamedTensor>> run(const std::vector<Tensor>& inputs,
                                               const LayerObserver& observer) = 0;
};

// Error (Refused): the artifact is nothing that runs on tensors.
// `io_file` (--io) says where inputs and outputs of an .npub lie; empty: its sidecar.
Result<std::unique_ptr<ModelRun>> model_run(const Artifact& artifact, const SessionOptions& options,
                                            const std::string& io_file = {});

// Inputs for another model: the same real numbers, in its own types and shapes; pictures with their channels
// where that model has them, which `notes` says. Error (Usage): other counts, or shapes that are not the same
// data.
Result<std::vector<Tensor>> translate_inputs(const std::vector<Tensor>& from, const graph::Graph& to,
                                             std::vector<std::string>* notes = nullptr);

// One difference per output of `left`: by name where all names agree, else by position. Error (Usage): other
// counts.
Result<std::vector<exec::Difference>> compare_outputs(const std::vector<NamedTensor>& left,
                                                      const std::vector<NamedTensor>& right);

}  // namespace npubin::cli
