#include "support/data.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "npubin/npy.h"

namespace npubin::test {

fs::path own_data(const std::string& sub) {
  return fs::path(NPUBIN_SOURCE_DIR) / "tests" / "data" / sub;
}

fs::path full_data(const std::string& sub) {
  const char* given = std::getenv("NPUBIN_SHARED_DATA");
  const fs::path root =
      given != nullptr ? fs::path(given) : fs::path(NPUBIN_SOURCE_DIR) / ".." / "shared" / "data";
  const fs::path folder = root / sub;
  return fs::exists(folder) ? folder : fs::path();
}

fs::path best_data(const std::string& sub) {
  static std::set<std::string> said;
  const fs::path full = full_data(sub);
  const fs::path chosen = full.empty() ? own_data(sub) : full;
  if (said.insert(sub).second)
    std::printf("[   DATA   ] %s: %s\n", sub.c_str(),
                full.empty() ? "the project's own selection (the full collection is not here)"
                             : "the full collection");
  return chosen;
}

std::vector<fs::path> case_folders(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

nlohmann::json read_json(const fs::path& file) {
  std::ifstream stream(file);
  auto json = nlohmann::json::parse(stream, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << file << " is not JSON";
  return json;
}

Bytes read_bytes(const fs::path& file) {
  auto bytes = Bytes::open(file.string());
  EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : to_string(bytes.error()));
  return bytes ? *bytes : Bytes();
}

Tensor read_tensor(const fs::path& file) {
  auto tensor = load_npy(file.string());
  EXPECT_TRUE(tensor.has_value()) << (tensor ? "" : to_string(tensor.error()));
  return tensor ? *tensor : Tensor();
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "npubin-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace npubin::test
