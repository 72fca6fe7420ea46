// Graphs written in other ages' schemas, and from a graph alone.
#include "cases.h"
#include "formats/armnn/age_conversion.h"
#include "formats/armnn/build.h"

namespace npubin::test {
namespace {

using armnn::Age;

Result<graph::Graph> graph_of(const Artifact& artifact) {
  Diagnostics findings;
  return dynamic_cast<const graph::GraphSource&>(artifact).graph(findings);
}

Result<std::unique_ptr<Artifact>> reread(std::vector<std::byte> bytes) {
  return armnn::ArmnnDocument::read(Bytes::own(std::move(bytes)), {});
}

TEST(ArmnnConvert, EveryCaseOf2008RoundTripsThroughItsOwnSchema) {
  for (const fs::path& file : armnn_files("layers")) {
    SCOPED_TRACE(name_of(file));
    auto artifact = read_armnn(file);
    ASSERT_TRUE(artifact.has_value());
    auto bytes = armnn::convert_to_age(dynamic_cast<const armnn::ArmnnDocument&>(**artifact), Age::V2008);
    ASSERT_TRUE(bytes.has_value()) << to_string(bytes.error());
    auto again = reread(*std::move(bytes));
    ASSERT_TRUE(again.has_value()) << to_string(again.error());
    EXPECT_TRUE(dynamic_cast<const armnn::ArmnnDocument&>(**again).age().range.contains(Age::V2008));
    EXPECT_EQ(armnn::graph_difference(*graph_of(**artifact), *graph_of(**again)), "");
  }
}

TEST(ArmnnConvert, SeedCasesBecome2008AndComeBack) {
  for (const fs::path& file : armnn_files("seed_age")) {
    SCOPED_TRACE(name_of(file));
    auto artifact = read_armnn(file);
    ASSERT_TRUE(artifact.has_value());
    auto newer = armnn::convert_to_age(dynamic_cast<const armnn::ArmnnDocument&>(**artifact), Age::V2008);
    ASSERT_TRUE(newer.has_value()) << to_string(newer.error());
    auto document = reread(*std::move(newer));
    ASSERT_TRUE(document.has_value()) << to_string(document.error());
    auto older = armnn::convert_to_age(dynamic_cast<const armnn::ArmnnDocument&>(**document), Age::Seed);
    ASSERT_TRUE(older.has_value()) << to_string(older.error());
    auto back = reread(*std::move(older));
    ASSERT_TRUE(back.has_value()) << to_string(back.error());
    EXPECT_TRUE(dynamic_cast<const armnn::ArmnnDocument&>(**back).age().range.contains(Age::Seed));
    EXPECT_EQ(armnn::graph_difference(*graph_of(**artifact), *graph_of(**back)), "");
  }
}

TEST(ArmnnConvert, EveryAgeBecomes2008) {
  std::size_t written = 0;
  for (const fs::path& file : armnn_files("ages")) {
    SCOPED_TRACE(name_of(file));
    auto artifact = read_armnn(file);
    ASSERT_TRUE(artifact.has_value());
    auto bytes = armnn::convert_to_age(dynamic_cast<const armnn::ArmnnDocument&>(**artifact), Age::V2008);
    EXPECT_TRUE(bytes.has_value()) << to_string(bytes.error());
    written += bytes ? 1 : 0;
  }
  EXPECT_GT(written, 0u);
}

TEST(ArmnnConvert, WhatTheSeedCannotExpressIsRefusedByName) {
  std::size_t refused = 0;
  for (const fs::path& file : armnn_files("layers")) {
    const std::string name = file.parent_path().filename().string();
    const std::string type = name.substr(0, name.find('_'));
    if (type != "Quantize" && type != "Prelu" && type != "Stack") continue;
    SCOPED_TRACE(name);
    auto artifact = read_armnn(file);
    ASSERT_TRUE(artifact.has_value());
    auto bytes = armnn::convert_to_age(dynamic_cast<const armnn::ArmnnDocument&>(**artifact), Age::Seed);
    ASSERT_FALSE(bytes.has_value());
    EXPECT_EQ(bytes.error().kind, ErrorKind::Refused);
    EXPECT_FALSE(bytes.error().message.empty());
    ++refused;
  }
  EXPECT_GT(refused, 0u);
}

TEST(ArmnnBuild, AGraphAloneIsEnoughToWriteTheFile) {
  std::size_t built = 0;
  for (const char* group : {"layers", "seed_age"})
    for (const fs::path& file : armnn_files(group)) {
      SCOPED_TRACE(name_of(file));
      auto artifact = read_armnn(file);
      ASSERT_TRUE(artifact.has_value());
      auto graph = graph_of(**artifact);
      ASSERT_TRUE(graph.has_value());
      auto bytes = armnn::build(*graph);
      ASSERT_TRUE(bytes.has_value()) << to_string(bytes.error());
      ++built;
    }
  EXPECT_GT(built, 0u);
}

TEST(ArmnnMap, EveryByteHasAName) {
  for (const char* group : {"layers", "seed_age", "ages"})
    for (const fs::path& file : armnn_files(group)) {
      SCOPED_TRACE(name_of(file));
      auto artifact = read_armnn(file);
      ASSERT_TRUE(artifact.has_value());
      auto map = (*artifact)->map();
      ASSERT_TRUE(map.has_value());
      EXPECT_EQ(map->unexplained_bytes(), 0u);
    }
}

TEST(ArmnnTarget, ReleasesSayWhyTheyCannotLoadAFile) {
  auto errors = [](const fs::path& file, const char* target) {
    auto artifact = read_armnn(file);
    EXPECT_TRUE(artifact.has_value());
    Diagnostics findings;
    CheckOptions options;
    options.target = target;
    (*artifact)->validate(options, findings);
    return findings.has_errors();
  };
  const fs::path seed = best_data("armnn/seed_age") / "Convolution2d_f32_02_NHWC_bias" / "model.armnn";
  EXPECT_FALSE(errors(seed, "seed"));
  EXPECT_TRUE(errors(seed, "armnn-20.08"));
  EXPECT_TRUE(errors(seed, "armnn-99.01"));
  const fs::path newer = best_data("armnn/layers") / "Fill_f32_00" / "model.armnn";
  EXPECT_FALSE(errors(newer, "armnn-20.08"));
  EXPECT_TRUE(errors(newer, "armnn-20.05"));
}

}  // namespace
}  // namespace npubin::test
