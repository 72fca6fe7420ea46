// Files with very many layers load in linear time.
#include "armnn/chain.h"
#include "cases.h"
#include "formats/armnn/build.h"
#include "support/work_limit.h"

namespace npubin::test {
namespace {

void load(const Bytes& bytes) {
  auto artifact = armnn::ArmnnDocument::read(bytes, {});
  EXPECT_TRUE(artifact.has_value());
  Diagnostics findings;
  auto graph = dynamic_cast<const graph::GraphSource&>(**artifact).graph(findings);
  EXPECT_TRUE(graph.has_value()) << text_of(findings);
}

TEST(ArmnnChain, OneHundredThousandLayersLoadInLinearTime) {
  auto built = armnn::build(chain_of_layers(100000));
  ASSERT_TRUE(built.has_value()) << to_string(built.error());
  const WorkLimit limit(1.5);
  load(Bytes::own(*std::move(built)));
}

}  // namespace
}  // namespace npubin::test
