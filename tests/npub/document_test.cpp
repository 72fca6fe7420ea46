// .npub documents: the golden, the loader's codes, and what check says beyond them.
#include "formats/npub/document.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/data.h"

namespace npubin::npub {
namespace {

std::vector<std::byte> golden() {
  const Bytes bytes = test::read_bytes(test::best_data("npub") / "addk_fake.npub");
  return {bytes.span().begin(), bytes.span().end()};
}

void set_word(std::vector<std::byte>& blob, std::size_t word, std::uint32_t value) {
  store(blob.data() + word * 4, value);
}

// The checksum of an edited blob, so that a later check is reached.
void seal(std::vector<std::byte>& blob) {
  set_word(blob, 7, fnv1a(ByteSpan(blob).subspan(32, load<std::uint32_t>(blob.data() + 8) - 32)));
}

std::vector<Diagnostic> check(std::vector<std::byte> blob, const CheckOptions& options = {}) {
  const auto document = Document::read(Bytes::own(std::move(blob)), {});
  Diagnostics findings;
  document->validate(options, findings);
  return findings.findings();
}

bool has(const std::vector<Diagnostic>& findings, std::string_view code) {
  return std::any_of(findings.begin(), findings.end(),
                     [code](const Diagnostic& f) { return f.code == code; });
}

TEST(Npub, TheGoldenIsKnownToTheByte) {
  const auto blob = golden();
  ASSERT_EQ(blob.size(), 228u);
  const auto document = Document::read(Bytes::own(std::vector<std::byte>(blob)), {});
  EXPECT_EQ(document->header()->checksum, 0x410E1D47u);
  EXPECT_EQ(fnv1a(ByteSpan(blob).subspan(32)), 0x410E1D47u);
  const auto stand_in = document->stand_in();
  ASSERT_TRUE(stand_in);
  EXPECT_EQ(stand_in->kind, StandIn::Kind::AddConstant);
  EXPECT_EQ(stand_in->source, 1u);
  EXPECT_EQ(stand_in->destination, 2u);
  EXPECT_EQ(stand_in->count, 64u);
  EXPECT_EQ(stand_in->constant, 17u);
  EXPECT_EQ(document->arena_bytes(), 64u);
  const auto written = document->write();
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, blob);
  const auto job = document->job();
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().kind, ErrorKind::Refused);
}

TEST(Npub, TheGoldenIsMisalignedAndSaysSo) {
  const auto findings = check(golden());
  EXPECT_TRUE(has(findings, "NPB-0204"));
  EXPECT_TRUE(has(findings, "NPB-0209"));
  for (const Diagnostic& f : findings) EXPECT_NE(f.severity, Severity::Error) << f.message;
}

struct Fault {
  const char* name;
  void (*plant)(std::vector<std::byte>&);
  const char* code;
  LoaderStatus status;
};

const Fault kFaults[] = {
    {"short", [](auto& b) { b.resize(31); }, "NPB-0101", LoaderStatus::InvalidSize},
    {"empty", [](auto& b) { b.clear(); }, "NPB-0101", LoaderStatus::InvalidSize},
    {"magic", [](auto& b) { b[0] = std::byte{'n'}; }, "NPB-0102", LoaderStatus::InvalidArg},
    {"version", [](auto& b) { set_word(b, 1, 2); }, "NPB-0103", LoaderStatus::InvalidArg},
    {"total", [](auto& b) { set_word(b, 2, 229); }, "NPB-0104", LoaderStatus::OutOfRange},
    {"cut", [](auto& b) { b.pop_back(); }, "NPB-0104", LoaderStatus::OutOfRange},
    {"regions", [](auto& b) { set_word(b, 3, 9); }, "NPB-0105", LoaderStatus::InvalidArg},
    {"no commands", [](auto& b) { set_word(b, 5, 0); }, "NPB-0106", LoaderStatus::InvalidSize},
    {"command end", [](auto& b) { set_word(b, 5, 149); }, "NPB-0107", LoaderStatus::OutOfRange},
    {"command wraps", [](auto& b) { set_word(b, 4, 0xFFFFFFF0u); }, "NPB-0107", LoaderStatus::OutOfRange},
    {"table",
     [](auto& b) {
       set_word(b, 2, 80);
       set_word(b, 3, 4);
       set_word(b, 4, 32);
     },
     "NPB-0108", LoaderStatus::OutOfRange},
    {"checksum", [](auto& b) { b[227] ^= std::byte{1}; }, "NPB-0109", LoaderStatus::ChecksumMismatch},
    {"baked",
     [](auto& b) {
       set_word(b, 8 + 2, 129);
       seal(b);
     },
     "NPB-0110", LoaderStatus::OutOfRange},
    {"baked wraps",
     [](auto& b) {
       set_word(b, 8 + 3, 0xFFFFFFFFu);
       seal(b);
     },
     "NPB-0110", LoaderStatus::OutOfRange},
};

TEST(Npub, LoaderChecksInOrder) {
  for (const Fault& fault : kFaults) {
    auto blob = golden();
    fault.plant(blob);
    const auto findings = check(blob);
    std::size_t loader = 0;
    for (const Diagnostic& f : findings) {
      if (f.stage != Stage::Loader) continue;
      ++loader;
      EXPECT_EQ(f.code, fault.code) << fault.name << ": " << f.message;
      EXPECT_EQ(f.vendor.name, to_string(fault.status)) << fault.name;
    }
    EXPECT_EQ(loader, 1u) << fault.name;
  }
}

TEST(Npub, TheArenaCountsPadding) {
  auto blob = golden();
  set_word(blob, 8 + 1, 0);  // region 0 becomes run-time memory of 65 bytes before region 2
  set_word(blob, 8 + 2, 65);
  seal(blob);
  const auto document = Document::read(Bytes::own(std::vector<std::byte>(blob)), {});
  EXPECT_EQ(document->arena_bytes(), 80u + 64u);
  CheckOptions options;
  options.context.emplace("arena", "143");
  EXPECT_TRUE(has(check(blob, options), "NPB-0111"));
  options.context.clear();
  options.context.emplace("arena", "144");
  EXPECT_FALSE(has(check(blob, options), "NPB-0111"));
}

TEST(Npub, WarningsBeyondTheLoader) {
  const Fault kOurs[] = {
      {"trailing", [](auto& b) { b.push_back(std::byte{7}); }, "NPB-0201", LoaderStatus::Ok},
      {"odd", [](auto& b) { set_word(b, 5, 18); }, "NPB-0202", LoaderStatus::Ok},
      {"stream at 4", [](auto& b) { set_word(b, 4, 0x54); }, "NPB-0203", LoaderStatus::Ok},
      {"role",
       [](auto& b) {
         set_word(b, 8, 5);
         seal(b);
       },
       "NPB-0205", LoaderStatus::Ok},
      {"flag",
       [](auto& b) {
         set_word(b, 9, 0x81);
         seal(b);
       },
       "NPB-0206", LoaderStatus::Ok},
      {"overlap",
       [](auto& b) {
         set_word(b, 15, 0x60);
         seal(b);
       },
       "NPB-0207", LoaderStatus::Ok},
      {"over the header", [](auto& b) { set_word(b, 4, 16); }, "NPB-0207", LoaderStatus::Ok},
      {"accel", [](auto& b) { set_word(b, 6, 512); }, "NPB-0208", LoaderStatus::Ok},
  };
  for (const Fault& fault : kOurs) {
    auto blob = golden();
    fault.plant(blob);
    const auto findings = check(blob);
    EXPECT_TRUE(has(findings, fault.code)) << fault.name;
    for (const Diagnostic& f : findings) EXPECT_NE(f.stage, Stage::Loader) << fault.name << ": " << f.message;
  }
}

TEST(Npub, EveryByteIsExplained) {
  const auto document = Document::read(Bytes::own(golden()), {});
  const auto map = document->map();
  ASSERT_TRUE(map);
  EXPECT_EQ(map->unexplained_bytes(), 0u);
  auto blob = golden();
  blob.insert(blob.end(), 3, std::byte{1});
  EXPECT_EQ(Document::read(Bytes::own(blob), {})->map()->unexplained_bytes(), 3u);
}

TEST(NpubInterface, ReadsBothForms) {
  const auto plain = read_interface(
      R"({"region_of_io": 1, "inputs": [{"name": "a", "offset": 16, "shape": [1, 4]}], "outputs": []})", "x");
  ASSERT_TRUE(plain) << to_string(plain.error());
  EXPECT_EQ(plain->inputs[0].region, 1u);
  EXPECT_EQ(plain->inputs[0].type, DType::I8);
  Interface full = *plain;
  full.outputs.push_back({"b", 1, 32, DType::I16, {2, 3}, Quantization::per_tensor(0.1f, -3)});
  const std::string json = write_interface(full, {"ethos-u55-256", "raw", {{0, "weights", true, 16}}});
  const auto again = read_interface(json, "x");
  ASSERT_TRUE(again) << json;
  EXPECT_EQ(again->outputs[0].quantization, full.outputs[0].quantization);
  EXPECT_EQ(again->outputs[0].shape, full.outputs[0].shape);
  const Bytes region = Bytes::own(to_trailing_region(json));
  EXPECT_EQ(region.size() % 16, 0u);
  EXPECT_EQ(from_trailing_region(region), json);
}

TEST(NpubInterface, RefusesBrokenOnesByMember) {
  for (const char* json : {"", "[]", "{}", R"({"inputs": [], "outputs": [{}]})",
                           R"({"inputs": [{"offset": -1, "shape": []}], "outputs": []})",
                           R"({"inputs": [{"offset": 0, "shape": [-1]}], "outputs": []})",
                           R"({"inputs": [{"offset": 0, "shape": [9223372036854775807, 3]}], "outputs": []})",
                           R"({"inputs": [{"offset": 0, "shape": [1], "dtype": "float32"}], "outputs": []})",
                           R"({"inputs": [{"offset": 0, "shape": [1], "region": 8}], "outputs": []})",
                           R"({"inputs": [{"offset": 0, "shape": [1], "scale": "x"}], "outputs": []})"}) {
    const auto interface = read_interface(json, "io.json");
    ASSERT_FALSE(interface) << json;
    EXPECT_EQ(interface.error().code, "NPB-0301");
  }
}

}  // namespace
}  // namespace npubin::npub
