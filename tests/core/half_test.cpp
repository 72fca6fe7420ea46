#include "npubin/half.h"

#include <cmath>

#include <gtest/gtest.h>

namespace npubin {
namespace {

TEST(Half, EveryCodeSurvivesTheRoundTrip) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const float value = half_to_float(bits);
    for (HalfRounding rounding : {HalfRounding::TiesToEven, HalfRounding::TiesAway}) {
      const std::uint16_t back = float_to_half(value, rounding);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(half_to_float(back))) << code;
      else
        EXPECT_EQ(back, bits) << code;
    }
  }
}

// specs/armnn.md, section 3: 1+2^-11 gives 0x3c01 in Arm NN; IEEE gives the even neighbour.
TEST(Half, TiesDifferByRoundingMode) {
  const float tie = 1.0f + std::ldexp(1.0f, -11);
  EXPECT_EQ(float_to_half(tie, HalfRounding::TiesAway), 0x3C01);
  EXPECT_EQ(float_to_half(tie, HalfRounding::TiesToEven), 0x3C00);
}

// specs/aipp.md, section 4: 0.00392157 becomes 0.00392151, 123.675 becomes 123.6875.
TEST(Half, AippConstants) {
  EXPECT_FLOAT_EQ(half_to_float(float_to_half(0.00392157f)), 0.0039215087890625f);
  EXPECT_FLOAT_EQ(half_to_float(float_to_half(123.675f)), 123.6875f);
}

TEST(Half, LimitsAndSubnormals) {
  EXPECT_EQ(float_to_half(65504.0f), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
  EXPECT_EQ(float_to_half(65519.0f), 0x7BFF);
  EXPECT_EQ(float_to_half(std::ldexp(1.0f, -24)), 0x0001);
  EXPECT_EQ(float_to_half(std::ldexp(1.0f, -25)), 0x0000);
  EXPECT_EQ(float_to_half(std::ldexp(1.0f, -25), HalfRounding::TiesAway), 0x0001);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000);
}

TEST(Bfloat16, RoundsToEven) {
  EXPECT_EQ(float_to_bfloat16(1.0f), 0x3F80);
  EXPECT_EQ(float_to_bfloat16(1.0f + std::ldexp(1.0f, -8)), 0x3F80);
  EXPECT_EQ(float_to_bfloat16(1.0f + 3 * std::ldexp(1.0f, -8)), 0x3F82);
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(NAN))));
}

}  // namespace
}  // namespace npubin
