// The embedded loader returns exactly the code that check reports for its loader stage.
#include "npubin/embedded/npub_loader.h"

#include <cstdlib>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "formats/npub/document.h"
#include "support/data.h"

namespace npubin::npub {
namespace {

std::uint32_t loader_code(const Document& document, std::uint64_t arena) {
  Diagnostics findings;
  CheckOptions options;
  options.context.emplace("arena", std::to_string(arena));
  document.validate(options, findings);
  for (const Diagnostic& f : findings.findings())
    if (f.stage == Stage::Loader)
      return static_cast<std::uint32_t>(std::strtoul(f.vendor.code.c_str(), nullptr, 16));
  return NPUB_OK;
}

std::vector<test::fs::path> all_blobs() {
  std::vector<test::fs::path> out;
  for (const char* folder : {"npub", "nets", "face"}) {
    if (!test::fs::exists(test::best_data(folder))) continue;
    for (const auto& entry : test::fs::recursive_directory_iterator(test::best_data(folder)))
      if (entry.path().extension() == ".npub") out.push_back(entry.path());
  }
  return out;
}

void compare(const std::vector<std::byte>& blob, const std::string& name) {
  const auto document = Document::read(Bytes::borrow(blob), {});
  const std::uint64_t need =
      document->header() && document->header()->region_count <= 8 ? document->arena_bytes() : 0;
  if (need > (1u << 24)) return;
  for (const std::uint64_t size : {need, need == 0 ? 0 : need - 1, std::uint64_t{0}}) {
    std::vector<std::uint8_t> arena(size + 1);
    npub_job_t job;
    std::memset(&job, 0xA5, sizeof job);
    npub_job_t untouched = job;
    const std::uint32_t code =
        npub_load(reinterpret_cast<const std::uint8_t*>(blob.data()), blob.size(), arena.data(), size, &job);
    EXPECT_EQ(code, loader_code(*document, size)) << name << " with an arena of " << size;
    if (code == NPUB_OK) continue;
    EXPECT_EQ(std::memcmp(&job, &untouched, sizeof job), 0) << name << ": the job was written to";
  }
}

TEST(EmbeddedLoader, AgreesWithCheckOnEveryFile) {
  std::size_t count = 0;
  for (const auto& file : all_blobs()) {
    const Bytes bytes = test::read_bytes(file);
    compare({bytes.span().begin(), bytes.span().end()}, file.string());
    ++count;
  }
  EXPECT_GT(count, 15u);
}

TEST(EmbeddedLoader, AgreesWithCheckOnDamagedBlobs) {
  const Bytes golden = test::read_bytes(test::best_data("npub") / "addk_fake.npub");
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::byte> blob(golden.span().begin(), golden.span().end());
    for (unsigned n = random() % 3; n < 3; ++n) {
      // Small and huge words, mostly in header and table.
      const std::size_t word = random() % (random() % 4 == 0 ? 57 : 20);
      const std::uint32_t values[] = {static_cast<std::uint32_t>(random()),
                                      static_cast<std::uint32_t>(random() % 256), 0u,
                                      0xFFFFFFFFu - static_cast<std::uint32_t>(random() % 64)};
      store(blob.data() + word * 4, values[random() % 4]);
    }
    if (random() % 2 == 0) {
      const auto total = load<std::uint32_t>(blob.data() + 8);
      if (total >= 32 && total <= blob.size())
        store(blob.data() + 28, fnv1a(ByteSpan(blob).subspan(32, total - 32)));
    }
    if (random() % 4 == 0) blob.resize(random() % blob.size());
    compare(blob, "round " + std::to_string(round));
  }
}

TEST(EmbeddedLoader, BindsRegions) {
  const Bytes golden = test::read_bytes(test::best_data("npub") / "addk_fake.npub");
  const auto* blob = reinterpret_cast<const std::uint8_t*>(golden.data());
  alignas(16) static std::uint8_t arena[64];
  npub_job_t job;
  ASSERT_EQ(npub_load(blob, golden.size(), arena, sizeof arena, &job), NPUB_OK);
  EXPECT_EQ(job.region_count, 3u);
  EXPECT_EQ(job.region[0].base, blob + 100);
  EXPECT_EQ(job.region[1].base, blob + 164);
  EXPECT_EQ(job.region[2].base, arena);
  EXPECT_EQ(job.region[2].baked, 0u);
  EXPECT_EQ(job.commands, blob + 0x50);
  EXPECT_EQ(job.command_bytes, 20u);
  EXPECT_EQ(job.accel, 256u);
  EXPECT_EQ(job.arena_used, 64u);
  EXPECT_EQ(npub_aligned(&job), 0);
  EXPECT_EQ(npub_load(nullptr, 0, arena, 64, &job), NPUB_NULL_POINTER);
  EXPECT_EQ(npub_load(blob, golden.size(), nullptr, 64, &job), NPUB_NULL_POINTER);
  EXPECT_EQ(npub_load(blob, golden.size(), arena, 64, nullptr), NPUB_NULL_POINTER);
}

}  // namespace
}  // namespace npubin::npub
