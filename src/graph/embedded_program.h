// A program that a graph carries inside one node (Op::EthosU): whoever reads the file builds it, execution
// calls it without knowing the machine.
#pragma once

#include <span>

#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::graph {

// Node::payload of an Op::EthosU node points to one of these (std::shared_ptr<const EmbeddedProgram>).
class EmbeddedProgram {
 public:
  virtual ~EmbeddedProgram() = default;
  // Operands as the node lists them; an absent operand is nullptr. Outputs have their type and shape. Must be
  // callable from several threads at once.
  virtual Result<void> run(std::span<const Tensor* const> inputs, std::span<Tensor* const> outputs) const = 0;
};

}  // namespace npubin::graph
