// Fast 8-bit kernels: equal to the reference to the byte, with and without VNNI.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Activation;
using graph::Op;
using graph::ValueId;

Quantization codes(Random& random, float least = 0.01f) {
  return Quantization::per_tensor(least + static_cast<float>(random.between(0, 1000)) * 1e-4f,
                                  random.between(-128, 127));
}

Quantization weight_scales(Random& random, std::int64_t channels, int axis) {
  Quantization q;
  q.axis = axis;
  const bool per_channel = random.coin();
  for (std::int64_t c = 0; c < (per_channel ? channels : 1); ++c)
    q.scales.push_back(0.0005f + static_cast<float>(random.between(0, 1000)) * 1e-5f);
  q.zero_points = {0};
  return q;
}

graph::ActivationAttributes fused(Random& random) {
  switch (random.between(0, 2)) {
    case 0:
      return {Activation::ReLu, 0, 0, false};
    case 1:
      return {Activation::BoundedReLu, 6, 0, false};
    default:
      return {};
  }
}

// Arm NN decodes biases with their own scale, which in networks is that of the products.
Quantization bias_scales(const GraphBuilder& b, ValueId input, ValueId weights) {
  Quantization q = b.graph.value(weights).quantization;
  for (float& scale : q.scales) scale *= b.graph.value(input).quantization.scale();
  q.axis = 0;
  return q;
}

void expect_equal(const GraphBuilder& builder, int round) {
  const Comparison result = compare_modes(builder, round % 8 == 7 ? 2 : 1);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos)
      << "round " << round << ": " << result.kernels;
}

void random_convolution(int round, graph::Rules rules) {
  GraphBuilder b(rules, static_cast<std::uint32_t>(round + 1000));
  const bool armnn = rules == graph::Rules::ArmNn;
  Random& random = b.random;
  const auto u = [&](int low, int high) { return static_cast<std::uint32_t>(random.between(low, high)); };
  const bool depthwise = random.coin();
  const std::int64_t c = random.between(1, 150), h = random.between(3, 9), w = random.between(3, 9);
  const std::int64_t kh = random.between(1, 3), kw = random.between(1, 3);
  const std::int64_t outputs =
      depthwise ? c * (!armnn && random.between(0, 5) == 0 ? 2 : 1) : random.between(1, 140);
  graph::ConvAttributes a;
  a.padding = {u(0, 1), u(0, 1), u(0, 1), u(0, 1)};
  a.stride_y = u(1, 2);
  a.stride_x = u(1, 2);
  a.dilation_y = h >= 5 ? u(1, 2) : 1;
  a.dilation_x = w >= 5 ? u(1, 2) : 1;
  a.depth_multiplier = static_cast<std::uint32_t>(outputs / c);
  if (!armnn) a.activation = fused(random);
  const bool turned = depthwise && armnn;
  if (turned) a.depthwise_weights = graph::DepthwiseWeights::Mihw;
  const auto length = [](std::int64_t in, std::uint32_t before, std::uint32_t after, std::int64_t kernel,
                         std::uint32_t dilation, std::uint32_t stride) {
    return (in + before + after - ((kernel - 1) * dilation + 1)) / stride + 1;
  };
  const Shape out{random.between(1, 2),
                  length(h, a.padding.top, a.padding.bottom, kh, a.dilation_y, a.stride_y),
                  length(w, a.padding.left, a.padding.right, kw, a.dilation_x, a.stride_x), outputs};
  const Shape weights = turned      ? Shape{1, c, kh, kw}
                        : depthwise ? Shape{1, kh, kw, outputs}
                                    : Shape{outputs, kh, kw, c};
  std::vector<ValueId> inputs{b.input(DType::I8, {out[0], h, w, c}, codes(random)),
                              b.constant(DType::I8, weights,
                                         weight_scales(random, outputs,
                                                       turned      ? 1
                                                       : depthwise ? 3
                                                                   : 0))};
  inputs.push_back(
      b.constant(DType::I32, {outputs}, armnn ? bias_scales(b, inputs[0], inputs[1]) : Quantization{}));
  const Quantization result_codes = codes(random, 0.05f);
  ValueId last =
      b.node(depthwise ? Op::DepthwiseConv2d : Op::Conv2d, a, inputs, DType::I8, out, result_codes);
  // A layer of its own in Arm NN: cut codes where the quantisation stays, a table where it does not.
  if (armnn && random.coin())
    last = b.node(
        Op::Activation,
        graph::ActivationAttributes{random.coin() ? Activation::ReLu : Activation::BoundedReLu, 6, 0, false},
        {last}, DType::I8, out, random.coin() ? result_codes : codes(random, 0.05f));
  b.output(last);
  const Comparison result = compare_modes(b, round % 8 == 7 ? 2 : 1);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  if (armnn) {
    EXPECT_EQ(result.kernels.find("reference"), std::string::npos) << result.kernels;
  }
}

void random_product(int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 2000));
  Random& random = b.random;
  const std::int64_t rows = random.between(1, 9), depth = random.between(1, 130),
                     outputs = random.between(1, 70);
  graph::FullyConnectedAttributes a;
  a.activation = fused(random);
  std::vector<ValueId> inputs{b.input(DType::I8, {rows, depth}, codes(random)),
                              b.constant(DType::I8, {outputs, depth}, weight_scales(random, outputs, 0))};
  if (random.coin()) inputs.push_back(b.constant(DType::I32, {outputs}));
  b.output(b.node(Op::FullyConnected, a, inputs, DType::I8, {rows, outputs}, codes(random, 0.05f)));
  expect_equal(b, round);
}

// Small numbers, so that sums stay near the codes; now and then one that 8 bits around the zero point do not
// hold.
Tensor few_weights(Random& random, DType type, const Shape& shape, const Quantization& q) {
  Tensor tensor(type, shape, q);
  for (std::size_t i = 0; i < tensor.byte_size(); ++i) {
    const std::int64_t near = q.zero_point() + random.between(-1, 1), low = type == DType::I8 ? -128 : 0;
    const std::int64_t code = random.between(0, 60) == 0 ? random.between(low, low + 255) : near;
    tensor.mutable_data()[i] = static_cast<std::byte>(std::clamp(code, low, low + 255));
  }
  return tensor;
}

// Every odd sum lies next to a half between two codes, so that the roundings of the reference's float32 sums
// decide.
void halves_by_armnn(int round, Op op) {
  GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 5000));
  Random& random = b.random;
  const DType type = random.coin() ? DType::I8 : DType::U8;
  const std::int64_t middle = type == DType::I8 ? 0 : 128;
  const float in_scale = 0.01f + 1e-4f * static_cast<float>(random.between(0, 1000)), weight_scale = 0.003f;
  const Quantization in = Quantization::per_tensor(in_scale, middle + random.between(-128, 127)),
                     weights = Quantization::per_tensor(weight_scale, middle + random.between(0, 1) * 21),
                     out = Quantization::per_tensor(2 * in_scale * weight_scale,
                                                    middle + random.between(-20, 20));
  const bool connected = op == Op::FullyConnected, depthwise = op == Op::DepthwiseConv2d;
  const std::int64_t channels = random.between(1, 200), size = connected ? 1 : 5;
  const std::int64_t outputs = depthwise ? channels : random.between(1, 100), kernel = random.between(1, 3);
  graph::ConvAttributes conv;
  conv.depthwise_weights = graph::DepthwiseWeights::Mihw;
  graph::FullyConnectedAttributes product;
  product.weights_transposed = true;
  const std::int64_t length = size - kernel + 1;
  const ValueId x =
      connected ? b.input(type, {7, channels}, in) : b.input(type, {1, size, size, channels}, in);
  const Shape shape = connected   ? Shape{outputs, channels}
                      : depthwise ? Shape{1, channels, kernel, kernel}
                                  : Shape{outputs, kernel, kernel, channels};
  std::vector<ValueId> inputs{x, b.constant(few_weights(random, type, shape, weights))};
  if (random.coin())
    inputs.push_back(b.constant(DType::I32, {outputs}, Quantization::per_tensor(in_scale * weight_scale, 0)));
  const Shape results = connected ? Shape{7, outputs} : Shape{1, length, length, outputs};
  ValueId last = b.node(op, connected ? graph::Attributes(product) : graph::Attributes(conv), inputs, type,
                        results, out);
  const bool cut = random.coin();
  const float bound = 20 * out.scale();
  if (cut)
    last = b.node(Op::Activation, graph::ActivationAttributes{Activation::BoundedReLu, bound, 0, false},
                  {last}, type, results, out);
  b.output(last);
  const Comparison result = compare_modes(b, round % 8 == 7 ? 2 : 1);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_NE(result.kernels.find(cut ? "+Activation own int8" : " own int8"), std::string::npos)
      << result.kernels;
}

void random_addition(int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 3000));
  Random& random = b.random;
  // From 1024 codes on the float32 form is tried.
  const Shape shape{random.between(1, 3), random.between(1, 1500)};
  graph::BinaryAttributes a;
  a.activation = fused(random);
  const Quantization result = codes(random);
  const ValueId left = b.input(DType::I8, shape, codes(random)),
                right = b.input(DType::I8, shape, random.coin() ? codes(random) : result);
  b.output(b.node(Op::Add, a, {left, right}, DType::I8, shape, result));
  expect_equal(b, round);
}

void random_pool(int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 4000));
  Random& random = b.random;
  const auto u = [&](int low, int high) { return static_cast<std::uint32_t>(random.between(low, high)); };
  graph::PoolAttributes a;
  a.algorithm = random.coin() ? graph::PoolAlgorithm::Max : graph::PoolAlgorithm::Average;
  a.size_y = u(1, 3);
  a.size_x = u(1, 3);
  a.stride_y = u(1, 2);
  a.stride_x = u(1, 2);
  a.padding = {u(0, a.size_y > 1), u(0, a.size_x > 1), u(0, a.size_y > 1), u(0, a.size_x > 1)};
  a.activation = fused(random);
  const std::int64_t h = random.between(3, 9), w = random.between(3, 9), c = random.between(1, 100);
  const Shape out{1, (h + a.padding.top + a.padding.bottom - a.size_y) / a.stride_y + 1,
                  (w + a.padding.left + a.padding.right - a.size_x) / a.stride_x + 1, c};
  constexpr DType kTypes[] = {DType::I8, DType::U8, DType::I16};
  const DType type = kTypes[round % 3];
  Quantization q = codes(random);
  if (type == DType::U8) q.zero_points[0] += 128;
  if (type == DType::I16) q = Quantization::per_tensor(q.scale() / 128, 0);
  b.output(b.node(Op::Pool2d, a, {b.input(type, {1, h, w, c}, q)}, type, out, q));
  expect_equal(b, round);
}

// "avx512": whatever the machine has; "none": the portable kernels.
class FastInteger : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ::setenv("NPUBIN_MAX_ISA", GetParam(), 1); }
  void TearDown() override { ::unsetenv("NPUBIN_MAX_ISA"); }
};

TEST_P(FastInteger, Convolutions) {
  for (int round = 0; round < kRounds; ++round) random_convolution(round, graph::Rules::Tflite);
}
TEST_P(FastInteger, ConvolutionsOfArmNn) {
  for (int round = 0; round < kRounds; ++round) random_convolution(round, graph::Rules::ArmNn);
}
TEST_P(FastInteger, HalvesOfArmNn) {
  for (int round = 0; round < kRounds; ++round)
    for (Op op : {Op::Conv2d, Op::DepthwiseConv2d, Op::FullyConnected}) halves_by_armnn(round, op);
}
TEST_P(FastInteger, Products) {
  for (int round = 0; round < kRounds; ++round) random_product(round);
}
TEST_P(FastInteger, Additions) {
  for (int round = 0; round < kRounds; ++round) random_addition(round);
}
TEST_P(FastInteger, Pools) {
  for (int round = 0; round < kRounds; ++round) random_pool(round);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, FastInteger, testing::Values("avx512", "avx2", "sse4", "none"));

}  // namespace
}  // namespace npubin::test
