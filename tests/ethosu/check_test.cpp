// Single defects in a small stream of our own: a 1x1 max pool, and transfers around it.
#include "ethosu/check.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "ethosu/commands.h"

namespace npubin::ethosu {
namespace {

class SmallStream {
 public:
  SmallStream& set(Code code, std::uint32_t param) {
    words_.push_back((static_cast<std::uint32_t>(code) & 0x3FFu) | param << 16);
    return *this;
  }
  SmallStream& address(Code code, std::uint32_t value, std::uint32_t param = 0) {
    words_.push_back((static_cast<std::uint32_t>(code) & 0x3FFu) | 0x4000u | param << 16);
    words_.push_back(value);
    return *this;
  }
  // An 8x8x16 map in bricks from `in` to `out`, blocks of 2x8x16.
  SmallStream& pool(std::uint32_t in, std::uint32_t out, std::uint32_t blockdep = 0) {
    for (const bool ofm : {false, true}) {
      set(ofm ? Code::SET_OFM_REGION : Code::SET_IFM_REGION, 1);
      address(ofm ? Code::SET_OFM_BASE0 : Code::SET_IFM_BASE0, ofm ? out : in);
      address(ofm ? Code::SET_OFM_STRIDE_Y : Code::SET_IFM_STRIDE_Y, 128);
      address(ofm ? Code::SET_OFM_STRIDE_C : Code::SET_IFM_STRIDE_C, 128);
      set(ofm ? Code::SET_OFM_HEIGHT0_M1 : Code::SET_IFM_HEIGHT0_M1, 7);
      set(ofm ? Code::SET_OFM_WIDTH0_M1 : Code::SET_IFM_WIDTH0_M1, 7);
      set(ofm ? Code::SET_OFM_PRECISION : Code::SET_IFM_PRECISION, 0x41);
    }
    set(Code::SET_IFM_DEPTH_M1, 15).set(Code::SET_OFM_DEPTH_M1, 15);
    set(Code::SET_OFM_HEIGHT_M1, 7).set(Code::SET_OFM_WIDTH_M1, 7);
    set(Code::SET_OFM_BLK_HEIGHT_M1, 1)
        .set(Code::SET_OFM_BLK_WIDTH_M1, 7)
        .set(Code::SET_OFM_BLK_DEPTH_M1, 15);
    set(Code::SET_IFM_IB_END, 10).set(Code::SET_AB_START, 14);
    set(Code::SET_ACTIVATION_MIN, 0xFF80).set(Code::SET_ACTIVATION_MAX, 127);
    return set(Code::SET_BLOCKDEP, blockdep).set(Code::OP_POOL, 0);
  }
  SmallStream& transfer(std::uint32_t from, std::uint32_t to, std::uint32_t length) {
    set(Code::SET_DMA0_SRC_REGION, 1).set(Code::SET_DMA0_DST_REGION, 1);
    address(Code::SET_DMA0_SRC, from).address(Code::SET_DMA0_DST, to).address(Code::SET_DMA0_LEN, length);
    return set(Code::OP_DMA_START, 0);
  }
  std::vector<std::string> check(bool stop = true) {
    if (stop) set(Code::OP_STOP, 0xFFFF);
    Job job;
    job.words = words_;
    job.accelerator = Accelerator::U55_256;
    job.regions.push_back({1, 0x10000, {}, false, "scratch"});
    Diagnostics findings;
    check_job(job, findings);
    std::vector<std::string> out;
    for (const Diagnostic& f : findings.findings()) out.push_back(f.code);
    return out;
  }

 private:
  std::vector<std::uint32_t> words_;
};

using Codes = std::vector<std::string>;

TEST(Check, ASoundStreamIsClean) {
  EXPECT_EQ(SmallStream().pool(0, 0x1000).check(), Codes{});
}

TEST(Check, Encoding) {
  EXPECT_EQ(SmallStream().pool(0, 0x1000).check(false), Codes{"ETU-0105"});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).set(Code::OP_STOP, 0xFFFF).set(Code::OP_IRQ, 0).check(),
            Codes{"ETU-0106"});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).set(Code::OP_STOP, 1).check(false), Codes{"ETU-0108"});
  EXPECT_EQ(SmallStream().check(false), Codes{"ETU-0109"});
  EXPECT_EQ(SmallStream().set(Code::SET_ACC_FORMAT, 3).pool(0, 0x1000).check(), Codes{"ETU-0104"});
}

TEST(Check, TransfersAgainstKernels) {
  // The kernel reads what the transfer brings.
  EXPECT_EQ(SmallStream().transfer(0x8000, 0, 1024).pool(0, 0x1000).check(), Codes{"ETU-0601"});
  EXPECT_EQ(SmallStream().transfer(0x8000, 0, 1024).set(Code::OP_DMA_WAIT, 0).pool(0, 0x1000).check(),
            Codes{});
  EXPECT_EQ(SmallStream().transfer(0x8000, 0, 1024).set(Code::OP_DMA_WAIT, 1).pool(0, 0x1000).check(),
            Codes{"ETU-0601"});
  // One transfer at a time: the first has ended when the second starts.
  EXPECT_EQ(SmallStream().transfer(0x8000, 0, 1024).transfer(0x8000, 0x4000, 16).pool(0, 0x1000).check(),
            Codes{});
  // It overwrites what the transfer still reads.
  EXPECT_EQ(SmallStream().transfer(0x1000, 0x8000, 16).pool(0, 0x1000).check(), Codes{"ETU-0602"});
}

TEST(Check, KernelsAgainstTransfers) {
  EXPECT_EQ(SmallStream().pool(0, 0x1000).transfer(0x8000, 16, 16).check(), Codes{"ETU-0603"});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).transfer(0x1000, 0x8000, 16).check(), Codes{"ETU-0604"});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).set(Code::OP_KERNEL_WAIT, 0).transfer(0x1000, 0x8000, 16).check(),
            Codes{});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).set(Code::OP_KERNEL_WAIT, 1).transfer(0x8000, 16, 16).check(),
            Codes{"ETU-0603"});
  // Two kernels at most: the first has ended when the third starts.
  EXPECT_EQ(SmallStream()
                .pool(0, 0x1000)
                .pool(0x2000, 0x3000)
                .pool(0x4000, 0x5000)
                .transfer(0x8000, 16, 16)
                .check(),
            Codes{});
}

// Four blocks of two rows each: block j of the second reads what block j of the first wrote.
TEST(Check, BlockDependency) {
  EXPECT_EQ(SmallStream().pool(0, 0x1000).pool(0x1000, 0x2000, 3).check(),
            Codes{});  // its last blocks come last
  // The second begins with the last two rows of the first.
  EXPECT_EQ(SmallStream().pool(0, 0x1000).pool(0x1000 + 6 * 128, 0x3000, 1).check(), Codes{"ETU-0605"});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).pool(0x1000 + 6 * 128, 0x3000, 0).check(), Codes{});
  // ... with the two before them: one block may be unfinished.
  EXPECT_EQ(SmallStream().pool(0, 0x1000).pool(0x1000 + 4 * 128, 0x3000, 1).check(), Codes{});
  EXPECT_EQ(SmallStream().pool(0, 0x1000).pool(0x1000 + 4 * 128, 0x3000, 2).check(), Codes{"ETU-0605"});
}

TEST(Check, Addresses) {
  EXPECT_EQ(SmallStream().pool(0xFC10, 0x1000).check(), Codes{"ETU-0301"});
  EXPECT_EQ(SmallStream().pool(0, 0xFC10).check(), Codes{"ETU-0303"});
  EXPECT_EQ(SmallStream().pool(8, 0x1000).check(), Codes{"ETU-0309"});
  EXPECT_EQ(SmallStream().transfer(0, 0x1000, 0).pool(0, 0x2000).check(), Codes{"ETU-0210"});
  EXPECT_EQ(SmallStream().transfer(0xFFF0, 0x1000, 32).check(), Codes{"ETU-0306"});
  EXPECT_EQ(SmallStream().transfer(0, 0xFFF0, 32).check(), Codes{"ETU-0307"});
  EXPECT_EQ(SmallStream().transfer(8, 0x1000, 16).check(), Codes{"ETU-0309"});
}

TEST(Check, RegistersThatNothingHasWritten) {
  const Codes codes = SmallStream().set(Code::OP_DMA_START, 0).check();
  EXPECT_NE(std::find(codes.begin(), codes.end(), "ETU-0201"), codes.end());
}

}  // namespace
}  // namespace npubin::ethosu
