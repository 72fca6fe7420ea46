// Unchanged writes, edits that change only what was asked, header versions, stripping.
#include <gtest/gtest.h>

#include "artifact/description_diff.h"
#include "formats/hef/rewrite.h"
#include "hef_cases.h"

namespace npubin::hef::test {
namespace {

std::vector<std::byte> bytes_of(const HefArtifact& artifact) {
  const ByteSpan file = artifact.bytes().span();
  return {file.begin(), file.end()};
}

bool clean(const HefArtifact& artifact) {
  Diagnostics out;
  artifact.validate({}, out);
  return !out.has_errors();
}

std::vector<DescriptionDifference> difference(const HefArtifact& a, const HefArtifact& b) {
  DescribeOptions options;
  options.json = true;
  auto left = a.describe(options), right = b.describe(options);
  EXPECT_TRUE(left.has_value() && right.has_value());
  if (!left || !right) return {};
  return diff_descriptions(*left, *right, derived_paths());
}

std::unique_ptr<HefArtifact> case_file(const char* name) {
  return open_file(npubin::test::best_data("hef/cases") / name / "model.hef");
}

TEST(Write, UnchangedIsTheSameBytes) {
  for (const HefCase& c : cases()) {
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    auto written = artifact->write();
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(*written, bytes_of(*artifact)) << c.name;
    if (!c.valid()) continue;
    // Taken apart and put together again: the same bytes, every version.
    const Section proto = artifact->container().proto;
    const ByteSpan file = artifact->bytes().span().subspan(proto.offset, proto.size);
    auto again = reassemble(*artifact, {file.begin(), file.end()});
    ASSERT_TRUE(again.has_value()) << c.name << ": " << to_string(again.error());
    EXPECT_EQ(*again, bytes_of(*artifact)) << c.name;
  }
}

TEST(Edit, ThresholdsChangeNothingElse) {
  int edited = 0;
  for (const HefCase& c : cases()) {
    if (!c.valid() || !c.expect.contains("facts")) continue;
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    auto result = edit(*artifact, {{{"nms.score_threshold", "0.4375"}}, {}, {}});
    const auto& ops = artifact->model().groups.front().ops;
    const bool possible = ops.size() == 1 && ops.front().is_nms_op() && !ops.front().bbox_decoding_only;
    EXPECT_EQ(result.has_value(), possible) << c.name;
    if (!result) {
      if (ops.empty()) {
        EXPECT_EQ(result.error().kind, ErrorKind::Refused) << c.name;
      }
      continue;
    }
    ++edited;
    auto after = open_bytes(Bytes::own(result->bytes));
    ASSERT_TRUE(after);
    EXPECT_TRUE(clean(*after)) << c.name;
    const auto differences = difference(*artifact, *after);
    ASSERT_EQ(differences.size(), 1u) << c.name;
    EXPECT_TRUE(differences.front().path.ends_with("score_threshold")) << differences.front().path;
    EXPECT_FLOAT_EQ(after->model().groups.front().ops.front().score_threshold, 0.4375f);
  }
  EXPECT_GT(edited, 5);
}

TEST(Edit, MaximumSaysWhatItDoesToBuffers) {
  auto artifact = case_file("op_yolov8_u8__s82");
  ASSERT_TRUE(artifact);
  auto result = edit(*artifact, {{{"nms.max_proposals_per_class", "300"}}, {}, {}});
  ASSERT_TRUE(result.has_value()) << to_string(result.error());
  auto after = open_bytes(Bytes::own(result->bytes));
  ASSERT_TRUE(after);
  EXPECT_TRUE(clean(*after));
  EXPECT_EQ(after->model().groups.front().ops.front().max_proposals_per_class, 300u);
  EXPECT_EQ(after->model().groups.front().vstreams.back().frame_size, 3u * (1 + 5 * 300) * 4);
  ASSERT_EQ(result->notes.size(), 2u);
  EXPECT_NE(result->notes.back().find("18012"), std::string::npos) << result->notes.back();
  // The config words keep their place behind the zero point.
  EXPECT_EQ(after->container().zero_point % 4096, 0u);
}

TEST(Edit, RenamesAStreamEverywhere) {
  auto artifact = case_file("op_yolov8_u8__s82");
  ASSERT_TRUE(artifact);
  auto result = edit(*artifact, {{}, {{"y8_82/reg0", "boxes"}}, {}});
  ASSERT_TRUE(result.has_value()) << to_string(result.error());
  auto after = open_bytes(Bytes::own(result->bytes));
  ASSERT_TRUE(after);
  EXPECT_TRUE(clean(*after));
  EXPECT_NE(find_leaf(after->model().groups.front(), "boxes"), nullptr);
  EXPECT_EQ(find_leaf(after->model().groups.front(), "y8_82/reg0"), nullptr);
  EXPECT_EQ(after->model().groups.front().ops.front().decoders.front().reg, "boxes");
}

TEST(Edit, RefusesWhatCannotBe) {
  auto artifact = case_file("op_yolov8_u8__s82");
  auto chip = case_file("nms_chip_h8_bbox__s94");
  ASSERT_TRUE(artifact && chip);
  const auto on_chip = edit(*chip, {{{"nms.score_threshold", "0.4"}}, {}, {}});
  ASSERT_FALSE(on_chip.has_value());
  EXPECT_EQ(on_chip.error().kind, ErrorKind::Refused);
  EXPECT_NE(on_chip.error().message.find("on the chip"), std::string::npos);
  for (const auto& [key, value] :
       {std::pair{"nms.score_threshold", "1.5"}, std::pair{"nms.score_threshold", "x"},
        std::pair{"nms.max_proposals_per_class", "0"}, std::pair{"nonsense", "1"}}) {
    const auto bad = edit(*artifact, {{{key, value}}, {}, {}});
    ASSERT_FALSE(bad.has_value()) << key;
    EXPECT_EQ(bad.error().kind, ErrorKind::Usage) << key;
  }
  EXPECT_FALSE(edit(*artifact, {{}, {{"nowhere", "x"}}, {}}).has_value());
  EXPECT_FALSE(edit(*artifact, {{}, {{"y8_82/reg0", "y8_82/cls0"}}, {}}).has_value());
  EXPECT_FALSE(edit(*artifact, {{}, {{"y8_82/reg0", std::string(128, 'a')}}, {}}).has_value());
}

TEST(Edit, KeepsUnknownFields) {
  auto artifact = case_file("bad_unknown_field_nested__s");
  ASSERT_TRUE(artifact);
  ASSERT_GT(artifact->wire().unknown_count, 0u);
  const std::string name = artifact->model().groups.front().streams.back().name;
  auto result = edit(*artifact, {{}, {{name, "renamed"}}, {}});
  ASSERT_TRUE(result.has_value()) << to_string(result.error());
  auto after = open_bytes(Bytes::own(result->bytes));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->wire().unknown_count, artifact->wire().unknown_count);
}

TEST(HeaderVersion, RoundTrips) {
  for (const HefCase& c : cases()) {
    if (!c.valid()) continue;
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    const std::uint32_t own = artifact->container().header.version;
    for (std::uint32_t version = 0; version <= 3; ++version) {
      auto result = rewrite_header_version(*artifact, version);
      const bool resources = !artifact->model().external_resources.empty() && version < 3;
      const bool possible = version == own || (own != 0 && version != 0 && !resources);
      ASSERT_EQ(result.has_value(), possible) << c.name << " to " << version;
      if (!result) {
        EXPECT_EQ(result.error().kind, ErrorKind::Refused);
        continue;
      }
      auto after = open_bytes(Bytes::own(result->bytes));
      ASSERT_TRUE(after);
      EXPECT_EQ(after->container().header.version, version);
      Diagnostics findings;
      after->validate({}, findings);
      for (const Diagnostic& finding : findings.findings())
        if (finding.stage == Stage::Container) ADD_FAILURE() << c.name << ": " << finding.message;
      EXPECT_EQ(after->container().ccws_declared(), artifact->container().ccws_declared());
    }
  }
}

TEST(Strip, DropsConfigWordsAndMapping) {
  for (const HefCase& c : cases()) {
    if (!c.valid()) continue;
    auto artifact = open_file(c.folder / "model.hef");
    ASSERT_TRUE(artifact);
    auto result = strip(*artifact);
    ASSERT_TRUE(result.has_value()) << c.name << ": " << to_string(result.error());
    auto after = open_bytes(Bytes::own(result->bytes));
    ASSERT_TRUE(after && after->readable()) << c.name;
    EXPECT_EQ(after->container().ccws_declared(), 0u) << c.name;
    EXPECT_TRUE(after->model().mapping.empty()) << c.name;
    EXPECT_EQ(after->model().groups.size(), artifact->model().groups.size());
    EXPECT_EQ(after->model().groups.front().vstreams.size(),
              artifact->model().groups.front().vstreams.size());
    EXPECT_FALSE(result->notes.empty());
  }
}

TEST(Rewrite, RefusesDamagedFiles) {
  auto artifact = case_file("bad_checksum_v3_ccws__s");
  ASSERT_TRUE(artifact);
  EXPECT_FALSE(strip(*artifact).has_value());
  EXPECT_FALSE(rewrite_header_version(*artifact, 2).has_value());
}

}  // namespace
}  // namespace npubin::hef::test
