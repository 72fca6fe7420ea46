// parse-hef line for line, byte maps without holes, listings of every action.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "formats/hef/listing.h"
#include "hef_cases.h"
#include "render/json.h"
#include "render/text.h"

namespace npubin::hef::test {
namespace {

namespace fs = npubin::test::fs;

std::string text_of_file(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

void expect_parse_hef(const fs::path& file, const fs::path& expected) {
  auto artifact = open_file(file);
  ASSERT_TRUE(artifact);
  DescribeOptions options;
  options.style = "parse-hef";
  auto node = artifact->describe(options);
  ASSERT_TRUE(node.has_value()) << to_string(node.error());
  std::string text = text_of_file(expected);
  if (!text.empty() && text.back() != '\n') text += '\n';
  EXPECT_EQ(render::to_text(*node, {}), text) << file;
}

TEST(ParseHef, EveryCase) {
  int seen = 0;
  for (const HefCase& c : cases()) {
    if (!fs::exists(c.folder / "parse-hef.txt")) continue;
    expect_parse_hef(c.folder / "model.hef", c.folder / "parse-hef.txt");
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST(ParseHef, RealFiles) {
  const auto files = real_files();
  if (files.empty()) GTEST_SKIP() << "the real files are not part of the project";
  for (const auto& file : files) expect_parse_hef(file.string() + ".hef", file.string() + ".parse-hef.txt");
}

void expect_map_without_holes(const fs::path& file) {
  auto artifact = open_file(file);
  ASSERT_TRUE(artifact);
  auto map = artifact->map();
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->unexplained_bytes(), 0u) << file;
  std::uint64_t covered = 0;
  for (const MapSpan& span : map->spans()) {
    EXPECT_LE(span.offset, covered) << file << ": hole before " << span.name;
    covered = std::max(covered, span.offset + span.size);
  }
  EXPECT_EQ(covered, artifact->bytes().size()) << file;
}

TEST(Map, CoversEveryByte) {
  for (const HefCase& c : cases())
    if (c.valid()) expect_map_without_holes(c.folder / "model.hef");
  for (const auto& file : real_files()) expect_map_without_holes(file.string() + ".hef");
}

TEST(Map, SurvivesEveryCase) {
  for (const HefCase& c : cases()) {
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    auto map = artifact->map();
    ASSERT_TRUE(map.has_value());
    for (const MapSpan& span : map->spans())
      EXPECT_LE(span.offset + span.size, artifact->bytes().size()) << c.name << " " << span.name;
  }
}

TEST(Disassembly, CountsAgreeWithTheFacts) {
  for (const HefCase& c : cases()) {
    if (!c.expect.contains("facts")) continue;
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    auto node = artifact->disassemble({});
    ASSERT_TRUE(node.has_value()) << c.name;
    const auto json = nlohmann::json::parse(render::dump(render::to_json(*node)));
    const auto& groups = c.expect["facts"]["network_groups"];
    ASSERT_EQ(json["network_groups"].size(), groups.size()) << c.name;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& listed = json["network_groups"][g];
      EXPECT_EQ(listed["preliminary"]["actions"], groups[g]["preliminary"]["actions"]) << c.name;
      EXPECT_EQ(listed["preliminary"]["operations"].size(), groups[g]["preliminary"]["operations"]) << c.name;
      for (std::size_t i = 0; i < groups[g]["contexts"].size(); ++i) {
        EXPECT_EQ(listed["contexts"][i]["actions"], groups[g]["contexts"][i]["actions"]) << c.name;
        EXPECT_EQ(listed["contexts"][i]["triggers"], groups[g]["contexts"][i]["triggers"]) << c.name;
      }
    }
  }
}

// Every action and trigger of the schema, as the specification's table writes them.
TEST(Disassembly, Mnemonics) {
  auto artifact = open_file(npubin::test::best_data("hef/cases") / "actions_all_v0__s41" / "model.hef");
  ASSERT_TRUE(artifact);
  auto node = artifact->disassemble({});
  ASSERT_TRUE(node.has_value());
  const std::string text = render::to_text(*node, {});
  for (const char* line :
       {"lcu.off    0,1",
        "ccw        0,1024 bytes",
        "cfg.wait   0",
        "seq.wait   0",
        "lcu.on     0,0,0,[0x7,5]",
        "lcu.batch  1,1,0",
        "nms.on     0,0,4,8,1",
        "st32       [0x10a4],0x4030201,0xffffffff,3",
        "st32.batch [0x2000],0xffff,0,0",
        "sleep      1041",
        "halt",
        "nop",
        "wait.nms 1,2,3,4,5,6",
        "wait.dmaidle 5",
        "wait.lcu 1,9",
        "wait.out 1",
        "in.go      0,boundary",
        "cfg.go     0",
        "ch.off",
        "seq.start  0,l3=(2,0x100),apu=0xff,ia=0xf,sc=0xffff,l2=0xfff,l2w=0x0/0x40/0x80/0xc0"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace npubin::hef::test
