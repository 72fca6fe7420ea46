// Every valid case is read, dated, and imported to a graph whose ports are those of case.json.
#include <cmath>

#include "cases.h"
#include "formats/armnn/age.h"

namespace npubin::test {
namespace {

using nlohmann::json;

DType type_named(const std::string& name) {
  if (name == "f32") return DType::F32;
  if (name == "f16") return DType::F16;
  if (name == "qu8") return DType::U8;
  if (name == "qs8") return DType::I8;
  if (name == "qs16") return DType::I16;
  if (name == "s32") return DType::I32;
  EXPECT_EQ(name, "bool");
  return DType::Bool;
}

void expect_ports(const graph::Graph& graph, const std::vector<graph::Port>& ports, const json& expected,
                  std::size_t first = 0) {
  ASSERT_EQ(ports.size() + first, expected.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const graph::Value& value = graph.value(ports[i].value);
    const json& want = expected[i + first];
    EXPECT_EQ(ports[i].name, want["name"].get<std::string>());
    EXPECT_EQ(ports[i].id, want["id"].get<std::int64_t>());
    EXPECT_EQ(value.shape, want["shape"].get<Shape>());
    const std::string type = want["dtype"];
    EXPECT_EQ(value.type, type_named(type));
    if (type[0] != 'q') continue;
    EXPECT_NEAR(value.quantization.scale(), want["scale"].get<double>(), 1e-5 * want["scale"].get<double>());
    EXPECT_EQ(value.quantization.zero_point(), want["zp"].get<std::int64_t>());
  }
}

void expect_import(const fs::path& file) {
  SCOPED_TRACE(name_of(file));
  const json expected = read_json(file.parent_path() / "case.json");
  auto artifact = read_armnn(file);
  ASSERT_TRUE(artifact.has_value()) << to_string(artifact.error());
  const auto* source = dynamic_cast<const graph::GraphSource*>(artifact->get());
  ASSERT_NE(source, nullptr);
  Diagnostics findings;
  auto graph = source->graph(findings);
  ASSERT_TRUE(graph.has_value()) << to_string(graph.error()) << "\n" << text_of(findings);
  // Files that the README calls valid have no errors; warnings are judged in validate_test.
  EXPECT_FALSE(findings.has_errors()) << text_of(findings);
  if (expected.contains("inputs") && !expected["outputs"].empty()) {
    const bool cut = file.filename().string().find(".out1.") != std::string::npos;
    expect_ports(*graph, graph->inputs, expected["inputs"]);
    // The face detector cut to one output keeps the second.
    expect_ports(*graph, graph->outputs, expected["outputs"], cut ? 1 : 0);
  }
  // Rewriting an unchanged document gives its bytes.
  auto written = (*artifact)->write();
  ASSERT_TRUE(written.has_value());
  const ByteSpan original = (*artifact)->bytes().span();
  EXPECT_TRUE(std::equal(written->begin(), written->end(), original.begin(), original.end()));
}

class ArmnnImport : public testing::TestWithParam<const char*> {};

TEST_P(ArmnnImport, EveryFileBecomesTheGraphOfItsCase) {
  const auto files = armnn_files(GetParam());
  if (files.empty() && GetParam() == std::string("models"))
    GTEST_SKIP() << "the whole models are not in the project; they are tested where the full collection is";
  EXPECT_FALSE(files.empty());
  for (const fs::path& file : files) expect_import(file);
}

INSTANTIATE_TEST_SUITE_P(Groups, ArmnnImport, testing::Values("layers", "seed_age", "ages", "models"));

TEST(ArmnnAge, TheCasesAgeLiesInTheRangeThatWasRecognised) {
  for (const char* group : {"layers", "seed_age", "ages"})
    for (const fs::path& file : armnn_files(group)) {
      SCOPED_TRACE(name_of(file));
      const std::string age = read_json(file.parent_path() / "case.json")["age"];
      auto artifact = read_armnn(file);
      ASSERT_TRUE(artifact.has_value()) << to_string(artifact.error());
      const auto& document = dynamic_cast<const armnn::ArmnnDocument&>(**artifact);
      const auto want = armnn::age_of_release(age);
      ASSERT_TRUE(want.has_value()) << age;
      EXPECT_TRUE(document.age().range.contains(*want))
          << "recognised as " << armnn::to_string(document.age().range);
      EXPECT_FALSE(document.age().evidence.empty());
    }
}

TEST(ArmnnAge, StructureCasesListTheirLayersWithTheRightTypes) {
  std::size_t seen = 0;
  for (const fs::path& file : armnn_files("ages")) {
    const json expected = read_json(file.parent_path() / "case.json");
    if (!expected.contains("expect")) continue;
    SCOPED_TRACE(name_of(file));
    ++seen;
    auto artifact = read_armnn(file);
    ASSERT_TRUE(artifact.has_value()) << to_string(artifact.error());
    const auto& list = dynamic_cast<const armnn::ArmnnDocument&>(**artifact).list();
    const json& layers = expected["expect"]["layers"];
    ASSERT_EQ(list.layers.size(), layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      EXPECT_EQ(list.layers[i].index, layers[i][0].get<std::uint32_t>());
      EXPECT_EQ(list.layers[i].kind->name, layers[i][1].get<std::string>());
      EXPECT_EQ(list.layers[i].union_value, layers[i][2].get<unsigned>());
    }
  }
  EXPECT_GT(seen, 0u);
}

TEST(ArmnnRepair, DroppedPayloadTypesAreRepairedWithAWarning) {
  std::size_t seen = 0;
  for (const char* group : {"layers", "models"})
    for (const fs::path& file : armnn_files(group)) {
      if (file.filename() != "model_d2.armnn") continue;
      SCOPED_TRACE(name_of(file));
      ++seen;
      auto artifact = read_armnn(file);
      ASSERT_TRUE(artifact.has_value()) << to_string(artifact.error());
      Diagnostics findings;
      (*artifact)->validate({}, findings);
      EXPECT_FALSE(findings.has_errors()) << text_of(findings);
      EXPECT_NE(text_of(findings).find("ARM-0120"), std::string::npos);
    }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace npubin::test
