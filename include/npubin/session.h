// Running a graph: compile once, run many times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin {

enum class ExecMode : std::uint8_t {
  Reference,  // the format's reference implementation, value for value; slow
  Fast,       // quantised graphs: the same bytes, by either rules; floats: within 1e-5 of the range
};

struct SessionOptions {
  ExecMode mode = ExecMode::Fast;
  int threads = 1;
  // Folder in which what takes long to prepare is kept from one process to the next; made where it is absent.
  // Empty: none. Fast mode only.
  std::string plan_cache;
  // With plan_cache: a hash of the file that the graph comes from. Two graphs of the same hash and structure
  // are taken for the same.
  std::uint64_t model_hash = 0;
};

// What a run reports of every node, for --dump-all, --per-layer and compare.
struct NodeObservation {
  const graph::Node* node = nullptr;
  std::size_t index = 0;  // position in the compiled plan
  std::vector<const Tensor*> outputs;
  double seconds = 0;
};
using NodeObserver = std::function<void(const NodeObservation&)>;

// How a session runs its graph: what `inspect --plan` and `bench` show.
struct PlanStep {
  std::string type, name;             // the node's word in its file, and its name there
  std::string kernel;                 // "oneDNN brgconv_1x1:avx512_core", "own pool", "reference"
  std::vector<std::string> absorbed;  // nodes fused into it, by their type
  std::uint64_t macs = 0;             // multiply-accumulates
  std::uint64_t output_bytes = 0;
};
// What became of SessionOptions::plan_cache.
struct PlanCacheReport {
  std::string file;   // empty: none was asked for
  std::string state;  // "used", "new: written", "nothing to keep", "damaged: made anew, written again", "not
                      // written: ..."
  std::size_t found = 0, made = 0;  // parts of the plan
};
struct PlanReport {
  std::vector<PlanStep> steps;          // as NodeObservation::index counts them
  std::uint64_t arena_bytes = 0;        // activations; 0 in reference mode
  std::uint64_t lower_bound_bytes = 0;  // the most that is alive at once
  std::uint64_t scratch_bytes = 0;
  PlanCacheReport cache;
};

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
  // order, the caller's own. Safe to call from several threads with separate contexts.
  virtual Result<std::vector<Tensor>> run(RunContext& context, const std::vector<Tensor>& inputs,
                                          const NodeObserver& observer = {}) const = 0;

  // The same without an allocation of its own in fast mode, for callers that run again and again: the outputs
  // are the context's, valid until its next run.
  virtual Result<std::span<const Tensor>> run_in_place(RunContext& context, std::span<const Tensor> inputs,
                                                       const NodeObserver& observer = {}) const = 0;

  virtual PlanReport plan() const = 0;
};

}  // namespace npubin
