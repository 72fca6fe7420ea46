#include "ethosu/commands.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ethosu/operation.h"
#include "support/data.h"

namespace npubin::ethosu {
namespace {

std::string as_text(const CommandKind& kind) {
  std::string out = fmt::format("cmd{} 0x{:03x} {}", kind.two_words() ? 1 : 0, kind.opcode(), kind.name);
  const char* separator = "  ";
  for (const CommandField& f : kind.fields) {
    out += fmt::format("{}w{}[{}:{}] {}", separator, f.word, f.high, f.low, f.name);
    separator = "; ";
  }
  return out;
}

TEST(Commands, TableAgreesWithTheRegisterDescription) {
  const auto file = test::full_data("") / ".." / "formats" / "ethos_u55_commands.txt";
  if (test::full_data("").empty() || !std::filesystem::exists(file))
    GTEST_SKIP() << "the register description is not here";
  std::ifstream stream(file);
  std::size_t at = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("cmd", 0) != 0) continue;
    ASSERT_LT(at, command_kinds().size());
    EXPECT_EQ(as_text(command_kinds()[at++]), line);
  }
  EXPECT_EQ(at, command_kinds().size());
}

TEST(Commands, EveryCommandIsFoundByCodeAndByName) {
  for (const CommandKind& kind : command_kinds()) {
    EXPECT_EQ(find_command(kind.code), &kind);
    EXPECT_EQ(find_command(kind.name), &kind);
  }
  EXPECT_EQ(find_command(static_cast<Code>(0x004)), nullptr);
  EXPECT_EQ(find_command(static_cast<Code>(0x4FE)), nullptr);
}

TEST(Commands, DecodesOneAndTwoWords) {
  const std::uint32_t words[] = {0x0007010B, 0x00014000, 0x00001000, 0xFFFF0000, 0x00004005};
  const Command height = decode_command(words, 0);
  EXPECT_TRUE(height.is(Code::SET_IFM_HEIGHT0_M1));
  EXPECT_EQ(height.words, 1);
  EXPECT_EQ(height.param(), 7u);
  const Command base = decode_command(words, 1);
  EXPECT_TRUE(base.is(Code::SET_IFM_BASE0));
  EXPECT_EQ(base.words, 2);
  EXPECT_EQ(base.address(), 0x100001000u);
  EXPECT_TRUE(decode_command(words, 3).is(Code::OP_STOP));
  const Command cut = decode_command(words, 4);
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.words, 1);
}

TEST(Commands, ReservedBitsBelongToNoCommand) {
  for (std::uint32_t word : {0x00000402u, 0x00002002u, 0x00008002u, 0x0000C002u, 0x00000004u}) {
    const Command command = decode_command({&word, 1}, 0);
    EXPECT_EQ(command.kind, nullptr) << word;
    EXPECT_EQ(command.words, 1) << word;
  }
}

TEST(Operation, KeepsStateBetweenOperationsAndDerivesTheInput) {
  auto one = [](Code code, std::uint32_t param) { return static_cast<std::uint32_t>(code) | param << 16; };
  const std::vector<std::uint32_t> words = {
      one(Code::SET_OFM_HEIGHT_M1, 3),
      one(Code::SET_OFM_WIDTH_M1, 4),
      one(Code::SET_OFM_DEPTH_M1, 7),
      one(Code::SET_KERNEL_HEIGHT_M1, 2),
      one(Code::SET_KERNEL_WIDTH_M1, 4),          // three taps, dilated by two
      one(Code::SET_KERNEL_STRIDE, 0x003 | 0x8),  // strides of two, dilation x
      one(Code::SET_IFM_PAD_TOP, 1),
      one(Code::SET_IFM_ZERO_POINT, 0xFF80),
      one(Code::SET_IFM_PRECISION, 0x41),
      one(Code::OP_CONV, 0),
      one(Code::SET_IFM_UPSCALE, 1),
      one(Code::OP_POOL, 1),
      0x00FF4005,
      0xFFFFF000,  // IFM_STRIDE_Y -4096
      one(Code::OP_ELEMENTWISE, 5),
      one(Code::OP_STOP, 0xFFFF)};
  OperationReader reader(words);
  auto conv = reader.next();
  ASSERT_TRUE(conv);
  EXPECT_EQ(conv->kind, OperationKind::Conv);
  EXPECT_EQ(conv->word, 9u);
  EXPECT_EQ(conv->kernel.width, 3u);
  EXPECT_EQ(conv->kernel.height, 3u);
  EXPECT_EQ(conv->ifm.height, 3u * 2 + 2 + 1 - 1);
  EXPECT_EQ(conv->ifm.width, 4u * 2 + 4 + 1);
  EXPECT_EQ(conv->ifm.zero_point, -128);
  EXPECT_EQ(conv->ifm.layout, Layout::Nhcwb16);
  EXPECT_EQ(reader.registers()[Code::SET_IFM_PAD_TOP].word, 6u);
  EXPECT_FALSE(reader.registers()[Code::SET_IFM_PAD_LEFT].written());
  auto pool = reader.next();
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->pooling, PoolingMode::Average);
  EXPECT_EQ(pool->ifm.height, 4u);
  EXPECT_EQ(reader.writes_since(), 1u);
  auto lrelu = reader.next();
  ASSERT_TRUE(lrelu);
  EXPECT_EQ(lrelu->ifm.stride_y, -4096);
  EXPECT_EQ(lrelu->ifm.height, 4u);
  EXPECT_FALSE(lrelu->has_ifm2);
  auto stop = reader.next();
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->kind, OperationKind::Stop);
  EXPECT_EQ(stop->param, 0xFFFFu);
  EXPECT_FALSE(reader.next());
}

TEST(Operation, TilesCoverTheFourCorners) {
  FeatureMap map;
  map.base = {0, 1000, 2000, 3000};
  map.stride_y = 100;
  map.stride_x = 10;
  map.stride_c = 1;
  map.width0 = 2;
  map.height0 = 3;
  map.height1 = 4;
  EXPECT_EQ(map.address(2, 1, 5), 215);
  EXPECT_EQ(map.address(3, 1, 0), 2010);
  EXPECT_EQ(map.address(3, 2, 0), 1300);
  EXPECT_EQ(map.address(4, 3, 0), 3010);
  map.layout = Layout::Nhcwb16;
  map.stride_c = 64;
  map.element_bits = 16;
  EXPECT_EQ(map.address(1, 1, 17), 100 + 32 + 64 + 2);
}

}  // namespace
}  // namespace npubin::ethosu
