// Broken files get the verdict that their case asks for.
#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "tflite/case_run.h"

namespace npubin::test {
namespace {

// "reject" where the file is refused at any stage, "warn" where it loads with a finding, else "accept".
std::string verdict_of(const fs::path& folder, const nlohmann::json& description, std::string& why) {
  const fs::path model = folder / "model.tflite";
  auto artifact = open_artifact(model.string(), std::string("tflite"));
  if (!artifact) {
    why = to_string(artifact.error());
    return "reject";
  }
  Diagnostics findings;
  (*artifact)->validate({}, findings);
  auto session = compile_tflite(model);
  if (!session) {
    why = to_string(session.error());
    return "reject";
  }
  EXPECT_FALSE(findings.has_errors()) << "check finds an error, but the graph compiles";
  const bool runs = description.at("stage") == "run" || fs::exists(folder / "out0.npy");
  if (runs) {
    std::size_t inputs = 0;
    while (fs::exists(folder / ("in" + std::to_string(inputs) + ".npy"))) ++inputs;
    auto given = numbered(folder, "in", inputs);
    if (given.empty())
      for (const graph::Port& port : (*session)->graph().inputs)
        given.emplace_back((*session)->graph().value(port.value).type,
                           (*session)->graph().value(port.value).shape);
    auto context = (*session)->new_context();
    auto outputs = (*session)->run(*context, given);
    if (!outputs) {
      why = to_string(outputs.error());
      return "reject";
    }
    for (std::size_t i = 0; fs::exists(folder / ("out" + std::to_string(i) + ".npy")); ++i)
      EXPECT_EQ(difference((*outputs)[i], read_tensor(folder / ("out" + std::to_string(i) + ".npy"))).count,
                0u);
  }
  return findings.has_warnings() ? "warn" : "accept";
}

TEST(TfliteInvalid, EveryBrokenFileGetsItsVerdict) {
  std::size_t total = 0, passed = 0;
  for (const fs::path& folder : case_folders(best_data("tflite/invalid"))) {
    SCOPED_TRACE(folder.filename().string());
    const auto description = read_json(folder / "case.json");
    std::string why;
    const std::string verdict = verdict_of(folder, description, why);
    bool good = verdict == description.at("verdict").get<std::string>();
    if (description.contains("alsoAccepted"))
      for (const auto& other : description.at("alsoAccepted"))
        good = good || verdict == other.get<std::string>();
    EXPECT_TRUE(good) << "verdict " << verdict << " instead of " << description.at("verdict") << ": "
                      << description.at("what");
    EXPECT_EQ(verdict == "reject", !why.empty());
    ++total;
    passed += good ? 1 : 0;
  }
  std::printf("[   DATA   ] %zu of %zu invalid files get their verdict\n", passed, total);
  EXPECT_GT(total, 0u);
}

}  // namespace
}  // namespace npubin::test
