#include "vision/host_quantization.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace npubin::vision {
namespace {

std::uint8_t code_of(float x, const HostQuantization& q, Overflow overflow = Overflow::Saturate) {
  std::uint8_t out = 0;
  quantize(std::span(&x, 1), &out, q, overflow);
  return out;
}

TEST(HostQuantization, RoundsHalvesToEven) {
  const HostQuantization q{10, 1, -100, 300};
  EXPECT_EQ(code_of(0.5f, q), 10);
  EXPECT_EQ(code_of(1.5f, q), 12);
  EXPECT_EQ(code_of(2.5f, q), 12);
  EXPECT_EQ(code_of(-0.5f, q), 10);
}

TEST(HostQuantization, ClipsToTheLimitsOfTheFile) {
  const HostQuantization q{18, 0.031f, -0.55f, 7.3f};
  EXPECT_EQ(code_of(-9, q), code_of(-0.55f, q));
  EXPECT_EQ(code_of(9, q), code_of(7.3f, q));
  EXPECT_EQ(code_of(NAN, q), code_of(-0.55f, q));
}

TEST(HostQuantization, IdentitySaturatesOrWraps) {
  const HostQuantization q{0, 1, 0, 255};
  EXPECT_EQ(code_of(254.6f, q), 255);
  EXPECT_EQ(code_of(300, q), 255);
  EXPECT_EQ(code_of(-3, q), 0);
  EXPECT_EQ(code_of(INFINITY, q), 255);
  EXPECT_EQ(code_of(300, q, Overflow::Wrap), 44);
  EXPECT_EQ(code_of(-3, q, Overflow::Wrap), 253);
  EXPECT_EQ(code_of(NAN, q, Overflow::Wrap), 0);
  EXPECT_EQ(code_of(1e20f, q, Overflow::Wrap), 0);
}

TEST(HostQuantization, SixteenBits) {
  const float reals[] = {-7, -6.4f, 0.00011f, 6.7f, 20};
  std::uint16_t codes[5];
  quantize(reals, codes, {32000, 0.0002f, -6.4f, 6.7f}, Overflow::Saturate);
  EXPECT_EQ(codes[0], 0);
  EXPECT_EQ(codes[1], 0);
  EXPECT_EQ(codes[2], 32001);
  EXPECT_EQ(codes[3], 65500);
  EXPECT_EQ(codes[4], 65500);
}

// The pre-test on codes decides exactly as a test of the real value would.
TEST(HostQuantization, LeastCodeIsExact) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> scale(1e-4f, 0.1f), zero(-20, 300), threshold(-1, 3);
  for (int round = 0; round < 200; ++round) {
    const HostQuantization q{round % 2 == 0 ? std::round(zero(random)) : zero(random), scale(random), 0, 0};
    const float t = round % 3 == 0 ? dequantize(random() % 256, q) : threshold(random);
    const std::uint32_t least = least_code_reaching(t, q, 255);
    for (std::uint32_t code = 0; code < 256; ++code)
      ASSERT_EQ(code >= least, dequantize(code, q) >= t) << code << " of " << t;
  }
  EXPECT_EQ(least_code_reaching(NAN, {0, 1, 0, 0}, 255), 256u);
}

template <class T>
void expect_nhcw(const NhcwToReal& shape) {
  std::mt19937 random(5);
  std::vector<T> codes(shape.height * shape.padded_features * shape.padded_width);
  for (T& code : codes) code = static_cast<T>(random());
  FeatureQuantization q;
  for (std::size_t f = 0; f < shape.features; ++f) {
    q.zero_points.push_back(static_cast<float>(f % 7));
    q.scales.push_back(0.01f * static_cast<float>(f + 1));
  }
  std::vector<float> reals(shape.height * shape.width * shape.features, -1.0f);
  nhcw_to_real(shape, codes.data(), reals.data(), q);
  std::size_t at = 0;
  for (std::size_t row = 0; row < shape.height; ++row)
    for (std::size_t x = 0; x < shape.width; ++x)
      for (std::size_t f = 0; f < shape.features; ++f) {
        const T code = codes[(row * shape.padded_features + f) * shape.padded_width + x];
        ASSERT_EQ(reals[at++], (static_cast<float>(code) - q.zero_points[f]) * q.scales[f])
            << row << " " << x << " " << f;
      }
}

TEST(HostQuantization, NhcwToRealIsTheScalarLoop) {
  for (const NhcwToReal& shape : {NhcwToReal{2, 16, 16, 16, 16, false}, NhcwToReal{3, 17, 5, 24, 5, false},
                                  NhcwToReal{1, 33, 32, 40, 40, true}, NhcwToReal{2, 7, 3, 8, 3, true},
                                  NhcwToReal{1, 18, 300, 24, 304, false}, NhcwToReal{2, 48, 64, 48, 64, true},
                                  NhcwToReal{1, 1, 1, 8, 1, false}}) {
    SCOPED_TRACE(std::to_string(shape.width) + "x" + std::to_string(shape.features));
    expect_nhcw<std::uint8_t>(shape);
    expect_nhcw<std::uint16_t>(shape);
  }
}

TEST(HostQuantization, PerFeatureRuns) {
  const std::uint8_t codes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  float reals[8];
  const FeatureQuantization q{{0, 1}, {1, 10}};
  dequantize_features(std::span<const std::uint8_t>(codes), reals, q, 1);
  EXPECT_EQ(reals[0], 1);
  EXPECT_EQ(reals[1], 10);
  EXPECT_EQ(reals[7], 70);
  // Planes of two: features change every two elements.
  dequantize_features(std::span<const std::uint8_t>(codes), reals, q, 2);
  EXPECT_EQ(reals[1], 2);
  EXPECT_EQ(reals[2], 20);
  EXPECT_EQ(reals[4], 5);
}

}  // namespace
}  // namespace npubin::vision
