// Every command stream of the test data as a job.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ethosu/job.h"
#include "formats/npub/document.h"
#include "formats/tflite/vela.h"
#include "support/data.h"

namespace npubin::test {

inline bool has_extension(const fs::path& file, const char* extension) {
  return file.extension() == extension;
}

// All .npub and compiled .tflite files of the collection: the operators and networks, not the broken ones.
inline std::vector<fs::path> compiled_files() {
  std::vector<fs::path> out;
  auto take = [&out](const fs::path& folder) {
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (has_extension(entry.path(), ".npub") ||
          (has_extension(entry.path(), ".tflite") && name.find("u55") != std::string::npos))
        out.push_back(entry.path());
    }
  };
  take(best_data("ethos"));
  take(best_data("nets/cases"));
  take(best_data("npub"));
  take(best_data("face"));
  take(best_data("mobilenet_v2"));
  std::sort(out.begin(), out.end());
  return out;
}

inline std::unique_ptr<Artifact> open(const fs::path& file) {
  auto artifact = open_artifact(file.string());
  EXPECT_TRUE(artifact.has_value()) << file << (artifact ? "" : to_string(artifact.error()));
  return artifact ? std::move(*artifact) : nullptr;
}

// The jobs of a file; none for the generator's stand-in.
inline std::vector<ethosu::Job> jobs_of(const Artifact& artifact) {
  std::vector<ethosu::Job> out;
  if (const auto* npub = dynamic_cast<const npub::Document*>(&artifact)) {
    if (npub->stand_in()) return out;
    auto job = npub->job();
    EXPECT_TRUE(job.has_value()) << (job ? "" : to_string(job.error()));
    if (job) out.push_back(std::move(*job));
  }
  if (const auto* model = dynamic_cast<const tflite::TfliteDocument*>(&artifact)) {
    Diagnostics findings;
    auto vela = tflite::read_vela(*model, findings);
    EXPECT_TRUE(vela.has_value()) << (vela ? "" : to_string(vela.error()));
    EXPECT_FALSE(findings.has_errors());
    if (vela)
      for (auto& op : vela->operators) out.push_back(std::move(op.job));
  }
  return out;
}

}  // namespace npubin::test
