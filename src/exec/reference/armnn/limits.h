// What the kernels of Arm NN's rules insist on before a graph is admitted: the checks that their loops rely
// on.
#pragma once

#include <cstdint>
#include <string>

#include "npubin/graph.h"

namespace npubin::exec::armnn {

// Asks one question at a time; the first one answered with no is the reason. Usage:
//   Limits check(graph, node);
//   if (!check.operands(2, 3) || !check.numeric()) return check.why();
class Limits {
 public:
  Limits(const graph::Graph& graph, const graph::Node& node) : graph_(graph), node_(node) {}

  const std::string& why() const { return why_; }

  // Between `least` and `most` operands of which the first `least` are present; as many outputs, all present.
  bool operands(std::size_t least, std::size_t most, std::size_t outputs = 1);
  bool any_operands(std::size_t outputs_least, std::size_t outputs_most);
  // Operands and outputs have types of the numeric layers; several scales only where `per_axis` allows it.
  bool numeric();
  // All operands and outputs have one type.
  bool one_type();
  bool type_of_input(std::size_t i, DType type);
  bool rank_of_input(std::size_t i, std::size_t least, std::size_t most);
  bool output_shape(const Shape& expected, std::size_t i = 0);
  bool same_count();
  // As many scales as the quantised dimension has indices (armnn spec 3).
  bool scales_fit(std::size_t input);
  bool scales_by_channel(std::size_t input, std::int64_t channels);
  bool require(bool fact, std::string otherwise);

  bool has(std::size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != graph::kNoValue; }
  const graph::Value& in(std::size_t i) const { return graph_.value(node_.inputs[i]); }
  const graph::Value& out(std::size_t i = 0) const { return graph_.value(node_.outputs[i]); }

 private:
  const graph::Graph& graph_;
  const graph::Node& node_;
  std::string why_;
};

}  // namespace npubin::exec::armnn
