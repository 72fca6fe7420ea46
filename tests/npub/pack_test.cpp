// pack, unpack and the descriptor: the bytes that come out.
#include "convert/vela_to_npub.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "support/data.h"

namespace npubin::npub {
namespace {

namespace fs = test::fs;

std::string hex(ByteSpan bytes) {
  std::string out;
  for (const std::byte b : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(b));
  return out;
}

std::vector<std::byte> copy(const Bytes& bytes) {
  return {bytes.span().begin(), bytes.span().end()};
}

Result<convert::PackedModel> pack(const fs::path& file, const convert::NpubOptions& options = {}) {
  const auto artifact = open_artifact(file.string());
  EXPECT_TRUE(artifact) << file;
  return convert::to_npub(dynamic_cast<const tflite::TfliteDocument&>(**artifact), options);
}

TEST(Descriptor, GivesTheGoldenToTheByte) {
  const Bytes golden = test::read_bytes(test::best_data("npub") / "addk_fake.npub");
  const std::string json = fmt::format(
      R"({{"schema": "npubin.parts/1", "accel": 256, "align": 1,
          "command_stream": {{"stand_in": {{"kind": "add", "source": 1, "destination": 2, "count": 64, "constant": 17}}}},
          "regions": [{{"role": "weights", "hex": "{}"}}, {{"role": "input", "hex": "{}"}}, {{"role": "output", "size": 64}}]}})",
      hex(golden.slice(100, 64).span()), hex(golden.slice(164, 64).span()));
  const auto parts = read_parts(json, "d.json", ".");
  ASSERT_TRUE(parts) << to_string(parts.error());
  const auto blob = assemble_blob(*parts);
  ASSERT_TRUE(blob) << to_string(blob.error());
  EXPECT_EQ(*blob, copy(golden));
}

TEST(Unpack, PackOfThePartsGivesTheSameBytes) {
  std::size_t count = 0;
  for (const char* folder : {"npub", "nets/cases", "face"}) {
    if (!fs::exists(test::best_data(folder))) continue;
    for (const auto& entry : fs::recursive_directory_iterator(test::best_data(folder))) {
      if (entry.path().extension() != ".npub") continue;
      const Bytes original = test::read_bytes(entry.path());
      auto blob = copy(original);
      if (count % 2 == 1)
        blob.insert(blob.end(), {std::byte{9}, std::byte{0}, std::byte{0}});  // trailing bytes stay
      const auto document = Document::read(Bytes::own(std::vector<std::byte>(blob)), {});
      const auto files = take_apart(*document);
      ASSERT_TRUE(files) << to_string(files.error());
      const test::TemporaryFolder scratch;
      std::string json;
      for (const NamedBytes& file : *files) {
        ASSERT_TRUE(write_file((scratch.path() / file.name).string(), file.bytes.span()));
        if (file.name == "parts.json") json = file.bytes.text();
      }
      const auto parts = read_parts(json, "parts.json", scratch.path().string());
      ASSERT_TRUE(parts) << to_string(parts.error());
      const auto again = assemble_blob(*parts);
      ASSERT_TRUE(again) << to_string(again.error());
      EXPECT_EQ(*again, blob) << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, 4u);
}

// Every fully mapped case packs; where the collection has the blob, byte for byte.
TEST(Pack, EveryFullyMappedCase) {
  std::size_t packed = 0, identical = 0, refused = 0;
  for (const auto& folder : test::case_folders(test::best_data("nets/cases")))
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".tflite" || name == "model.tflite") continue;
      const auto model = pack(entry.path());
      // What stays on the CPU does not depend on the configuration; some entries leave it out.
      const auto configs = test::read_json(folder / "case.json")["configs"];
      auto facts = configs[entry.path().stem().string()];
      if (!facts.contains("cpu_ops")) facts["cpu_ops"] = configs["u55-256"]["cpu_ops"];
      const bool mapped = facts["cpu_ops"].empty() && facts.value("ethosu_ops", 1) == 1;
      if (!mapped) {
        ASSERT_FALSE(model) << entry.path();
        EXPECT_EQ(model.error().kind, ErrorKind::Refused) << to_string(model.error());
        ++refused;
        continue;
      }
      ASSERT_TRUE(model) << entry.path() << to_string(model.error());
      const auto blob = assemble_blob(model->parts);
      ASSERT_TRUE(blob) << to_string(blob.error());
      const auto document = Document::read(Bytes::own(std::vector<std::byte>(*blob)), {});
      Diagnostics findings;
      document->validate({}, findings);
      for (const Diagnostic& f : findings.findings()) ADD_FAILURE() << entry.path() << ": " << f.message;
      ++packed;
      const fs::path twin = folder / (entry.path().stem().string() + ".npub");
      if (!fs::exists(twin)) continue;
      EXPECT_EQ(*blob, copy(test::read_bytes(twin))) << twin;
      ++identical;
    }
  std::printf("[   INFO   ] %zu packed, %zu of them identical to the collection's, %zu refused\n", packed,
              identical, refused);
  EXPECT_GE(identical, 2u);
}

TEST(Pack, SidecarAndTrailingRegionSayTheSame) {
  const fs::path file = test::best_data("nets/cases") / "kws_ds_49x10" / "u55-64.tflite";
  convert::NpubOptions options;
  options.describe = true;
  options.cop1 = true;
  const auto model = pack(file, options);
  ASSERT_TRUE(model) << to_string(model.error());
  const auto blob = assemble_blob(model->parts);
  ASSERT_TRUE(blob);
  const auto document = Document::read(Bytes::own(std::vector<std::byte>(*blob)), {});
  EXPECT_TRUE(document->is_cop1());
  Diagnostics findings;
  document->validate({}, findings);
  for (const Diagnostic& f : findings.findings()) ADD_FAILURE() << f.message;
  const auto inside = document->interface();
  const auto beside = read_interface(model->sidecar, "sidecar");
  ASSERT_TRUE(inside && beside);
  ASSERT_EQ(inside->inputs.size(), beside->inputs.size());
  EXPECT_EQ(inside->inputs[0].offset, beside->inputs[0].offset);
  const auto expected = test::read_json(file.parent_path() / "io-u55-64.json");
  EXPECT_EQ(inside->inputs[0].offset, expected["inputs"][0]["offset"].get<std::uint64_t>());
  EXPECT_EQ(inside->outputs[0].offset, expected["outputs"][0]["offset"].get<std::uint64_t>());
  const auto job = document->job();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->inputs.size(), 1u);
}

TEST(Pack, RefusesAnotherAccelerator) {
  convert::NpubOptions options;
  options.accelerator = ethosu::Accelerator::U55_128;
  const auto model = pack(test::best_data("nets/cases") / "kws_ds_49x10" / "u55-64.tflite", options);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind, ErrorKind::Usage);
}

TEST(Descriptor, RefusesBrokenOnesByMember) {
  for (const char* json :
       {"", "[]", R"({"regions": []})", R"({"command_stream": {}, "regions": []})",
        R"({"command_stream": {"hex": "0"}, "regions": []})",
        R"({"command_stream": {"hex": "0g"}, "regions": []})",
        R"({"command_stream": {"words": [4294967296]}, "regions": []})",
        R"({"command_stream": {"words": [1]}, "regions": [{"role": "tea", "size": 1}]})",
        R"({"command_stream": {"words": [1]}, "regions": [{"role": 0, "size": 2, "hex": "00"}]})",
        R"({"command_stream": {"words": [1]}, "regions": [{"role": 0, "flags": 1, "size": 2}]})"}) {
    const auto parts = read_parts(json, "d.json", ".");
    ASSERT_FALSE(parts) << json;
    EXPECT_EQ(parts.error().code, "NPB-0304") << json;
  }
}

}  // namespace
}  // namespace npubin::npub
