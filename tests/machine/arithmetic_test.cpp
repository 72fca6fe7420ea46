#include <gtest/gtest.h>

#include <cmath>

#include "ethosu/machine/arithmetic.h"
#include "ethosu/machine/sigmoid_table.h"

namespace npubin::ethosu {
namespace {

// "Add 2^(s-1), or 1 - 2^(s-1) when negative, then divide toward zero", word by word.
std::int64_t as_written(std::int64_t product, std::uint32_t shift) {
  if (shift == 0) return product;
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return (product + (product < 0 ? 1 - half : half)) / (std::int64_t{1} << shift);
}

TEST(Scaling, OneRoundingIsTheRuleAsWritten) {
  for (std::int64_t value = -40; value <= 40; ++value)
    for (std::uint32_t shift = 0; shift <= 5; ++shift)
      EXPECT_EQ((Scaling{3, shift, Rounding::Double}.apply(value)), as_written(value * 3, shift))
          << value << " >> " << shift;
}

TEST(Scaling, AboveThirtyOneRoundsTwice) {
  const Scaling scaling{1u << 30, 32, Rounding::Double};
  // value / 4 in two steps: value / 2 with halves up, then / 2 with halves away from zero.
  EXPECT_EQ(scaling.apply(5), 2) << "5 -> 2.5 -> 3 -> 1.5 -> 2; a single rounding gives 1";
  EXPECT_EQ(scaling.apply(-5), -1) << "-5 -> -2.5 -> -2 -> -1";
  EXPECT_EQ(scaling.apply(-6), -2) << "-6 -> -3 -> -1.5 -> -2";
  EXPECT_EQ((Scaling{1u << 30, 32, Rounding::Natural}.apply(5)), 1);
  EXPECT_EQ((Scaling{1u << 30, 32, Rounding::Natural}.apply(-6)), -1) << "-1.5 goes up";
}

TEST(Scaling, FortyBitAccumulatorsDoNotOverflow) {
  const std::int64_t accumulator = (std::int64_t{1} << 39) - 1;
  EXPECT_EQ((Scaling{0xFFFFFFFFu, 31, Rounding::Natural}.apply(accumulator)), 1099511627518);
  EXPECT_EQ((Scaling{0xFFFFFFFFu, 31, Rounding::Natural}.apply(-accumulator)), -1099511627518);
}

TEST(Sigmoid16, FollowsTheFunctions) {
  for (std::int64_t x = -98301; x <= 98301; x += 37) {
    const double real = static_cast<double>(x) / 12288.0;
    EXPECT_NEAR(sigmoid_16(x) / 32768.0, 1.0 / (1.0 + std::exp(-real)), 1.0 / 16384) << x;
    EXPECT_NEAR(tanh_16(x) / 32768.0, std::tanh(real), 1.0 / 8192) << x;
  }
  EXPECT_EQ(sigmoid_16(0), 16384);
  EXPECT_EQ(tanh_16(0), 0);
  EXPECT_EQ(sigmoid_16(200000), 32767);
}

}  // namespace
}  // namespace npubin::ethosu
