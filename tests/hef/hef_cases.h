// The conformance cases of the HEF and how tests open them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/hef/document.h"
#include "support/data.h"

namespace npubin::hef::test {

struct HefCase {
  std::string name;
  npubin::test::fs::path folder;
  nlohmann::json expect;
  bool valid() const { return expect["verdict"] == "accept"; }
};

// All cases of the full collection, or of the project's selection.
const std::vector<HefCase>& cases();
// The three real files where the full collection is present: path without ".hef".
std::vector<npubin::test::fs::path> real_files();

// Reads bytes as a HEF whatever they look like.
std::unique_ptr<HefArtifact> open_bytes(Bytes data);
std::unique_ptr<HefArtifact> open_file(const npubin::test::fs::path& file);

}  // namespace npubin::hef::test
