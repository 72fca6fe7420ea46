// TensorFlow Lite's convolutions and products of uint8 and int16: equal to the
// reference to the bit, with every instruction set that this machine has.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

struct Types {
  DType codes, weights, bias;  // a bias of Bool: none
};

constexpr Types kTypes[] = {{DType::U8, DType::U8, DType::I32},
                            {DType::U8, DType::U8, DType::Bool},
                            {DType::I16, DType::I8, DType::I64},
                            {DType::I16, DType::I8, DType::I32},
                            {DType::I16, DType::I8, DType::Bool}};

Quantization codes(Random& random, DType type) {
  const float scale =
      0.01f + static_cast<float>(random.between(0, 1000)) * (type == DType::I16 ? 1e-6f : 1e-4f);
  const std::int64_t zero = type == DType::U8   ? random.between(0, 255)
                            : type == DType::I8 ? random.between(-128, 127)
                                                : 0;
  return Quantization::per_tensor(type == DType::I16 ? scale / 100 : scale, zero);
}

Quantization weight_scales(Random& random, const Types& types, std::int64_t channels, int axis) {
  Quantization q = Quantization::per_tensor(0.002f, types.weights == DType::U8 ? random.between(90, 160) : 0);
  if (types.codes == DType::I16 && random.coin()) {
    q.axis = axis;
    q.scales.assign(static_cast<std::size_t>(channels), 0.0f);
    for (float& scale : q.scales) scale = 0.0005f + 0.002f * (1 + random.real());
  }
  return q;
}

graph::ActivationAttributes random_code_activation(Random& random) {
  if (random.coin()) return {};
  return {graph::Activation::BoundedReLu, 6, 0, false};
}

void expect_codes_equal(const GraphBuilder& builder, int round, const std::string& kernel) {
  const Comparison result = compare_modes(builder);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_NE(result.kernels.find(kernel), std::string::npos) << "round " << round << ": " << result.kernels;
}

void random_convolution(int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 7000));
  Random& random = b.random;
  const Types& types = kTypes[round % 5];
  const auto u = [&](int low, int high) { return static_cast<std::uint32_t>(random.between(low, high)); };
  const bool depthwise = random.coin();
  const std::int64_t c = random.between(1, 70), h = random.between(3, 9), w = random.between(3, 9);
  const std::int64_t kh = random.between(1, 3), kw = random.between(1, 3);
  const std::int64_t multiplier = random.between(0, 2) == 0 ? random.between(2, 5) : 1;
  const std::int64_t outputs = depthwise ? c * multiplier : random.between(1, 50);
  graph::ConvAttributes a;
  if (depthwise) a.depth_multiplier = static_cast<std::uint32_t>(multiplier);
  a.padding = {u(0, 1), u(0, 1), u(0, 1), u(0, 1)};
  a.stride_y = u(1, 2);
  a.stride_x = u(1, 2);
  a.dilation_y = h >= 5 ? u(1, 2) : 1;
  a.dilation_x = w >= 5 ? u(1, 2) : 1;
  a.activation = random_code_activation(random);
  const auto length = [](std::int64_t in, std::uint32_t before, std::uint32_t after, std::int64_t kernel,
                         std::uint32_t dilation, std::uint32_t stride) {
    return (in + before + after - ((kernel - 1) * dilation + 1)) / stride + 1;
  };
  const Shape out{random.between(1, 2),
                  length(h, a.padding.top, a.padding.bottom, kh, a.dilation_y, a.stride_y),
                  length(w, a.padding.left, a.padding.right, kw, a.dilation_x, a.stride_x), outputs};
  const Shape weights = depthwise ? Shape{1, kh, kw, outputs} : Shape{outputs, kh, kw, c};
  std::vector<ValueId> inputs{
      b.input(types.codes, {out[0], h, w, c}, codes(random, types.codes)),
      b.constant(types.weights, weights, weight_scales(random, types, outputs, depthwise ? 3 : 0))};
  if (types.bias != DType::Bool) inputs.push_back(b.constant(types.bias, {outputs}));
  b.output(b.node(depthwise ? Op::DepthwiseConv2d : Op::Conv2d, a, inputs, types.codes, out,
                  codes(random, types.codes)));
  expect_codes_equal(b, round, "own int16");
}

void random_wide_product(int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 8000));
  Random& random = b.random;
  const Types& types = kTypes[round % 5];
  const std::int64_t rows = random.between(1, 30), depth = random.between(1, round % 3 == 0 ? 1500 : 130),
                     outputs = random.between(1, 40);
  graph::FullyConnectedAttributes a;
  a.activation = random_code_activation(random);
  std::vector<ValueId> inputs{
      b.input(types.codes, {rows, depth}, codes(random, types.codes)),
      b.constant(types.weights, {outputs, depth}, weight_scales(random, types, outputs, 0))};
  if (types.bias != DType::Bool) inputs.push_back(b.constant(types.bias, {outputs}));
  b.output(b.node(Op::FullyConnected, a, inputs, types.codes, {rows, outputs}, codes(random, types.codes)));
  expect_codes_equal(b, round, "own int16 product");
}

TEST(Wide, Convolutions) {
  on_every_instruction_set([] {
    for (int round = 0; round < 60; ++round) random_convolution(round);
  });
}

TEST(Wide, Products) {
  on_every_instruction_set([] {
    for (int round = 0; round < 60; ++round) random_wide_product(round);
  });
}

}  // namespace
}  // namespace npubin::test
