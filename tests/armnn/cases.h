// Arm NN conformance cases as the tests see them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "formats/armnn/document.h"
#include "support/data.h"

namespace npubin::test {

inline Result<std::unique_ptr<Artifact>> read_armnn(const fs::path& file) {
  ReadOptions options;
  options.file_name = file.filename().string();
  auto bytes = Bytes::open(file.string());
  if (!bytes) return Unexpected(bytes.error());
  return armnn::ArmnnDocument::read(*bytes, options);
}

// Every .armnn of every case folder below armnn/<group>.
inline std::vector<fs::path> armnn_files(const std::string& group) {
  std::vector<fs::path> out;
  for (const fs::path& folder : case_folders(best_data("armnn/" + group)))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".armnn") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string text_of(const Diagnostics& findings) {
  std::string out;
  for (const Diagnostic& d : findings.findings())
    out += std::string(to_string(d.severity)) + " " + d.code + ": " + d.message + "\n";
  return out;
}

inline std::string name_of(const fs::path& file) {
  return file.parent_path().filename().string() + "/" + file.filename().string();
}

}  // namespace npubin::test
