// The fixed-point functions by themselves: rounding, saturation, and how near they come to what they stand
// for. tflite spec 2 and 7.
#include "exec/reference/tflite/fixed_point.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "exec/reference/tflite/fixed_functions.h"

namespace npubin::exec::tflite {
namespace {

constexpr double kOne = 2147483648.0;  // of Q0

TEST(FixedPoint, RoundingDivisionTakesHalvesAwayFromZero) {
  EXPECT_EQ(rdp(5, 1), 3);
  EXPECT_EQ(rdp(-5, 1), -3);
  EXPECT_EQ(rdp(4, 3), 1);
  EXPECT_EQ(rdp(-4, 3), -1);
  EXPECT_EQ(rdp(3, 3), 0);
  EXPECT_EQ(rdp(-3, 3), 0);
  EXPECT_EQ(rdp(INT32_MAX, 31), 1);
  EXPECT_EQ(rdp(INT32_MIN, 31), -1);
  EXPECT_EQ(rdp(123, 0), 123);
  EXPECT_EQ(rdp(INT32_MIN, 60), 0);
}

TEST(FixedPoint, HighProductRoundsUpHalvesAndSaturatesOnce) {
  EXPECT_EQ(srdhm(INT32_MIN, INT32_MIN), INT32_MAX);
  EXPECT_EQ(srdhm(1 << 30, 3), 2);    // 1.5
  EXPECT_EQ(srdhm(1 << 30, -3), -1);  // -1.5: halves go up
  EXPECT_EQ(srdhm(INT32_MAX, INT32_MAX), INT32_MAX - 1);
}

TEST(FixedPoint, MultipliersCoverTheirRange) {
  EXPECT_EQ(quantize_multiplier(0).mantissa, 0);
  EXPECT_EQ(quantize_multiplier(std::numeric_limits<double>::infinity()).mantissa, INT32_MAX);
  EXPECT_EQ(quantize_multiplier(std::numeric_limits<double>::quiet_NaN()).mantissa, 0);
  EXPECT_EQ(quantize_multiplier(1.0).mantissa, 1 << 30);
  EXPECT_EQ(quantize_multiplier(1.0).shift, 1);
  // Rounds up to 2^31, which becomes 2^30 with one more shift.
  EXPECT_EQ(quantize_multiplier(std::nextafter(1.0, 0.0)).mantissa, 1 << 30);
  EXPECT_EQ(quantize_multiplier(std::nextafter(1.0, 0.0)).shift, 1);
  EXPECT_EQ(quantize_multiplier(std::ldexp(0.75, -31)).shift, -31);
  EXPECT_EQ(quantize_multiplier(std::ldexp(0.75, -32)).mantissa, 0);
  EXPECT_EQ(quantize_multiplier(std::ldexp(0.75, -32)).shift, 0);
}

TEST(FixedPoint, DoubleAndSingleRoundingDiffer) {
  // 3/8 of 4 is 1.5, of 5 is 1.875; the first rounding keeps what the second loses only by halves.
  const Multiplier m = quantize_multiplier(0.375);
  EXPECT_EQ(multiply(4, m), 2);
  EXPECT_EQ(multiply(-4, m), -2);
  EXPECT_EQ(multiply_64(4, m), 2);
  EXPECT_EQ(multiply_64(-4, m), -1);  // single rounding: halves go up
  EXPECT_EQ(multiply_64(std::int64_t{1} << 40, quantize_multiplier(std::ldexp(1.0, -20))), 1 << 20);
  EXPECT_EQ(multiply(INT32_MAX, quantize_multiplier(4.0)), multiply(-1, quantize_multiplier(4.0)));  // wraps
}

TEST(FixedPoint, FusedActivationsBecomeCodes) {
  const graph::ActivationAttributes six{graph::Activation::BoundedReLu, 6, 0, false};
  const auto range = activation_range<std::int8_t>(six, Quantization::per_tensor(0.1f, -10));
  EXPECT_EQ(range.low, -10);
  EXPECT_EQ(range.high, 50);
  const auto tiny = activation_range<std::int8_t>(six, Quantization::per_tensor(1e-38f, 0));
  EXPECT_EQ(tiny.high, 127);
}

TEST(FixedFunctions, ExponentialIsWithinItsPrecision) {
  for (int bits : {0, 4, 5})
    for (int i = 0; i <= 2000; ++i) {
      const double x = -std::ldexp(i / 2000.0, bits) * 0.999;
      const auto raw = static_cast<std::int32_t>(std::lround(x * std::ldexp(1.0, 31 - bits)));
      EXPECT_NEAR(exp_on_negative(raw, bits) / kOne, std::exp(x), 4e-6) << x << " Q" << bits;
    }
  EXPECT_EQ(exp_on_negative(0, 4), INT32_MAX);
}

TEST(FixedFunctions, LogisticAndTanhAreSymmetric) {
  for (int i = -1000; i <= 1000; ++i) {
    const double x = i / 63.0;
    const auto raw = static_cast<std::int32_t>(std::lround(x * (1 << 27)));
    EXPECT_NEAR(fixed_logistic(raw, 4) / kOne, 1 / (1 + std::exp(-x)), 5e-6) << x;
    EXPECT_NEAR(fixed_tanh(raw, 4) / kOne, std::tanh(x), 2e-5) << x;
    EXPECT_EQ(fixed_tanh(-raw, 4), -fixed_tanh(raw, 4));
  }
}

TEST(FixedFunctions, ReciprocalRootAndLogarithm) {
  for (std::int32_t x : {1, 2, 3, 7, 100, 255, 4095, 1 << 20, INT32_MAX}) {
    const Reciprocal r = reciprocal(x, 31);
    EXPECT_NEAR(r.value / kOne * std::ldexp(1.0, -r.bits_over_unit) * x, 1, 1e-6) << x;
  }
  for (std::int32_t n : {2, 3, 10, 255, 65025, 1 << 25, INT32_MAX}) {
    const InverseSqrt r = inverse_sqrt(n);
    EXPECT_NEAR(std::ldexp(r.mantissa / kOne, r.shift) * std::sqrt(n), 1, 1e-5) << n;
  }
  EXPECT_EQ(inverse_sqrt(0).mantissa, INT32_MAX);
  for (double z : {1.0, 1.5, 2.0, 10.0, 255.0, 4000.0}) {
    const auto raw = static_cast<std::int32_t>(std::lround(z * (1 << 19)));
    EXPECT_NEAR(fixed_log(raw) / std::ldexp(1.0, 26), std::log(z), 1e-4) << z;
  }
}

}  // namespace
}  // namespace npubin::exec::tflite
