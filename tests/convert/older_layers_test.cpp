// Layers that an older schema lacks are expanded into older ones, and compute the same.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "convert/armnn/older_layers.h"
#include "convert/converted.h"

namespace npubin::test {
namespace {

using armnn::Age;

std::string name_of(const fs::path& folder) {
  return folder.filename().string();
}

// Written for the seed age, an .armnn of 20.08 answers as it did.
TEST(OlderLayers, SeedFilesAnswerAsTheCasesTheyComeFrom) {
  std::size_t written = 0, expanded = 0;
  std::set<std::string> kinds;  // layer types that were expanded
  for (const fs::path& folder : case_folders(best_data("armnn/layers"))) {
    SCOPED_TRACE(name_of(folder));
    const nlohmann::json description = read_json(folder / "case.json");
    auto artifact = open_artifact((folder / "model.armnn").string());
    ASSERT_TRUE(artifact) << to_string(artifact.error());
    auto graph = graph_of(**artifact);
    ASSERT_TRUE(graph) << to_string(graph.error());
    auto seed = converted(**artifact, ".armnn", {"seed", "", false});
    if (!seed) {
      EXPECT_EQ(seed.error().kind, ErrorKind::Refused) << to_string(seed.error());
      continue;
    }
    ++written;
    EXPECT_TRUE(seed->approximations.empty());
    auto older = convert::express_in_age(*graph, Age::Seed, false);
    ASSERT_TRUE(older) << to_string(older.error());
    if (older->changed) {
      ++expanded;
      kinds.insert(description["layer"].get<std::string>());
    }
    auto document = reread(*seed, ".armnn");
    ASSERT_TRUE(document) << to_string(document.error());
    const auto inputs = case_tensors(folder, description["inputs"], "in");
    auto outputs = run(**document, inputs);
    ASSERT_TRUE(outputs) << to_string(outputs.error());
    auto expected = run(*graph, inputs);
    ASSERT_TRUE(expected) << to_string(expected.error());
    ASSERT_EQ(outputs->size(), expected->size());
    for (std::size_t i = 0; i < expected->size(); ++i) {
      const Tensor& want = (*expected)[i];
      const Apart found = apart(want, (*outputs)[i]);
      const bool codes = !is_float(want.type());
      const double allowed =
          codes ? 0 : 2e-6 * std::max(found.range, 1.0) * (want.type() == DType::F16 ? 500 : 1);
      EXPECT_LE(found.largest, allowed) << "output " << i;
    }
  }
  std::printf("[   DATA   ] %zu layers written for the seed age and run, %zu of them expanded\n", written,
              expanded);
  EXPECT_GT(written, 150u);
  for (const char* kind : {"Prelu", "Stack", "Slice", "DepthToSpace", "Resize", "Comparison",
                           "InstanceNormalization", "Pad", "ElementwiseUnary", "Splitter", "Convolution2d"})
    EXPECT_EQ(kinds.count(kind), 1u) << kind;
}

graph::Graph prelu(DType type, const Quantization& in, const Quantization& slope, const Quantization& out,
                   const std::vector<std::int32_t>& slopes) {
  graph::Graph graph;
  const auto value = [&](const char* name, Shape shape, const Quantization& q) {
    graph::Value v;
    v.name = name;
    v.type = type;
    v.shape = std::move(shape);
    v.quantization = q;
    return graph.add_value(std::move(v));
  };
  const auto channels = static_cast<std::int64_t>(slopes.size());
  const graph::ValueId x = value("x", {1, 16, 16, channels}, in),
                       alpha = value("alpha", {1, 1, 1, channels}, slope),
                       y = value("y", {1, 16, 16, channels}, out);
  Tensor codes(type, {1, 1, 1, channels}, slope);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (type == DType::U8) codes.as_mutable<std::uint8_t>()[i] = static_cast<std::uint8_t>(slopes[i]);
    if (type == DType::I16) codes.as_mutable<std::int16_t>()[i] = static_cast<std::int16_t>(slopes[i]);
  }
  graph.value(alpha).constant = codes;
  graph::Node node;
  node.op = graph::Op::Prelu;
  node.name = "prelu";
  node.inputs = {x, alpha};
  node.outputs = {y};
  graph.nodes.push_back(std::move(node));
  graph.inputs.push_back({"x", x, 0});
  graph.outputs.push_back({"y", y, 0});
  return graph;
}

// Every code against slopes of all kinds: the expansion gives the layer's own codes.
TEST(OlderLayers, QuantisedPreluIsExpandedToTheByte) {
  const std::vector<std::int32_t> slopes{0, 1, 77, 128, 129, 200, 255};
  for (const auto& [in, slope, out] :
       {std::array<Quantization, 3>{Quantization::per_tensor(0.1f, 128),
                                    Quantization::per_tensor(0.013f, 128),
                                    Quantization::per_tensor(0.07f, 90)},
        std::array<Quantization, 3>{Quantization::per_tensor(0.25f, 3), Quantization::per_tensor(0.05f, 250),
                                    Quantization::per_tensor(0.11f, 200)},
        std::array<Quantization, 3>{Quantization::per_tensor(1.0f, 255), Quantization::per_tensor(0.004f, 0),
                                    Quantization::per_tensor(0.3f, 255)}}) {
    const graph::Graph graph = prelu(DType::U8, in, slope, out, slopes);
    Tensor x(DType::U8, graph.value(0).shape, in);
    for (std::size_t i = 0; i < x.byte_size(); ++i)
      x.as_mutable<std::uint8_t>()[i] = static_cast<std::uint8_t>(i / slopes.size());
    auto older = convert::express_in_age(graph, Age::Seed, false);
    ASSERT_TRUE(older) << to_string(older.error());
    EXPECT_TRUE(older->changed);
    for (const graph::Node& node : older->graph.nodes) EXPECT_NE(node.op, graph::Op::Prelu);
    auto before = run(graph, {x}), after = run(older->graph, {x});
    ASSERT_TRUE(before) << to_string(before.error());
    ASSERT_TRUE(after) << to_string(after.error());
    EXPECT_EQ(apart((*before)[0], (*after)[0]).largest, 0);
  }
}

TEST(OlderLayers, NewerActivationsComeFromOlderOnes) {
  const fs::path folder = best_data("tflite/cases") / "hard_swish_f32_v";
  auto source = open_artifact((folder / "model.tflite").string());
  ASSERT_TRUE(source) << to_string(source.error());
  const nlohmann::json description = read_json(folder / "case.json");
  auto seed = converted(**source, ".armnn", {"seed", "", false});
  ASSERT_TRUE(seed) << to_string(seed.error());
  auto outputs = run(**reread(*seed, ".armnn"), case_tensors(folder, description["inputs"], "in"));
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  const Apart found = apart(case_tensors(folder, description["outputs"], "out")[0], (*outputs)[0]);
  EXPECT_LE(found.largest, 1e-5 * found.range);
}

TEST(OlderLayers, HalfPixelsAreExactIn2008AndApproximatedBeforeOnlyWhenAsked) {
  for (const char* name : {"resize_bilinear_f32_hp", "resize_bilinear_i8_hp", "resize_bilinear_i8_hp_down"}) {
    SCOPED_TRACE(name);
    const fs::path folder = best_data("tflite/cases") / name;
    auto source = open_artifact((folder / "model.tflite").string());
    ASSERT_TRUE(source) << to_string(source.error());
    const nlohmann::json description = read_json(folder / "case.json");
    const auto inputs = case_tensors(folder, description["inputs"], "in");
    const auto expected = case_tensors(folder, description["outputs"], "out");

    auto exact = converted(**source, ".armnn", {"20.08", "", false});
    ASSERT_TRUE(exact) << to_string(exact.error());
    EXPECT_TRUE(exact->approximations.empty());
    auto outputs = run(**reread(*exact, ".armnn"), inputs);
    ASSERT_TRUE(outputs) << to_string(outputs.error());
    const Apart found = apart(expected[0], (*outputs)[0]);
    EXPECT_LE(found.largest, found.step > 0 ? found.step * 1.001 : 1e-5 * found.range);

    // 20.05 has int8 but no flags.
    auto refusal = converted(**source, ".armnn", {"20.05", "", false});
    ASSERT_FALSE(refusal);
    EXPECT_EQ(refusal.error().kind, ErrorKind::Refused);
    EXPECT_NE(refusal.error().message.find("half-pixel centres"), std::string::npos)
        << refusal.error().message;
    EXPECT_NE(refusal.error().hint.find("--allow-difference"), std::string::npos);

    auto near = converted(**source, ".armnn", {"20.05", "", true});
    ASSERT_TRUE(near) << to_string(near.error());
    ASSERT_EQ(near->approximations.size(), 1u);
    auto plain = run(**reread(*near, ".armnn"), inputs);
    ASSERT_TRUE(plain) << to_string(plain.error());
    EXPECT_GT(apart(expected[0], (*plain)[0]).largest, found.largest);
  }
}

}  // namespace
}  // namespace npubin::test
