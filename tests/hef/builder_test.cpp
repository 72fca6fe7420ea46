// A HEF from nothing, and what the wire walker costs on hostile documents.
#include <gtest/gtest.h>

#include "formats/hef/builder.h"
#include "formats/hef/listing.h"
#include "formats/hef/proto_patch.h"
#include "hef_cases.h"
#include "support/work_limit.h"

namespace npubin::hef::test {
namespace {

StreamSpec output(std::string name, Shape3 shape, std::uint32_t sys_index) {
  StreamSpec out;
  out.name = std::move(name);
  out.direction = Direction::DeviceToHost;
  out.shape = shape;
  out.padded = {shape.height, (shape.width + 7) / 8 * 8, shape.features};
  out.format = 1;
  out.sys_index = sys_index;
  return out;
}

HefBuilder detector() {
  HefBuilder builder;
  StreamSpec input;
  input.name = "net/in";
  input.shape = {64, 64, 3};
  builder.network("net")
      .stream(input)
      .stream(output("net/reg", {8, 8, 64}, 1))
      .stream(output("net/cls", {8, 8, 4}, 2));
  YoloV8Spec op;
  op.output = "net/detections";
  op.classes = 4;
  op.max_proposals_per_class = 10;
  op.image_height = op.image_width = 64;
  op.levels = {{"net/reg", "net/cls", 8}};
  return builder.post_processing(op);
}

TEST(Builder, WritesValidFilesOfEveryVersion) {
  for (std::uint32_t version = 0; version <= 3; ++version) {
    HefBuilder builder = detector();
    builder.header_version(version);
    if (version > 0) builder.config_words(std::vector<std::byte>(3000, std::byte{7}));
    auto bytes = builder.build();
    ASSERT_TRUE(bytes.has_value()) << to_string(bytes.error());
    auto artifact = open_bytes(Bytes::own(*bytes));
    ASSERT_TRUE(artifact);
    Diagnostics findings;
    artifact->validate({}, findings);
    for (const Diagnostic& finding : findings.findings())
      EXPECT_EQ(finding.severity, Severity::Info) << version << ": " << finding.message;
    const NetworkGroup& group = artifact->model().groups.front();
    ASSERT_EQ(group.vstreams.size(), 2u);
    EXPECT_EQ(group.vstreams[1].name, "net/detections");
    EXPECT_EQ(group.vstreams[1].frame_size, 4u * (1 + 5 * 10) * 4);
    EXPECT_EQ(group.ops.front().decoders.front().reg, "net/reg");
  }
}

TEST(Builder, RefusesConfigWordsInVersion0) {
  EXPECT_FALSE(HefBuilder().header_version(0).config_words(std::vector<std::byte>(8)).build().has_value());
}

Bytes wrapped(std::vector<std::byte> proto) {
  Parts parts;
  parts.proto = std::move(proto);
  auto bytes = assemble(parts);
  return Bytes::own(bytes.value_or(std::vector<std::byte>{}));
}

// Documents that would make a careless reader slow or large: each within a second.
TEST(Hostile, CostNothing) {
  std::vector<std::vector<std::byte>> documents;
  // A million network groups without content.
  std::vector<std::byte> many;
  for (int i = 0; i < 1000000; ++i) put_delimited(many, 2, {});
  documents.push_back(std::move(many));
  // One group with a hundred thousand boundary streams, operators and pad edges.
  MessageWriter metadata, group;
  MessageWriter edge;
  edge.message(3, MessageWriter().message(2, MessageWriter().number(1, 4294967295u))).number(7, 1);
  for (int i = 0; i < 100000; ++i) metadata.message(2, edge);
  group.message(3, MessageWriter().message(3, metadata));
  for (int i = 0; i < 50000; ++i) {
    group.message(8, MessageWriter().message(2, MessageWriter().number(1, 5)));
    group.message(9, MessageWriter().number(1, 1).number(2, 5));
  }
  documents.push_back(MessageWriter().message(2, group).message(5, MessageWriter().number(1, 13)).data());
  // Nested to the limit and beyond it.
  MessageWriter nested;
  for (int i = 0; i < 5000; ++i) nested = MessageWriter().message(5, MessageWriter().message(2, nested));
  documents.push_back(MessageWriter().message(2, nested).data());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const npubin::test::WorkLimit limit(1.0);
    auto artifact = open_bytes(wrapped(documents[i]));
    ASSERT_TRUE(artifact);
    Diagnostics findings;
    artifact->validate({}, findings);
    EXPECT_TRUE(findings.has_errors()) << i;
  }
}

}  // namespace
}  // namespace npubin::hef::test
