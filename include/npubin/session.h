// Running a graph: compile once, run many times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin {

enum class ExecMode : std::uint8_t {
  Reference,  // the format's reference implementation, value for value; slow
  Fast,       // Tflite rules: the same bytes for quantised graphs; ArmNn rules: at most one step away
};

struct SessionOptions {
  ExecMode mode = ExecMode::Fast;
  int threads = 1;
  std::string plan_cache;  // folder for compiled plans; empty: none
};

// What a run reports of every node, for --dump-all, --per-layer and compare.
struct NodeObservation {
  const graph::Node* node = nullptr;
  std::size_t index = 0;  // position in the compiled plan
  std::vector<const Tensor*> outputs;
  double seconds = 0;
};
using NodeObserver = std::function<void(const NodeObservation&)>;

// Buffers and state of one caller; one per thread.
class NPUBIN_API RunContext {
 public:
  virtual ~RunContext() = default;
};

class NPUBIN_API Session {
 public:
  virtual ~Session() = default;

  // Refused names every operator that cannot be run, all at once. Takes ownership of the graph.
  static Result<std::unique_ptr<Session>> compile(graph::Graph graph, const SessionOptions& options = {});

  virtual const graph::Graph& graph() const = 0;
  virtual std::unique_ptr<RunContext> new_context() const = 0;

  // Inputs in graph order; type and shape must be those of the graph (Usage otherwise). Outputs in graph
  // order, valid until the context's next run. Safe to call from several threads with separate contexts.
  virtual Result<std::vector<Tensor>> run(RunContext& context, const std::vector<Tensor>& inputs,
                                          const NodeObserver& observer = {}) const = 0;
};

}  // namespace npubin
