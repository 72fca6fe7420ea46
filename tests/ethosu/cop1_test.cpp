#include "ethosu/cop1.h"

#include <gtest/gtest.h>

#include "ethosu/accelerator.h"
#include "ethosu/copies.h"

namespace npubin::ethosu {
namespace {

std::vector<std::string> codes_of(const Diagnostics& findings) {
  std::vector<std::string> out;
  for (const Diagnostic& f : findings.findings()) out.push_back(f.code);
  return out;
}

std::vector<std::byte> payload(std::initializer_list<std::uint32_t> words) {
  return bytes_of(std::vector<std::uint32_t>(words));
}

TEST(Cop1, WritesWhatItReads) {
  const std::vector<std::uint32_t> words = {0x00000107, 0xFFFF0000};
  for (const Configuration& c : kConfigurations) {
    const auto bytes = write_cop1(words, c.accelerator);
    ASSERT_TRUE(bytes);
    Diagnostics findings;
    const auto read = read_cop1(*bytes, 0, findings);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_TRUE(findings.findings().empty());
    EXPECT_EQ(read->words, words);
    EXPECT_EQ(read->stream_word % 4, 0u);
    EXPECT_EQ(read->config->macs(), c.macs);
    EXPECT_EQ(read->config->shram_kib() * 1024, c.shram_bytes);
    EXPECT_EQ(read->config->arch_minor(), 0u);
    EXPECT_EQ(read->config->arch_patch(), 6u);
  }
}

TEST(Cop1, FindsWhatTheDriverRefuses) {
  struct Row {
    std::vector<std::byte> bytes;
    const char* code;
  };
  auto odd = payload({kCop1, 5, 5, 0x00010002, 0xFFFF0000});
  odd.push_back(std::byte{0});
  const Row rows[] = {
      {odd, "ETU-0001"},
      {payload({kCop1, 0x00100001, 0x10003008}), "ETU-0004"},
      {payload({kCop1, 0x00100001, 0x10003008, 0x10060000, 5, 5, 5, 0x00010002, 0xFFFF0000}), "ETU-0005"},
      {payload({kCop1, 0x00100001, 0x00001008, 0x10060000, 5, 5, 5, 0x00010002, 0xFFFF0000}), "ETU-0006"},
      {payload({kCop1, 0x00100001, 0x00003009, 0x10060000, 5, 5, 5, 0x00010002, 0xFFFF0000}), "ETU-0006"},
      {payload({kCop1, 0x00100001, 0x00003008, 0x20060000, 5, 5, 5, 0x00010002, 0xFFFF0000}), "ETU-0007"},
      {payload({kCop1, 5, 5, 0x00020002, 0xFFFF0000}), "ETU-0008"},
      {payload({kCop1, 5, 0x00010002, 0xFFFF0000}), "ETU-0009"},
  };
  for (const Row& row : rows) {
    Diagnostics findings;
    (void)read_cop1(row.bytes, 0, findings);
    const auto codes = codes_of(findings);
    EXPECT_EQ(codes, std::vector<std::string>{row.code});
  }
}

TEST(Cop1, RefusesByName) {
  Diagnostics findings;
  const auto cop2 = read_cop1(payload({kCop2, 1, 2}), 0, findings);
  ASSERT_FALSE(cop2);
  EXPECT_EQ(cop2.error().kind, ErrorKind::Refused);
  EXPECT_NE(cop2.error().message.find("COP2"), std::string::npos);
  EXPECT_EQ(read_cop1(payload({1, 2}), 0, findings).error().code, "ETU-0012");
  EXPECT_EQ(read_cop1(payload({kCop1, 7}), 0, findings).error().code, "ETU-0002");
  EXPECT_EQ(read_cop1(payload({kCop1, 5, 5}), 0, findings).error().code, "ETU-0003");
}

Dma transfer(std::uint8_t from, std::uint64_t source, std::uint8_t to, std::uint64_t destination,
             std::uint64_t length) {
  Dma dma;
  dma.source_region = from;
  dma.source = source;
  dma.destination_region = to;
  dma.destination = destination;
  dma.length = length;
  return dma;
}

TEST(Copies, FollowTransfersBackAndForgetWhatIsOverwritten) {
  Copies copies;
  copies.record(transfer(0, 1000, 1, 0, 100), 1);
  copies.record(transfer(1, 20, 2, 500, 40), 2);  // a copy of a copy
  const auto chained = copies.origin({2, 510, 530});
  ASSERT_TRUE(chained);
  EXPECT_EQ(chained->bytes.space, 0);
  EXPECT_EQ(chained->bytes.begin, 1030);
  EXPECT_EQ(chained->operation, 2u);
  copies.record(transfer(0, 5000, 1, 30, 10), 3);
  EXPECT_FALSE(copies.origin({1, 0, 40}));  // two transfers
  EXPECT_EQ(copies.origin({1, 0, 30})->bytes.begin, 1000);
  EXPECT_EQ(copies.origin({1, 30, 40})->bytes.begin, 5000);
  EXPECT_EQ(copies.origin({1, 40, 100})->bytes.begin, 1040);
  EXPECT_FALSE(copies.origin({1, 90, 101}));
  copies.record(transfer(0, 9000, 1, 0, 200), 4);
  EXPECT_EQ(copies.origin({1, 35, 60})->bytes.begin, 9035);
}

}  // namespace
}  // namespace npubin::ethosu
