// A network as deep as wanted, for what must stay linear in the number of layers.
#pragma once

#include <string>

#include "npubin/graph.h"

namespace npubin::test {

inline graph::Graph chain_of_layers(std::size_t length) {
  graph::Graph out;
  graph::Value value;
  value.shape = {1, 4};
  value.name = "in";
  graph::ValueId last = out.add_value(value);
  out.inputs.push_back({"in", last, 0});
  for (std::size_t i = 0; i < length; ++i) {
    graph::Node node;
    node.op = graph::Op::Activation;
    node.attributes = graph::ActivationAttributes{graph::Activation::Linear, 1.0f, 1.0f, false};
    node.name = "step" + std::to_string(i);
    node.inputs = {last};
    value.name = node.name;
    last = out.add_value(value);
    node.outputs = {last};
    out.nodes.push_back(std::move(node));
  }
  out.outputs.push_back({"out", last, 0});
  return out;
}

}  // namespace npubin::test
