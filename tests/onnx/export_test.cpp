// ONNX models are held against ONNX Runtime by bench/peers; here their structure is.
#include <set>

#include <gtest/gtest.h>

#include "convert/onnx/export.h"
#include "schema/onnx.pb.h"
#include "support/data.h"
#include "support/graphs.h"

namespace npubin {
namespace {

Result<std::string> exported(const test::fs::path& file) {
  NPUBIN_TRY(graph::Graph graph, test::read_graph(file));
  return convert::to_onnx(graph);
}

// Every name is defined once, before it is used.
void expect_well_formed(const onnx::GraphProto& graph, const test::fs::path& file) {
  std::set<std::string> defined{""};
  for (const auto& input : graph.input())
    EXPECT_TRUE(defined.insert(input.name()).second) << file << ": " << input.name();
  for (const auto& constant : graph.initializer())
    EXPECT_TRUE(defined.insert(constant.name()).second) << file << ": " << constant.name();
  for (const auto& node : graph.node()) {
    for (const std::string& name : node.input())
      EXPECT_EQ(defined.count(name), 1u) << file << ": " << name << " is used too early";
    for (const std::string& name : node.output())
      EXPECT_TRUE(defined.insert(name).second) << file << ": " << name << " twice";
  }
  for (const auto& output : graph.output())
    EXPECT_EQ(defined.count(output.name()), 1u) << file << ": " << output.name();
}

TEST(OnnxExport, FloatLayersBecomeWellFormedModels) {
  std::size_t written = 0, refusals = 0;
  for (const test::fs::path& folder : test::case_folders(test::best_data("armnn/layers"))) {
    auto model = exported(folder / "model.armnn");
    if (!model) {
      EXPECT_EQ(model.error().kind, ErrorKind::Refused) << folder << ": " << to_string(model.error());
      ++refusals;
      continue;
    }
    onnx::ModelProto parsed;
    ASSERT_TRUE(parsed.ParseFromString(*model)) << folder;
    expect_well_formed(parsed.graph(), folder);
    ++written;
  }
  EXPECT_GT(written, 20u);
  EXPECT_GT(refusals, 0u) << "quantised layers should be refused by name";
}

TEST(OnnxExport, ChainsOfConvolutionsStayInNchw) {
  const test::fs::path file = test::own_data("../../examples/face/face_detection_f32.armnn");
  auto model = exported(file);
  ASSERT_TRUE(model) << to_string(model.error());
  onnx::ModelProto parsed;
  ASSERT_TRUE(parsed.ParseFromString(*model));
  expect_well_formed(parsed.graph(), file);
  std::size_t transpositions = 0, convolutions = 0;
  for (const auto& node : parsed.graph().node()) {
    transpositions += node.op_type() == "Transpose" ? 1 : 0;
    convolutions += node.op_type() == "Conv" ? 1 : 0;
  }
  EXPECT_EQ(convolutions, 37u);   // 21 convolutions and 16 depthwise ones
  EXPECT_LE(transpositions, 5u);  // the input, and the four feature maps that are reshaped
  ASSERT_EQ(parsed.graph().output_size(), 2);
  EXPECT_EQ(parsed.graph().output(0).name(), "regressors");
  EXPECT_EQ(parsed.graph().input(0).type().tensor_type().shape().dim(3).dim_value(), 3);
}

}  // namespace
}  // namespace npubin
