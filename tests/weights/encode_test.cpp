// decode(encode(w)) = w.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "ethosu/weights/codec.h"

namespace npubin::ethosu {
namespace {

using Values = std::vector<std::int16_t>;

void expect_round_trip(const Values& weights, const std::string& what) {
  const auto stream = encode_raw_weights(weights);
  ASSERT_TRUE(stream) << what << to_string(stream.error());
  EXPECT_EQ(stream->size() % 16, 0u);
  const auto back = decode_raw_weights(*stream, weights.size());
  ASSERT_TRUE(back) << what << to_string(back.error());
  EXPECT_EQ(back->values, weights) << what;
}

Values made(std::size_t count, const std::function<int()>& next) {
  Values out(count);
  for (auto& value : out) value = static_cast<std::int16_t>(next());
  return out;
}

TEST(WeightEncoder, RandomSparseAndPaletteFriendly) {
  std::mt19937 random(7);
  const auto uniform = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (const std::size_t count : {1u, 2u, 11u, 12u, 13u, 63u, 1000u, 5000u, 40000u}) {
    expect_round_trip(made(count, [&] { return uniform(-127, 127); }), "8 bits ");
    expect_round_trip(made(count, [&] { return uniform(-255, 255); }), "9 bits ");
    expect_round_trip(made(count, [&] { return uniform(0, 99) < 93 ? 0 : uniform(-128, 127); }), "sparse ");
    expect_round_trip(made(count, [&] { return uniform(0, 9999) < 9995 ? 0 : 7; }), "almost empty ");
    expect_round_trip(made(count, [&] { return 3 * uniform(-2, 2); }), "five values ");
    expect_round_trip(made(count, [&] { return uniform(0, 1) != 0 ? 90 : -91; }), "two values ");
    expect_round_trip(made(count, [] { return 0; }), "zeros ");
    expect_round_trip(made(count, [] { return -255; }), "one value ");
    expect_round_trip(made(count,
                           [&] {
                             return std::clamp(static_cast<int>(std::normal_distribution<>(0, 20)(random)),
                                               -127, 127);
                           }),
                      "normal ");
  }
}

// Sections of different kinds each get a coding of their own.
TEST(WeightEncoder, ChangesItsMindAlongTheStream) {
  std::mt19937 random(9);
  Values weights = made(20000, [&] { return std::uniform_int_distribution<int>(-127, 127)(random); });
  const std::size_t noise = encode_raw_weights(weights)->size();
  weights.insert(weights.end(), 50000, std::int16_t{0});
  expect_round_trip(weights, "noise and silence");
  EXPECT_LT(encode_raw_weights(weights)->size(), noise + 1000);
}

TEST(WeightEncoder, RefusesWhatNoStreamHolds) {
  EXPECT_EQ(encode_raw_weights(Values{256}).error().code, "ETU-4006");
  WeightGeometry geometry;
  EXPECT_EQ(encode_weights(Values{1, 2}, geometry).error().code, "ETU-4005");
}

TEST(WeightEncoder, KernelOrderSurvives) {
  std::mt19937 random(11);
  WeightGeometry geometry{.ofm_depth = 37,
                          .ifm_depth = 19,
                          .kernel_height = 5,
                          .kernel_width = 3,
                          .dilation_y = 1,
                          .dilation_x = 2,
                          .depthwise = false,
                          .part_kernel = true,
                          .ofm_block_depth = 24,
                          .ifm_bits = 8,
                          .accelerator = Accelerator::U55_32};
  const Values weights =
      made(*kernel_elements(geometry), [&] { return std::uniform_int_distribution<int>(-128, 127)(random); });
  const auto stream = encode_weights(weights, geometry);
  ASSERT_TRUE(stream);
  const auto back = decode_weights(*stream, geometry);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(back->values, weights);
}

}  // namespace
}  // namespace npubin::ethosu
