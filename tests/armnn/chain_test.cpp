// Files with very many layers load in linear time.
#include "cases.h"
#include "formats/armnn/build.h"
#include "support/work_limit.h"

namespace npubin::test {
namespace {

graph::Graph chain(std::size_t length) {
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

void load(const Bytes& bytes) {
  auto artifact = armnn::ArmnnDocument::read(bytes, {});
  EXPECT_TRUE(artifact.has_value());
  Diagnostics findings;
  auto graph = dynamic_cast<const graph::GraphSource&>(**artifact).graph(findings);
  EXPECT_TRUE(graph.has_value()) << text_of(findings);
}

TEST(ArmnnChain, OneHundredThousandLayersLoadInLinearTime) {
  auto built = armnn::build(chain(100000));
  ASSERT_TRUE(built.has_value()) << to_string(built.error());
  const WorkLimit limit(1.5);
  load(Bytes::own(*std::move(built)));
}

}  // namespace
}  // namespace npubin::test
