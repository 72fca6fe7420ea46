#include "hef_cases.h"

#include <gtest/gtest.h>

namespace npubin::hef::test {

namespace fs = npubin::test::fs;

const std::vector<HefCase>& cases() {
  static const std::vector<HefCase> kCases = [] {
    std::vector<HefCase> out;
    for (const fs::path& folder : npubin::test::case_folders(npubin::test::best_data("hef/cases")))
      out.push_back({folder.filename().string(), folder, npubin::test::read_json(folder / "expect.json")});
    return out;
  }();
  return kCases;
}

std::vector<fs::path> real_files() {
  std::vector<fs::path> out;
  const fs::path folder = npubin::test::full_data("hef/real");
  if (folder.empty() || !fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".hef") out.push_back(folder / entry.path().stem());
  return out;
}

std::unique_ptr<HefArtifact> open_bytes(Bytes data) {
  auto artifact = HefArtifact::read(std::move(data), {});
  EXPECT_TRUE(artifact.has_value());
  if (!artifact) return nullptr;
  return std::unique_ptr<HefArtifact>(static_cast<HefArtifact*>(artifact->release()));
}

std::unique_ptr<HefArtifact> open_file(const fs::path& file) {
  return open_bytes(npubin::test::read_bytes(file));
}

}  // namespace npubin::hef::test
