// What the machine does not do, it says, with the command and its word.
#include <gtest/gtest.h>

#include "ethosu/machine/machine.h"
#include "stream_builder.h"

namespace npubin::ethosu {
namespace {

Memory small_memory() {
  const std::vector<Region> regions{{0, 16, Bytes::own(std::vector<std::byte>(16)), true, "weights"},
                                    {1, 256, {}, false, "scratch"}};
  return *Memory::create(regions);
}

Error error_of(const StreamBuilder& stream, MachineOptions options = {}) {
  Memory memory = small_memory();
  const auto run = execute(stream.words(), 0x40, Accelerator::U55_256, memory, options);
  EXPECT_FALSE(run);
  return run ? Error{} : run.error();
}

StreamBuilder copy_stream() {
  StreamBuilder stream;
  stream.ifm(0, 4, 4, kIfmInt8).ofm(64, 2, 4, 4, kOfmInt8).clamp(-128, 127);
  return stream;
}

void expect_refused(StreamBuilder stream, Code operation, std::uint32_t param, const std::string& words) {
  const std::size_t at = stream.size();
  stream.operation(operation, param).stop();
  const Error error = error_of(stream);
  EXPECT_EQ(error.kind, ErrorKind::Refused) << error.message;
  EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
  EXPECT_EQ(error.where.word_offset, at);
  EXPECT_EQ(error.where.offset, 0x40 + 4 * at);
}

TEST(Refusals, NameWhatTheSpecificationDoesNotKnow) {
  expect_refused({}, Code::OP_IRQ, 1, "IRQ");
  expect_refused({}, Code::OP_STOP, 1, "STOP with mask");
  expect_refused(StreamBuilder().set(Code::SET_DMA0_DST_REGION, 1 << 9), Code::OP_DMA_START, 0, "dimensions");
  expect_refused(copy_stream().set(Code::SET_OFM_PRECISION, kOfmInt8 | 1 << 14), Code::OP_POOL, 0,
                 "truncation");
  expect_refused(copy_stream().set(Code::SET_KERNEL_STRIDE, 1 << 5), Code::OP_POOL, 0, "4x4");
  expect_refused(copy_stream(), Code::OP_POOL, 5, "POOL mode 5");
  expect_refused(copy_stream(), Code::OP_ELEMENTWISE, 12, "ELEMENTWISE mode 12");
  expect_refused(copy_stream().set(Code::SET_OFM_PRECISION, kOfmInt8 | kGlobalScale), Code::OP_CONV, 0,
                 "global scale");
  expect_refused(copy_stream().set(Code::SET_ACTIVATION, 9), Code::OP_POOL, 0, "activation function 9");
  expect_refused(copy_stream().set(Code::SET_IFM_PAD_TOP, 2), Code::OP_POOL, 0, "elements");
}

TEST(Refusals, UnknownCommandsAndMissingEnd) {
  StreamBuilder unknown;
  unknown.set(static_cast<Code>(0x3FF), 7).stop();
  EXPECT_EQ(error_of(unknown).code, "ETU-5011");
  EXPECT_EQ(error_of(unknown).where.word_offset, 0u);
  EXPECT_EQ(error_of(StreamBuilder()).code, "ETU-5006");
  EXPECT_EQ(error_of(copy_stream()).code, "ETU-5006");
}

TEST(Refusals, AddressesStayInsideTheirRegion) {
  EXPECT_EQ(error_of(copy_stream().set_long(Code::SET_OFM_BASE0, 225).operation(Code::OP_POOL)).code,
            "ETU-5002");
  EXPECT_EQ(
      error_of(copy_stream().set_long(Code::SET_IFM_STRIDE_Y, 0xFFFFFFF0, 0xFF).operation(Code::OP_POOL))
          .code,
      "ETU-5002");
  EXPECT_EQ(error_of(copy_stream()
                         .set(Code::SET_OFM_REGION, 0)
                         .set_long(Code::SET_OFM_BASE0, 0)
                         .ofm(0, 1, 1, 1, kOfmInt8)
                         .set(Code::SET_OFM_REGION, 0)
                         .operation(Code::OP_POOL))
                .code,
            "ETU-5003");
  EXPECT_EQ(error_of(copy_stream().set(Code::SET_IFM_REGION, 5).operation(Code::OP_POOL)).code, "ETU-5002");
  // All elements at one address: the work would not be bounded by the memory's size.
  EXPECT_EQ(error_of(copy_stream()
                         .ofm(0, 4000, 4000, 1, kOfmInt8)
                         .set_long(Code::SET_OFM_STRIDE_X, 0)
                         .set_long(Code::SET_OFM_STRIDE_Y, 0)
                         .set_long(Code::SET_IFM_STRIDE_X, 0)
                         .set_long(Code::SET_IFM_STRIDE_Y, 0)
                         .operation(Code::OP_POOL))
                .code,
            "ETU-5002");
}

TEST(Refusals, LimitsOnOperationsAndTheirSize) {
  EXPECT_EQ(
      error_of(copy_stream().operation(Code::OP_POOL).operation(Code::OP_POOL).stop(), {.max_operations = 1})
          .code,
      "ETU-5016");
  EXPECT_EQ(error_of(copy_stream().operation(Code::OP_POOL).stop(), {.max_macs = 31}).code, "ETU-5016");
}

TEST(Machine, StopAfterIsNoError) {
  Memory memory = small_memory();
  std::fill_n(memory.writable_region(1).begin(), 64, std::byte{9});
  const StreamBuilder stream = copy_stream().operation(Code::OP_POOL).operation(Code::OP_IRQ);
  const auto run = execute(stream.words(), 0, Accelerator::U55_256, memory, {.stop_after = 1});
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_TRUE(run->stopped);
  EXPECT_EQ(memory.region(1)[64], std::byte{9});
}

}  // namespace
}  // namespace npubin::ethosu
