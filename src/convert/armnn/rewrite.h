// The graph under construction by Arm NN's rules, and one function per family of operators.
#pragma once

#include <string>
#include <vector>

#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

class ArmnnRewrite {
 public:
  // Values keep their numbers; new ones come after them.
  explicit ArmnnRewrite(const graph::Graph& source);

  const graph::Value& value(graph::ValueId id) const { return graph_.value(id); }
  const graph::Graph& graph() const { return graph_; }
  graph::Graph take() { return std::move(graph_); }
  // Nodes so far, and the removal of all from the `first`-th on.
  std::size_t count() const { return graph_.nodes.size(); }
  std::vector<graph::Node> take_nodes(std::size_t first);

  // The node that new nodes stand for: their names begin with its name.
  void begin(const graph::Node& source) {
    source_ = &source;
    made_ = 0;
  }
  // A node under Arm NN's rules. The one that gives the source node's own output keeps its name.
  void add(graph::Op op, graph::Attributes attributes, std::vector<graph::ValueId> inputs,
           std::vector<graph::ValueId> outputs);
  // The node as it is.
  void keep(const graph::Node& node) { graph_.nodes.push_back(node); }
  // A value in between, like `like` in type and quantisation.
  graph::ValueId temporary(graph::ValueId like, Shape shape);
  graph::ValueId float_temporary(Shape shape);
  graph::ValueId constant(std::string name, Tensor tensor);
  void set_quantization(graph::ValueId id, Quantization quantization) {
    graph_.value(id).quantization = std::move(quantization);
  }
  // The same elements under another shape: a constant at once, else by a Reshape. The value itself where it
  // fits.
  graph::ValueId reshaped(graph::ValueId id, const Shape& shape);
  // Where to write a result that a fused activation still follows: the output itself where there is none.
  graph::ValueId before_activation(graph::ValueId output, const graph::ActivationAttributes& activation);
  void activation(graph::ValueId from, graph::ValueId output, const graph::ActivationAttributes& activation);
  // An element-wise operator of two operands, and an activation, whose results are values in between like
  // `a`.
  graph::ValueId binary(graph::Op op, graph::ValueId a, graph::ValueId b, Shape shape);
  graph::ValueId activated(graph::ValueId a, graph::Activation function, float upper, float lower);
  // In float32: the value itself where it holds no codes.
  graph::ValueId decoded(graph::ValueId id);
  bool is_code(graph::ValueId id) const {
    return value(id).quantization.present() && !is_float(value(id).type);
  }

 private:
  graph::Graph graph_;
  const graph::Node* source_ = nullptr;
  std::size_t made_ = 0;
};

// Most elements of an expansion: it must not make a file much larger than the model is.
inline constexpr std::int64_t kLargestExpansion = 1 << 22;

// Empty: done. Otherwise why the node has no equivalent.
using Rewrite = std::string (*)(ArmnnRewrite& out, const graph::Node& node);

// Arm NN broadcasts only between equal ranks: leading dimensions of 1 are made explicit.
graph::ValueId at_rank(ArmnnRewrite& out, graph::ValueId id, std::size_t rank);

std::string rewrite_conv(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_depthwise(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_transpose_conv(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_fully_connected(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_pool(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_local_response(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_l2_normalization(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_resize(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_detection(ArmnnRewrite& out, const graph::Node& node);

std::string rewrite_binary(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_squared_difference(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_comparison(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_unary(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_square(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_activation(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_prelu(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_softmax(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_mean(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_arg(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_quantize(ArmnnRewrite& out, const graph::Node& node);

std::string rewrite_reduce(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_rounding(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_logical(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_integer_comparison(ArmnnRewrite& out, graph::Op op, graph::ValueId a, graph::ValueId b,
                                       graph::ValueId to);
std::string rewrite_batch_matmul(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_tile(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_mirror_pad(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_pow(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_fill(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_gather_nd(ArmnnRewrite& out, const graph::Node& node);

std::string rewrite_first_operand(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_concat(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_split(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_stack(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_unstack(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_pad(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_gather(ArmnnRewrite& out, const graph::Node& node);
std::string rewrite_space_batch(ArmnnRewrite& out, const graph::Node& node);

}  // namespace npubin::convert
