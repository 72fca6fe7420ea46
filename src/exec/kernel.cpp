#include "exec/kernel.h"

#include <algorithm>

#include "graph/embedded_program.h"

namespace npubin::exec {
namespace {

Result<void> run_embedded_program(const KernelCall& call) {
  return static_cast<const graph::EmbeddedProgram*>(call.node.payload.get())->run(call.inputs, call.outputs);
}

std::string embedded_program_limits(const graph::Graph&, const graph::Node& node) {
  return node.payload == nullptr ? "it carries no program" : "";
}

constexpr KernelRow kEmbeddedProgram{graph::Op::EthosU, run_embedded_program, embedded_program_limits};

}  // namespace

const KernelRow* find_reference_kernel(graph::Op op, graph::Rules rules) {
  if (op == graph::Op::EthosU) return &kEmbeddedProgram;
  const auto table = rules == graph::Rules::ArmNn ? armnn_reference_kernels() : tflite_reference_kernels();
  const auto row = std::find_if(table.begin(), table.end(), [op](const KernelRow& r) { return r.op == op; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace npubin::exec
