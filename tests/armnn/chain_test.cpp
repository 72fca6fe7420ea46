// Files with very many layers load in linear time.
#include <ctime>

#include "cases.h"
#include "formats/armnn/build.h"

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

double seconds_to_load(const Bytes& bytes) {
  const std::clock_t begin = std::clock();
  auto artifact = armnn::ArmnnDocument::read(bytes, {});
  EXPECT_TRUE(artifact.has_value());
  Diagnostics findings;
  auto graph = dynamic_cast<const graph::GraphSource&>(**artifact).graph(findings);
  EXPECT_TRUE(graph.has_value()) << text_of(findings);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(ArmnnChain, OneHundredThousandLayersLoadInLinearTime) {
  auto built = armnn::build(chain(100000));
  ASSERT_TRUE(built.has_value()) << to_string(built.error());
  const double seconds = seconds_to_load(Bytes::own(*std::move(built)));
  RecordProperty("seconds", std::to_string(seconds));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(NDEBUG)
  EXPECT_LT(seconds, 1.5);
#endif
}

}  // namespace
}  // namespace npubin::test
