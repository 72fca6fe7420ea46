// Every stream of the collection: it lists, assembles back to the same words, and checks clean.
#include "streams.h"

#include <fmt/format.h>

#include "ethosu/check.h"
#include "ethosu/listing.h"
#include "ethosu/raw_listing.h"

namespace npubin::ethosu {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(Streams, AssembleBackToTheSameWords) {
  std::size_t count = 0;
  for (const auto& file : test::compiled_files()) {
    const auto artifact = test::open(file);
    ASSERT_TRUE(artifact);
    for (const Job& job : test::jobs_of(*artifact)) {
      const auto words = assemble(joined(raw_listing(job.words)));
      ASSERT_TRUE(words.has_value()) << file << to_string(words.error());
      EXPECT_EQ(*words, job.words) << file;
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
  std::printf("[   INFO   ] %zu streams\n", count);
}

TEST(Streams, CheckClean) {
  std::size_t count = 0;
  for (const auto& file : test::compiled_files()) {
    const auto artifact = test::open(file);
    ASSERT_TRUE(artifact);
    for (const Job& job : test::jobs_of(*artifact)) {
      Diagnostics findings;
      check_job(job, findings);
      for (const Diagnostic& f : findings.findings())
        ADD_FAILURE() << file << " word " << f.where.word_offset.value_or(0) << ": " << f.message << " ["
                      << f.code << "]";
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
}

TEST(Streams, ListInFull) {
  for (const auto& file : test::compiled_files()) {
    const auto artifact = test::open(file);
    ASSERT_TRUE(artifact);
    for (const Job& job : test::jobs_of(*artifact)) {
      DisasmOptions json;
      json.json = true;
      const Node node = list_job(job, json);
      ASSERT_EQ(node.children.size(), 1u) << file << ": unknown commands";
      std::size_t operations = 0;
      OperationReader reader(job.words);
      while (reader.next()) ++operations;
      EXPECT_EQ(node.children[0].children.size(), operations) << file;
      const Node text = list_job(job, {});
      EXPECT_GT(text.children.at(0).lines.size(), operations) << file;
    }
  }
}

TEST(Assembler, KeepsBitsThatBelongToNoField) {
  const std::vector<std::uint32_t> words = {0x80000101u, 0x12344000u, 0xDEADBEEFu, 0x000040FEu,
                                            7u,          0xFFFF8004u, 0x00004005u};
  const auto lines = raw_listing(words);
  const auto again = assemble(joined(lines));
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(*again, words);
}

TEST(Assembler, ListsAsTheRegisterDescriptionSpells) {
  const std::vector<std::uint32_t> words = {0x0000010Bu, 0x00410105u, 0x00FF4005u, 0xFFFFF000u};
  EXPECT_EQ(joined(raw_listing(words)),
            "0x000000: NPU_SET_IFM_HEIGHT0_M1 height_m1=0\n"
            "0x000004: NPU_SET_IFM_PRECISION activation_type=SIGNED activation_precision=B8 "
            "activation_format=NHCWB16 scale_mode=OPA_OPB_16 round_mode=DBL\n"
            "0x000008: NPU_SET_IFM_STRIDE_Y addr=0xfffffff000\n");
}

TEST(Assembler, RefusesWithTheLine) {
  for (const char* text :
       {"NPU_OP_STOP mask=0xffff\nNPU_NOTHING\n", "NPU_OP_STOP\nNPU_OP_DMA_WAIT k=16\n",
        "NPU_OP_STOP\n0x000008: NPU_OP_STOP\n", "NPU_OP_STOP\nUNKNOWN word1=3\n",
        "NPU_OP_STOP\nNPU_OP_POOL pooling_mode=MEDIAN\n", "NPU_OP_STOP\nNPU_OP_POOL pooling_mode\n"}) {
    const auto words = assemble(text);
    ASSERT_FALSE(words.has_value()) << text;
    EXPECT_EQ(words.error().where.line, 2u) << text;
  }
}

}  // namespace
}  // namespace npubin::ethosu
