// An Ethos-U job as a node of a graph: inputs go into its regions, the machine runs, outputs come out.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "ethosu/job.h"
#include "ethosu/machine/machine.h"
#include "ethosu/machine/memory.h"
#include "graph/embedded_program.h"
#include "npubin/graph.h"

namespace npubin::programs {

// The regions that all ethos-u operators of a file share.
struct EthosURegions {
  std::mutex mutex;  // one operator at a time
  ethosu::Memory memory;
  bool stopped = false;  // by MachineOptions::stop_after: the operators behind do nothing
};

class EthosUProgram final : public graph::EmbeddedProgram {
 public:
  // What runs in the regions: a command stream, or a stand-in for one.
  using Body = std::function<Result<ethosu::MachineRun>(ethosu::Memory& memory,
                                                        const ethosu::MachineOptions& options)>;
  // Called with the regions at hand, before and after the body.
  using Hook = std::function<Result<void>(const ethosu::Job& job, ethosu::Memory& memory)>;

  // Input k of the job is operand input_operands[k] of the node, output k its output output_operands[k].
  EthosUProgram(ethosu::Job job, std::vector<std::size_t> input_operands,
                std::vector<std::size_t> output_operands, std::shared_ptr<EthosURegions> regions);

  const ethosu::Job& job() const { return job_; }
  const std::shared_ptr<EthosURegions>& regions() const { return regions_; }
  void set_body(Body body) { body_ = std::move(body); }
  void set_options(const ethosu::MachineOptions& options) { options_ = options; }
  void set_hooks(Hook before, Hook after) {
    before_ = std::move(before);
    after_ = std::move(after);
  }

  // Errors: those of ethosu::execute(); Malformed where a binding leaves its region.
  Result<void> run(std::span<const Tensor* const> inputs, std::span<Tensor* const> outputs) const override;
  // Without inputs and outputs: on the regions as they are.
  Result<ethosu::MachineRun> run_bare() const;

 private:
  Result<ethosu::MachineRun> run_body() const;

  ethosu::Job job_;
  std::vector<std::size_t> input_operands_, output_operands_;
  std::shared_ptr<EthosURegions> regions_;
  Body body_;
  Hook before_, after_;
  ethosu::MachineOptions options_;
};

// A graph of one node for a job that is no operator of a graph: its bindings are the graph's ports.
graph::Graph graph_of_program(const std::shared_ptr<EthosUProgram>& program);

}  // namespace npubin::programs
