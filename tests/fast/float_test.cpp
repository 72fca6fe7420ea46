// Fast float32 kernels against the reference: random shapes, strides, paddings; fixed seeds.
#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Activation;
using graph::DataLayout;
using graph::Op;
using graph::ValueId;

void expect_close(const GraphBuilder& builder, int round) {
  const Comparison result = compare_modes(builder);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_LE(result.worst, 1e-5 * std::max(result.largest, 1.0))
      << "round " << round << ": " << result.kernels;
}

Shape image(DataLayout layout, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
  return layout == DataLayout::Nhwc ? Shape{n, h, w, c} : Shape{n, c, h, w};
}

graph::ConvAttributes random_window(Random& random, DataLayout layout) {
  graph::ConvAttributes a;
  a.layout = layout;
  const auto u = [&](int low, int high) { return static_cast<std::uint32_t>(random.between(low, high)); };
  a.padding = {u(0, 2), u(0, 2), u(0, 2), u(0, 2)};
  a.stride_y = u(1, 3);
  a.stride_x = u(1, 3);
  a.dilation_y = u(1, 2);
  a.dilation_x = u(1, 2);
  return a;
}

std::int64_t out_length(std::int64_t in, std::uint32_t before, std::uint32_t after, std::int64_t kernel,
                        std::uint32_t dilation, std::uint32_t stride) {
  return (in + before + after - ((kernel - 1) * dilation + 1)) / stride + 1;
}

graph::ActivationAttributes random_activation(Random& random) {
  static constexpr graph::ActivationAttributes kAll[] = {{Activation::Sigmoid, 0, 0, false},
                                                         {Activation::TanH, 1, 1, false},
                                                         {Activation::Linear, 0.5f, 0.1f, false},
                                                         {Activation::ReLu, 0, 0, false},
                                                         {Activation::BoundedReLu, 0.7f, -0.2f, false},
                                                         {Activation::SoftReLu, 0, 0, false},
                                                         {Activation::LeakyReLu, 0.1f, 0, false},
                                                         {Activation::Abs, 0, 0, false},
                                                         {Activation::Square, 0, 0, false},
                                                         {Activation::Elu, 0.8f, 0, false},
                                                         {Activation::HardSwish, 0, 0, false},
                                                         {Activation::TanH, 1.7f, 0.6f, false}};
  return kAll[random.between(0, 11)];
}

// A convolution over a random input, with what networks put behind it.
ValueId random_convolution(GraphBuilder& b, bool depthwise, ValueId in, std::int64_t outputs,
                           DataLayout layout) {
  Random& random = b.random;
  graph::ConvAttributes a = random_window(random, layout);
  const Shape s = b.shape(in);
  const bool nhwc = layout == DataLayout::Nhwc;
  const std::int64_t c = s[nhwc ? 3 : 1], h = s[nhwc ? 1 : 2], w = s[nhwc ? 2 : 3];
  const std::int64_t kh = random.between(1, 3), kw = random.between(1, 3);
  const std::int64_t oh = out_length(h, a.padding.top, a.padding.bottom, kh, a.dilation_y, a.stride_y);
  const std::int64_t ow = out_length(w, a.padding.left, a.padding.right, kw, a.dilation_x, a.stride_x);
  Shape weights = nhwc ? Shape{outputs, kh, kw, c} : Shape{outputs, c, kh, kw};
  if (depthwise) {
    const std::int64_t m = outputs / c;
    a.depthwise_weights = random.coin() ? graph::DepthwiseWeights::Mihw : graph::DepthwiseWeights::Hwim1;
    a.depth_multiplier = static_cast<std::uint32_t>(m);
    weights = a.depthwise_weights == graph::DepthwiseWeights::Mihw ? Shape{m, c, kh, kw}
                                                                   : Shape{1, kh, kw, outputs};
  }
  std::vector<ValueId> inputs{in, b.constant(DType::F32, weights)};
  if (random.coin()) inputs.push_back(b.constant(DType::F32, {outputs}));
  return b.node(depthwise ? Op::DepthwiseConv2d : Op::Conv2d, a, inputs, DType::F32,
                image(layout, s[0], oh, ow, outputs));
}

ValueId random_tail(GraphBuilder& b, ValueId value, DataLayout layout) {
  const Shape shape = b.shape(value);
  const std::int64_t c = shape[layout == DataLayout::Nhwc ? 3 : 1];
  for (int part = 0; part < 3; ++part) {
    switch (b.random.between(0, 4)) {
      case 0:
        value = b.node(Op::Activation, random_activation(b.random), {value}, DType::F32, shape);
        break;
      case 1: {
        graph::NormalizationAttributes a;
        a.epsilon = 0.01f;
        a.layout = layout;
        Tensor variance = random_tensor(b.random, DType::F32, {c});
        for (float& x : variance.as_mutable<float>()) x = x * x + 0.2f;
        const ValueId mean = b.constant(DType::F32, {c}), spread = b.constant(std::move(variance));
        value = b.node(Op::BatchNormalization, a,
                       {value, mean, spread, b.constant(DType::F32, {c}), b.constant(DType::F32, {c})},
                       DType::F32, shape);
        break;
      }
      case 2:
        value = b.node(Op::Add, {}, {value, b.input(DType::F32, shape)}, DType::F32, shape);
        break;
      case 3:
        if (layout == DataLayout::Nhwc)
          value = b.node(b.random.coin() ? Op::Mul : Op::Add, {},
                         {b.constant(DType::F32, {1, 1, 1, c}), value}, DType::F32, shape);
        break;
      default:
        break;
    }
  }
  return value;
}

TEST(FastFloat, Convolutions) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round));
    const DataLayout layout = b.random.between(0, 3) == 0 ? DataLayout::Nchw : DataLayout::Nhwc;
    const bool depthwise = b.random.coin();
    const std::int64_t channels = b.random.between(1, 20);
    const std::int64_t outputs = depthwise ? channels * b.random.between(1, 3) : b.random.between(1, 40);
    const ValueId in = b.input(DType::F32, image(layout, b.random.between(1, 2), b.random.between(6, 13),
                                                 b.random.between(6, 13), channels));
    b.output(random_tail(b, random_convolution(b, depthwise, in, outputs, layout), layout));
    expect_close(b, round);
  }
}

TEST(FastFloat, PadsInFrontOfConvolutions) {
  for (int round = 0; round < 20; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 100));
    const ValueId in = b.input(DType::F32, {1, 7, 8, 5});
    graph::PadAttributes pad;
    const auto u = [&] { return static_cast<std::uint32_t>(b.random.between(0, 2)); };
    const std::uint32_t channels = b.random.between(0, 3) == 0 ? 3 : 0;
    pad.pads = {{0, 0}, {u(), u()}, {u(), u()}, {0, channels}};
    pad.value = b.random.between(0, 3) == 0 ? 0.5f : 0.0f;
    Shape shape{1, 7 + pad.pads[1].first + pad.pads[1].second, 8 + pad.pads[2].first + pad.pads[2].second,
                5 + channels};
    const ValueId padded = b.node(Op::Pad, pad, {in}, DType::F32, shape);
    b.output(random_convolution(b, b.random.coin(), padded, shape[3], DataLayout::Nhwc));
    if (b.random.coin()) b.output(padded);
    expect_close(b, round);
  }
}

TEST(FastFloat, Products) {
  for (int round = 0; round < 30; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 200));
    const std::int64_t rows = b.random.between(1, 4), depth = b.random.between(1, 70),
                       outputs = b.random.between(1, 50);
    graph::FullyConnectedAttributes a;
    a.weights_transposed = b.random.coin();
    const Shape weights = a.weights_transposed ? Shape{outputs, depth} : Shape{depth, outputs};
    std::vector<ValueId> inputs{b.input(DType::F32, {rows, depth}), b.constant(DType::F32, weights)};
    if (b.random.coin()) inputs.push_back(b.constant(DType::F32, {outputs}));
    ValueId value = b.node(Op::FullyConnected, a, inputs, DType::F32, {rows, outputs});
    if (b.random.coin())
      value = b.node(Op::Activation, random_activation(b.random), {value}, DType::F32, {rows, outputs});
    b.output(value);
    expect_close(b, round);
  }
}

TEST(FastFloat, Pools) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 300));
    graph::PoolAttributes a;
    const auto u = [&](int low, int high) { return static_cast<std::uint32_t>(b.random.between(low, high)); };
    a.algorithm = static_cast<graph::PoolAlgorithm>(b.random.between(0, 2));
    a.padding_counts = b.random.coin();
    a.ceiling = b.random.coin();
    a.size_y = u(1, 4);
    a.size_x = u(1, 4);
    a.stride_y = u(1, 3);
    a.stride_x = u(1, 3);
    a.padding = {u(0, 1), u(0, 1), u(0, 1), u(0, 1)};
    const std::int64_t h = b.random.between(5, 12), w = b.random.between(5, 12), c = b.random.between(1, 40);
    const auto length = [&](std::int64_t in, std::uint32_t before, std::uint32_t after, std::uint32_t size,
                            std::uint32_t stride) {
      const std::int64_t read = in + before + after - size;
      std::int64_t out = (a.ceiling ? (read + stride - 1) / stride : read / stride) + 1;
      if ((out - 1) * stride >= in + before) --out;
      return out;
    };
    const Shape out{1, length(h, a.padding.top, a.padding.bottom, a.size_y, a.stride_y),
                    length(w, a.padding.left, a.padding.right, a.size_x, a.stride_x), c};
    const bool planes = b.random.coin();
    a.layout = planes ? DataLayout::Nchw : DataLayout::Nhwc;
    const ValueId in = b.input(DType::F32, image(a.layout, 1, h, w, c));
    b.output(b.node(Op::Pool2d, a, {in}, DType::F32, image(a.layout, 1, out[1], out[2], c)));
    expect_close(b, round);
  }
}

TEST(FastFloat, ElementWise) {
  static constexpr Op kBinary[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Minimum, Op::Maximum, Op::Prelu};
  static constexpr Op kUnary[] = {Op::Abs, Op::Neg, Op::Exp, Op::Floor};
  for (int round = 0; round < 2 * kRounds; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 400));
    const Shape whole{b.random.between(1, 3), b.random.between(1, 5), b.random.between(1, 37)};
    Shape part = whole;
    for (std::int64_t& d : part)
      if (b.random.between(0, 2) == 0) d = 1;
    const ValueId left = b.input(DType::F32, whole), right = b.input(DType::F32, part);
    const Op op = kBinary[b.random.between(0, 6)];
    const bool swap = op != Op::Prelu && b.random.coin();
    ValueId value = b.node(op, {}, {swap ? right : left, swap ? left : right}, DType::F32, whole);
    if (b.random.coin()) {
      value = b.node(kUnary[b.random.between(0, 3)], {}, {value}, DType::F32, whole);
    } else {
      value = b.node(Op::Activation, random_activation(b.random), {value}, DType::F32, whole);
    }
    b.output(value);
    const Comparison result = compare_modes(b);
    ASSERT_EQ(result.error, "");
    // Floor turns the last bit of its operand into a whole step: its operand is equal to the bit here.
    EXPECT_LE(result.worst, 1e-5 * std::max(result.largest, 1.0))
        << round << " " << to_string(op) << result.kernels;
  }
}

TEST(FastFloat, SoftmaxMeanResizeConcat) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 600));
    const std::int64_t h = b.random.between(1, 6), w = b.random.between(1, 6), c = b.random.between(1, 35);
    const ValueId in = b.input(DType::F32, {1, h, w, c});
    graph::SoftmaxAttributes softmax;
    softmax.beta = 1.5f;
    b.output(b.node(Op::Softmax, softmax, {in}, DType::F32, b.shape(in)));
    graph::ReduceAttributes mean;
    mean.axes = {1, 2};
    mean.keep_dims = true;
    b.output(b.node(Op::Reduce, mean, {in}, DType::F32, {1, 1, 1, c}));
    graph::ResizeAttributes resize;
    resize.height = static_cast<std::uint32_t>(b.random.between(1, 9));
    resize.width = static_cast<std::uint32_t>(b.random.between(1, 9));
    resize.align_corners = b.random.coin();
    resize.half_pixel_centers = !resize.align_corners && b.random.coin();
    b.output(b.node(Op::Resize, resize, {in}, DType::F32, {1, resize.height, resize.width, c}));
    graph::ConcatAttributes concat;
    concat.axis = static_cast<int>(b.random.between(0, 3));
    Shape joined = b.shape(in);
    joined[static_cast<std::size_t>(concat.axis)] *= 2;
    b.output(b.node(Op::Concat, concat, {in, in}, DType::F32, joined));
    expect_close(b, round);
  }
}

}  // namespace
}  // namespace npubin::test
