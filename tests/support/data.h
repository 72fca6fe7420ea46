// Where test data lies: the project's own copies in tests/data, and the full collection where it is present.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "npubin/bytes.h"
#include "npubin/tensor.h"

namespace npubin::test {

namespace fs = std::filesystem;

// tests/data/<sub> of the source tree.
fs::path own_data(const std::string& sub);
// The full collection: $NPUBIN_SHARED_DATA, else ../shared/data beside the source tree. Empty path where
// absent.
fs::path full_data(const std::string& sub);
// full_data(sub) where it is present, else own_data(sub). Prints once which of the two is used.
fs::path best_data(const std::string& sub);
// The sub-folders of a folder, sorted by name; empty where the folder is absent.
std::vector<fs::path> case_folders(const fs::path& folder);

nlohmann::json read_json(const fs::path& file);
// Fails the test and returns an empty value where the file cannot be read.
Bytes read_bytes(const fs::path& file);
Tensor read_tensor(const fs::path& file);
// Empty where the file cannot be read.
std::string read_text(const fs::path& file);

// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace npubin::test
