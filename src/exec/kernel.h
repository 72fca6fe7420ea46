// Reference kernels: one free function per (operator, rules), found through one table per rules folder.
//
// Adding an operator: write the function in a file of reference/<rules>/, add its row to registry.cpp there.
#pragma once

#include <span>
#include <string>

#include "exec/workspace.h"
#include "npubin/graph.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::exec {

// One execution of one node. Every tensor carries the type, shape and quantisation of its graph::Value, also
// constants and the caller's inputs.
struct KernelCall {
  const graph::Graph& graph;
  const graph::Node& node;
  // As node.inputs; nullptr for an absent operand (kNoValue) or beyond the end of a short list.
  std::span<const Tensor* const> inputs;
  // As node.inputs: the persistent tensor of an operand whose Value is `variable`, else nullptr. A kernel
  // updates its state here; inputs[i] is the same memory.
  std::span<Tensor* const> states;
  // As node.outputs, allocated and zeroed; nullptr where the output is kNoValue.
  std::span<Tensor* const> outputs;

  const Tensor* optional_input(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  const Tensor& input(std::size_t i) const { return *inputs[i]; }
  Tensor& output(std::size_t i = 0) const { return *outputs[i]; }
};

// Computes the outputs; takes what memory it needs meanwhile as WorkVectors (exec/workspace.h), so that
// steady runs of a fast plan allocate nothing. Errors: Malformed where the data (an index operand, say)
// leaves the operator's domain.
using Kernel = Result<void> (*)(const KernelCall& call);

// What a kernel does not do (a type, a mask, an attribute), as the end of "... cannot be run: "; empty where
// everything is supported. Called once, by Session::compile, after graph::verify; must check whatever the
// kernel relies on: number of operands, ranks, shapes that fit each other, attribute ranges.
using KernelLimits = std::string (*)(const graph::Graph& graph, const graph::Node& node);

struct KernelRow {
  graph::Op op;
  Kernel run;
  KernelLimits limits;  // nullptr: none
};

// The tables of the two rules folders.
std::span<const KernelRow> armnn_reference_kernels();
std::span<const KernelRow> tflite_reference_kernels();

// nullptr where the rules have no kernel of the operator.
const KernelRow* find_reference_kernel(graph::Op op, graph::Rules rules);

}  // namespace npubin::exec
