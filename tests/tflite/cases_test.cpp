// Single operators: every case of data/tflite/cases gives the bytes (or, for floats, the tolerance) of the
// oracle.
#include <gtest/gtest.h>

#include "tflite/case_run.h"

namespace npubin::test {
namespace {

// Largest difference that the case allows in one output.
double allowed(const nlohmann::json& description, std::size_t output) {
  const auto& tolerance = description.at("tolerance");
  if (description.at("exact").get<bool>()) return 0;
  if (tolerance.contains("lsb")) return tolerance.at("lsb").get<double>();
  return tolerance.at("abs").at(output).get<double>();
}

bool passes(const fs::path& folder, ExecMode mode) {
  const auto description = read_json(folder / "case.json");
  const auto outputs =
      run_tflite(folder / "model.tflite", numbered(folder, "in", description.at("inputs").size()), mode);
  if (!outputs) {
    ADD_FAILURE() << to_string(outputs.error());
    return false;
  }
  const auto expected = numbered(folder, "out", description.at("outputs").size());
  EXPECT_EQ(outputs->size(), expected.size());
  bool good = outputs->size() == expected.size();
  for (std::size_t i = 0; good && i < expected.size(); ++i) {
    const Difference d = difference((*outputs)[i], expected[i]);
    if (d.what.empty() && d.largest <= allowed(description, i)) continue;
    good = false;
    ADD_FAILURE() << "output " << i << ": " << d.count << " of " << expected[i].count()
                  << " differ, by at most " << d.largest << "; allowed is " << allowed(description, i) << " "
                  << d.what;
  }
  return good;
}

std::size_t run_all(ExecMode mode, std::size_t& total) {
  std::size_t passed = 0;
  total = 0;
  for (const fs::path& folder : case_folders(best_data("tflite/cases"))) {
    SCOPED_TRACE(folder.filename().string());
    ++total;
    passed += passes(folder, mode) ? 1 : 0;
  }
  return passed;
}

TEST(TfliteCases, ReferenceKernelsAgreeWithTheOracle) {
  std::size_t total = 0;
  const std::size_t passed = run_all(ExecMode::Reference, total);
  std::printf("[   DATA   ] %zu of %zu cases pass\n", passed, total);
  EXPECT_GT(total, 0u);
  EXPECT_EQ(passed, total);
}

}  // namespace
}  // namespace npubin::test
