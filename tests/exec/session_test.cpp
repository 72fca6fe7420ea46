// Session: what it refuses, and what it says about it.
#include "npubin/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace npubin {
namespace {

using testing::HasSubstr;

graph::Graph two_unsupported() {
  graph::Graph graph;
  graph::Value value;
  value.shape = {2};
  for (int i = 0; i < 3; ++i) graph.add_value(value);
  for (int i = 0; i < 2; ++i) {
    graph::Node node;
    node.source_type = i == 0 ? "QLstm" : "Pooling3d";
    node.name = i == 0 ? "memory" : "pool";
    node.source_index = i + 4;
    node.inputs = {i};
    node.outputs = {i + 1};
    graph.nodes.push_back(node);
  }
  graph.inputs.push_back({"in", 0, 0});
  graph.outputs.push_back({"out", 2, 0});
  return graph;
}

TEST(Session, RefusalNamesEveryOperatorAtOnce) {
  auto session = Session::compile(two_unsupported());
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().kind, ErrorKind::Refused);
  EXPECT_THAT(session.error().message, HasSubstr("QLstm (at 4 'memory')"));
  EXPECT_THAT(session.error().message, HasSubstr("Pooling3d (at 5 'pool')"));
}

TEST(Session, GraphThatReadsWhatNothingProducesIsMalformed) {
  graph::Graph graph = two_unsupported();
  std::swap(graph.nodes[0], graph.nodes[1]);
  auto session = Session::compile(std::move(graph));
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().kind, ErrorKind::Malformed);
}

}  // namespace
}  // namespace npubin
