// inspect --json carries, under "hef", the facts of every valid case and of the real files.
#include <gtest/gtest.h>

#include "hef_cases.h"
#include "render/json.h"

namespace npubin::hef::test {
namespace {

// The first difference between expectation and result, by path; empty: none. Whole objects: no key may be
// missing or in excess below the top.
std::string first_difference(const nlohmann::json& expected, const nlohmann::json& actual,
                             const std::string& path, bool extra_allowed) {
  if (expected.is_object()) {
    if (!actual.is_object()) return path + ": not an object";
    for (const auto& [key, value] : expected.items()) {
      if (!actual.contains(key)) return path + "." + key + ": missing";
      if (auto inner = first_difference(value, actual[key], path + "." + key, false); !inner.empty())
        return inner;
    }
    for (const auto& [key, value] : actual.items())
      if (!extra_allowed && !expected.contains(key)) return path + "." + key + ": not expected";
    return {};
  }
  if (expected.is_array()) {
    if (!actual.is_array() || actual.size() != expected.size())
      return path + ": expected " + expected.dump() + ", got " + actual.dump();
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (auto inner = first_difference(expected[i], actual[i], path + "[" + std::to_string(i) + "]", false);
          !inner.empty())
        return inner;
    return {};
  }
  if (expected == actual) return {};
  return path + ": expected " + expected.dump() + ", got " + actual.dump();
}

void expect_facts(const std::string& name, const npubin::test::fs::path& file, const nlohmann::json& facts) {
  auto artifact = open_file(file);
  ASSERT_TRUE(artifact);
  DescribeOptions options;
  options.json = true;
  options.verify = true;
  auto node = artifact->describe(options);
  ASSERT_TRUE(node.has_value()) << name << ": " << to_string(node.error());
  const nlohmann::json json = nlohmann::json::parse(render::dump(render::to_json(*node)));
  EXPECT_EQ(first_difference(facts, json["hef"], "hef", true), "") << name;
}

TEST(Facts, EveryValidCase) {
  int seen = 0;
  for (const HefCase& c : cases()) {
    if (!c.expect.contains("facts")) continue;
    ++seen;
    expect_facts(c.name, c.folder / "model.hef", c.expect["facts"]);
  }
  EXPECT_GT(seen, 0);
}

TEST(Facts, RealFiles) {
  const auto files = real_files();
  if (files.empty()) GTEST_SKIP() << "the real files are not part of the project";
  for (const auto& file : files)
    expect_facts(file.filename().string(), file.string() + ".hef",
                 npubin::test::read_json(file.string() + ".expect.json")["facts"]);
}

}  // namespace
}  // namespace npubin::hef::test
