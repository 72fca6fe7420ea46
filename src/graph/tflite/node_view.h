// One node with its values, and the sentences that rules say about them.
#pragma once

#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "graph/tflite/rules.h"
#include "npubin/bytes.h"
#include "npubin/graph.h"

namespace npubin::graph {

using npubin::to_string;

class NodeView {
 public:
  NodeView(const Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  const Node& node() const { return node_; }
  std::size_t input_count() const { return node_.inputs.size(); }
  std::size_t output_count() const { return node_.outputs.size(); }
  bool has(std::size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != kNoValue; }
  const Value& in(std::size_t i = 0) const { return graph_.value(node_.inputs[i]); }
  const Value& out(std::size_t i = 0) const { return graph_.value(node_.outputs[i]); }

 private:
  const Graph& graph_;
  const Node& node_;
};

inline RuleBreach fault(std::string_view code, std::string text, std::string hint = {}) {
  return {RuleBreach::Kind::Fault, code, std::move(text), std::move(hint)};
}
inline RuleBreach not_computed(std::string text) {
  return {RuleBreach::Kind::Unsupported, {}, std::move(text), {}};
}
inline RuleBreach odd(std::string_view code, std::string text, std::string hint = {}) {
  return {RuleBreach::Kind::Odd, code, std::move(text), std::move(hint)};
}

#define NPUBIN_RULE(expression)                                                         \
  do {                                                                                  \
    if (::npubin::graph::RuleBreach npubin_breach = (expression)) return npubin_breach; \
  } while (false)

inline bool one_of(DType type, std::initializer_list<DType> types) {
  for (DType candidate : types)
    if (candidate == type) return true;
  return false;
}

// 8- and 16-bit integers are codes; they mean nothing without a scale.
inline bool is_code(DType type) {
  return one_of(type, {DType::I8, DType::U8, DType::I16});
}

// TFL-0205 where the types of two values must agree.
RuleBreach same_type(const Value& a, const Value& b);
// The type is one that the operator is computed for.
RuleBreach type_among(const Value& value, std::initializer_list<DType> types);
// TFL-0207: codes carry a quantisation; int16 has zero point 0 where `zero_16` asks for it.
RuleBreach quantized(const Value& value, bool zero_16 = true);
// TFL-0207: both mean the same by a code.
RuleBreach same_quantization(const Value& a, const Value& b);
// TFL-0208: the declared output is what the operator gives.
RuleBreach shape_is(const Value& output, const Shape& expected);
// TFL-0206.
RuleBreach rank_is(const Value& value, std::size_t rank);
// Shape of two operands aligned at the right; TFL-0206 where they do not fit.
RuleBreach broadcast(const Shape& a, const Shape& b, Shape& out);
bool same_codes(const Quantization& a, const Quantization& b);

// One function per family; each handles the operators that rules.cpp sends to it.
RuleBreach check_conv(const NodeView& node);
RuleBreach check_transpose_conv(const NodeView& node);
RuleBreach check_fully_connected(const NodeView& node);
RuleBreach check_batch_matmul(const NodeView& node);
RuleBreach check_pool(const NodeView& node);
RuleBreach check_svdf(const NodeView& node);
RuleBreach check_detection(const NodeView& node);
RuleBreach check_binary(const NodeView& node);
RuleBreach check_comparison(const NodeView& node);
RuleBreach check_select(const NodeView& node);
RuleBreach check_unary(const NodeView& node);
RuleBreach check_activation(const NodeView& node);
RuleBreach check_prelu(const NodeView& node);
RuleBreach check_along_axis(const NodeView& node);
RuleBreach check_reduce(const NodeView& node);
RuleBreach check_arg(const NodeView& node);
RuleBreach check_resize(const NodeView& node);
RuleBreach check_conversion(const NodeView& node);
RuleBreach check_reshape(const NodeView& node);
RuleBreach check_transpose(const NodeView& node);
RuleBreach check_concat(const NodeView& node);
RuleBreach check_split(const NodeView& node);
RuleBreach check_stack(const NodeView& node);
RuleBreach check_slice(const NodeView& node);
RuleBreach check_strided_slice(const NodeView& node);
RuleBreach check_pad(const NodeView& node);
RuleBreach check_tile(const NodeView& node);
RuleBreach check_gather(const NodeView& node);
RuleBreach check_gather_nd(const NodeView& node);
RuleBreach check_generator(const NodeView& node);
RuleBreach check_space_batch(const NodeView& node);
RuleBreach check_space_depth(const NodeView& node);

}  // namespace npubin::graph
