// The rules behind infer_shapes(), one per kind of operator.
#pragma once

#include <vector>

#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::armnn {

struct ShapeQuestion {
  const graph::Graph& graph;
  const graph::Node& node;

  bool has(std::size_t i) const { return i < node.inputs.size() && node.inputs[i] != graph::kNoValue; }
  const Shape& in(std::size_t i) const { return graph.value(node.inputs[i]).shape; }
  const graph::Value& value(std::size_t i) const { return graph.value(node.inputs[i]); }
  // What is stored for output i; Splitter and Pooling's own checks need it.
  const Shape* stored(std::size_t i) const {
    return i < node.outputs.size() && node.outputs[i] != graph::kNoValue ? &graph.value(node.outputs[i]).shape
                                                                         : nullptr;
  }
};
using Shapes = Result<std::vector<Shape>>;
using ShapeRule = Shapes (*)(const ShapeQuestion&);

namespace shape_rules {
Shapes same(const ShapeQuestion&);
Shapes same_rank4(const ShapeQuestion&);
Shapes softmax(const ShapeQuestion&);
Shapes broadcast(const ShapeQuestion&);
Shapes batch_normalization(const ShapeQuestion&);
Shapes convolution(const ShapeQuestion&);
Shapes depthwise_convolution(const ShapeQuestion&);
Shapes transpose_convolution(const ShapeQuestion&);
Shapes fully_connected(const ShapeQuestion&);
Shapes pooling(const ShapeQuestion&);
Shapes reshape(const ShapeQuestion&);
Shapes transpose(const ShapeQuestion&);
Shapes concat(const ShapeQuestion&);
Shapes split(const ShapeQuestion&);
Shapes slice(const ShapeQuestion&);
Shapes strided_slice(const ShapeQuestion&);
Shapes pad(const ShapeQuestion&);
Shapes gather(const ShapeQuestion&);
Shapes stack(const ShapeQuestion&);
Shapes tile(const ShapeQuestion&);
Shapes reduce(const ShapeQuestion&);
Shapes arg_min_max(const ShapeQuestion&);
Shapes resize(const ShapeQuestion&);
Shapes space_to_batch(const ShapeQuestion&);
Shapes batch_to_space(const ShapeQuestion&);
Shapes space_to_depth(const ShapeQuestion&);
Shapes depth_to_space(const ShapeQuestion&);
}  // namespace shape_rules

}  // namespace npubin::armnn
