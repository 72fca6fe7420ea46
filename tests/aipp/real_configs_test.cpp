// Real configs from public repositories, where the full collection is present: the facts beside them.
#include <fstream>

#include <gtest/gtest.h>

#include "formats/aipp/findings.h"
#include "npubin/artifact.h"
#include "render/json.h"
#include "support/data.h"

namespace npubin {
namespace {

using nlohmann::json;

void expect_block(const json& got, const json& wanted, const std::string& file) {
  for (const char* key : {"mode", "format", "max_src_image_size"})
    EXPECT_EQ(got.at(key), wanted.at(key)) << file << key;
  if (wanted.at("mode") == "dynamic") return;
  EXPECT_EQ(got.at("src"), wanted.at("src")) << file;
  EXPECT_EQ(got.at("crop"), wanted.at("crop")) << file;
  EXPECT_EQ(got.at("padding"), wanted.at("padding")) << file;
  EXPECT_EQ(got.at("csc"), wanted.at("csc")) << file;
  EXPECT_EQ(got.at("csc_standard"), wanted.at("csc_standard")) << file;
  EXPECT_EQ(got.at("rbuv_swap"), wanted.at("rbuv_swap")) << file;
  for (const char* key : {"mean", "min", "var_reci"})
    for (std::size_t c = 0; c < 4; ++c)
      EXPECT_FLOAT_EQ(got.at(key)[c].get<float>(), wanted.at(key)[c].get<float>()) << file << key;
}

std::vector<std::string> lint_of(const Artifact& artifact) {
  Diagnostics findings;
  artifact.validate({}, findings);
  EXPECT_FALSE(findings.has_errors());
  std::vector<std::string> out;
  for (const Diagnostic& d : findings.findings())
    if (d.severity == Severity::Warning) out.emplace_back(aipp::finding_facts(d.code)->rule);
  return out;
}

TEST(AippRealConfigs, FactsAsNotedBesideThem) {
  const auto folder = test::full_data("aipp/real");
  if (folder.empty()) GTEST_SKIP() << "the real configs are third-party and not in the project";
  std::ifstream facts(folder / "real.json");
  int files = 0;
  for (std::string line; std::getline(facts, line); ++files) {
    const json wanted = json::parse(line);
    const std::string file = wanted.at("file");
    auto artifact = open_artifact((folder / file).string());
    ASSERT_TRUE(artifact.has_value()) << to_string(artifact.error());
    EXPECT_EQ((*artifact)->format(), "aipp");
    DescribeOptions options;
    options.json = true;
    auto node = (*artifact)->describe(options);
    ASSERT_TRUE(node.has_value()) << file;
    const json got = json::parse(render::to_json(*node).dump());
    ASSERT_EQ(got.at("ops").size(), wanted.at("ops").size()) << file;
    std::vector<std::string> lint;
    for (std::size_t i = 0; i < got.at("ops").size(); ++i) {
      expect_block(got.at("ops")[i], wanted.at("ops")[i], file);
      for (const json& rule : wanted.at("ops")[i].at("lint")) lint.push_back(rule);
    }
    EXPECT_EQ(lint_of(**artifact), lint) << file;
  }
  EXPECT_GE(files, 30);
}

}  // namespace
}  // namespace npubin
