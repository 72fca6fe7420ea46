// Arm NN's codes and half floats around float32 kernels: conversions and codes to the bit, halves within one
// step.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "exec/fast/kernels_convert.h"
#include "exec/reference/armnn/numeric.h"
#include "npubin/half.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

Tensor all_patterns(DType type, const Quantization& quantization) {
  const std::int64_t count = size_of(type) == 1 ? 256 : 65536;
  Tensor tensor(type, {count}, quantization);
  if (size_of(type) == 1)
    for (std::int64_t i = 0; i < count; ++i)
      tensor.as_mutable<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  else
    for (std::int64_t i = 0; i < count; ++i)
      tensor.as_mutable<std::uint16_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(i);
  return tensor;
}

// Numbers of every magnitude, halves between codes and their neighbours, and what is no number.
std::vector<float> many_numbers(float scale) {
  std::vector<float> numbers{
      0.0f,     -0.0f,    INFINITY, -INFINITY, NAN,  std::numeric_limits<float>::denorm_min(),
      65504.0f, 65519.0f, 65520.0f, 65536.0f,  1e30f};
  for (int i = -70000; i < 70000; i += 7)
    for (float part : {0.0f, 0.5f, 0.49999997f}) {
      const float x = (static_cast<float>(i) + part) * scale;
      numbers.insert(numbers.end(), {x, std::nextafter(x, 1e9f), std::nextafter(x, -1e9f)});
    }
  Random random(8);
  for (int i = 0; i < 50000; ++i)
    numbers.push_back(std::ldexp(random.real(), static_cast<int>(random.between(-30, 20))));
  // Half floats: exactly between two neighbours, normal and subnormal.
  for (std::uint32_t half = 0; half < 0x7C00u; half += 3) {
    const float low = half_to_float(static_cast<std::uint16_t>(half)),
                high = half_to_float(static_cast<std::uint16_t>(half + 1));
    if (std::isfinite(high)) numbers.insert(numbers.end(), {low / 2 + high / 2, -(low / 2 + high / 2)});
  }
  return numbers;
}

TEST(Decoded, ConversionsAreTheReferencesToTheBit) {
  struct Case {
    DType type;
    Quantization quantization;
  };
  for (const Case& c : {Case{DType::U8, Quantization::per_tensor(0.37f, 121)},
                        Case{DType::I8, Quantization::per_tensor(0.0011f, -128)},
                        Case{DType::I16, Quantization::per_tensor(1.9f, 0)}, Case{DType::F16, {}}}) {
    SCOPED_TRACE(to_string(c.type));
    const auto zero = static_cast<std::int32_t>(c.quantization.zero_point());
    const Tensor patterns = all_patterns(c.type, c.quantization);
    const auto want = exec::armnn::decode(patterns);
    std::vector<float> got(want.size());
    exec::fast::decode_elements(patterns.data(), c.type, c.quantization.scale(), zero, got.size(),
                                got.data());
    EXPECT_EQ(std::memcmp(want.data(), got.data(), got.size() * sizeof(float)), 0);

    const std::vector<float> numbers = many_numbers(c.quantization.scale());
    Tensor encoded(c.type, {static_cast<std::int64_t>(numbers.size())}, c.quantization);
    exec::armnn::encode(numbers, encoded);
    Tensor fast = encoded.clone();
    std::memset(fast.mutable_data(), 0x55, fast.byte_size());
    exec::fast::encode_elements(numbers.data(), c.type, c.quantization.scale(), zero, numbers.size(),
                                fast.mutable_data());
    std::size_t different = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (std::memcmp(encoded.data() + i * size_of(c.type), fast.data() + i * size_of(c.type),
                      size_of(c.type)) != 0)
        if (different++ < 5) ADD_FAILURE() << numbers[i];
    EXPECT_EQ(different, 0u);
  }
}

struct Stored {
  DType type;
  Quantization quantization;
};

Stored random_storage(Random& random, float scale) {
  switch (random.between(0, 3)) {
    case 0:
      return {DType::U8, Quantization::per_tensor(scale, random.between(0, 255))};
    case 1:
      return {DType::I16, Quantization::per_tensor(scale / 100, 0)};
    case 2:
      return {DType::I8, Quantization::per_tensor(scale, random.between(-128, 127))};
    default:
      return {DType::F16, {}};
  }
}

// Codes must be equal, halves may differ by their last place.
void expect_as_the_reference(const GraphBuilder& b, DType type, int round) {
  const Comparison result = compare_modes(b);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_LE(result.worst, type == DType::F16 ? std::max(result.largest, 1e-3) * 1.0 / 1024 : 0.0)
      << "round " << round << ": " << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos)
      << "round " << round << ": " << result.kernels;
}

TEST(Decoded, Convolutions) {
  for (int round = 0; round < 60; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 5000));
    Random& random = b.random;
    const Stored in = random_storage(random, 0.02f);
    const Quantization out_scale = in.type == DType::F16   ? Quantization{}
                                   : in.type == DType::I16 ? Quantization::per_tensor(0.003f, 0)
                                                           : Quantization::per_tensor(0.3f, 7);
    const std::int64_t c = random.between(1, 20), h = random.between(3, 8), w = random.between(3, 8);
    const bool depthwise = random.coin();
    const std::int64_t multiplier = depthwise ? random.between(1, 2) : 1;
    const std::int64_t outputs = depthwise ? c * multiplier : random.between(1, 20);
    graph::ConvAttributes a;
    a.padding = {1, static_cast<std::uint32_t>(random.between(0, 1)), 1,
                 static_cast<std::uint32_t>(random.between(0, 1))};
    a.stride_y = static_cast<std::uint32_t>(random.between(1, 2));
    a.dilation_x = w >= 5 ? static_cast<std::uint32_t>(random.between(1, 2)) : 1;
    if (random.coin()) a.layout = graph::DataLayout::Nchw;
    a.depth_multiplier = static_cast<std::uint32_t>(multiplier);
    a.depthwise_weights = graph::DepthwiseWeights::Mihw;
    const DType weight_type = in.type == DType::I16 ? DType::I16 : in.type;
    Quantization weight_scale;
    if (in.type != DType::F16) {
      weight_scale =
          Quantization::per_tensor(in.type == DType::I16 ? 0.0001f : 0.01f, in.type == DType::U8 ? 119 : 0);
      if (in.type == DType::I8 && random.coin()) {
        weight_scale.axis = depthwise ? 1 : 0;
        weight_scale.scales.resize(static_cast<std::size_t>(depthwise ? c : outputs));
        for (float& s : weight_scale.scales) s = 0.005f + 0.01f * std::fabs(random.real());
        if (weight_scale.scales.size() == 1 || multiplier != 1)
          weight_scale = Quantization::per_tensor(0.01f, 3);
      }
    }
    const bool planes = a.layout == graph::DataLayout::Nchw;
    const Shape weights = depthwise ? Shape{multiplier, c, 3, 3}
                          : planes  ? Shape{outputs, c, 3, 3}
                                    : Shape{outputs, 3, 3, c};
    const auto image = [&](std::int64_t channels, std::int64_t rows, std::int64_t columns) {
      return planes ? Shape{2, channels, rows, columns} : Shape{2, rows, columns, channels};
    };
    const std::int64_t out_h = (h + a.padding.top + a.padding.bottom - 3) / a.stride_y + 1;
    const std::int64_t out_w = w + a.padding.left + a.padding.right - 2 * a.dilation_x;
    const ValueId x = b.input(in.type, image(c, h, w), in.quantization);
    std::vector<ValueId> inputs{x, b.constant(weight_type, weights, weight_scale)};
    if (random.coin() && in.type == DType::F16) inputs.push_back(b.constant(DType::F16, {outputs}));
    if (random.coin() && in.type == DType::U8)
      inputs.push_back(b.constant(DType::I32, {outputs}, Quantization::per_tensor(0.0002f, 0)));
    b.output(b.node(depthwise ? Op::DepthwiseConv2d : Op::Conv2d, a, inputs, in.type,
                    image(outputs, out_h, out_w), out_scale));
    expect_as_the_reference(b, in.type, round);
  }
}

TEST(Decoded, Products) {
  for (int round = 0; round < 40; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 5500));
    Random& random = b.random;
    const bool words = random.coin();
    const DType type = words ? DType::I16 : DType::U8;
    const std::int64_t rows = random.between(1, 9), depth = random.between(1, 300),
                       outputs = random.between(1, 50);
    graph::FullyConnectedAttributes a;
    a.weights_transposed = random.coin();
    const ValueId x = b.input(type, {rows, depth}, Quantization::per_tensor(0.0173f, words ? 0 : 131));
    const ValueId weights =
        b.constant(type, a.weights_transposed ? Shape{outputs, depth} : Shape{depth, outputs},
                   Quantization::per_tensor(words ? 0.00013f : 0.011f, words ? 0 : 117));
    const Quantization out = Quantization::per_tensor(words ? 0.7f : 0.23f, words ? 0 : 128);
    b.output(b.node(Op::FullyConnected, a, {x, weights}, type, {rows, outputs}, out));
    expect_as_the_reference(b, type, round);
  }
}

// More channels than are summed together.
TEST(Decoded, WideDepthwise) {
  GraphBuilder b(graph::Rules::ArmNn, 5600);
  graph::ConvAttributes a;
  a.padding = {1, 1, 1, 1};
  const Quantization q = Quantization::per_tensor(0.0173f, 0);
  const ValueId x = b.input(DType::I16, {1, 4, 4, 1030}, q),
                weights = b.constant(DType::I16, {1, 3, 3, 1030}, Quantization::per_tensor(0.00013f, 0));
  b.output(b.node(Op::DepthwiseConv2d, a, {x, weights}, DType::I16, {1, 4, 4, 1030},
                  Quantization::per_tensor(0.05f, 0)));
  expect_as_the_reference(b, DType::I16, 0);
}

// Operands that repeat, and an activation that is taken along.
TEST(Decoded, PairsOfCodes) {
  for (int round = 0; round < 80; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 5700));
    Random& random = b.random;
    const DType type =
        std::array{DType::I8, DType::U8, DType::I16}[static_cast<std::size_t>(random.between(0, 2))];
    const auto codes = [&] {
      const std::int64_t zero = type == DType::I16 ? 0 : random.between(0, 127);
      return Quantization::per_tensor(0.003f + 0.001f * static_cast<float>(random.between(0, 90)), zero);
    };
    const Shape shape{2, random.between(1, 9), random.between(1, 300), random.between(1, 5)};
    const Shape other = random.coin() ? shape : Shape{1, 1, random.coin() ? shape[2] : 1, shape[3]};
    constexpr Op kOps[] = {Op::Add, Op::Sub, Op::Mul, Op::Minimum, Op::Maximum, Op::Prelu};
    const Op op = kOps[round % std::size(kOps)];
    const Quantization out = codes();
    const ValueId left = b.input(type, shape, codes()), right = b.input(type, other, codes());
    ValueId last = b.node(op, graph::BinaryAttributes{}, {left, right}, type, shape, out);
    const bool cut = random.coin();
    if (cut)
      last = b.node(Op::Activation,
                    graph::ActivationAttributes{graph::Activation::BoundedReLu, 2.1f, 0.2f, false}, {last},
                    type, shape, out);
    b.output(last);
    expect_as_the_reference(b, type, round);
  }
}

TEST(Decoded, PoolsSoftmaxElementWise) {
  for (int round = 0; round < 80; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 6000));
    const Stored s = random_storage(b.random, 0.02f);
    const std::int64_t c = b.random.between(4, 30);
    const Shape shape{1, 6, 8, c};
    const ValueId x = b.input(s.type, shape, s.quantization);
    const auto node = [&](Op op, graph::Attributes attributes, std::vector<ValueId> inputs,
                          const Shape& out) {
      b.output(b.node(op, std::move(attributes), std::move(inputs), s.type, out, s.quantization));
    };
    switch (round % 6) {
      case 0:
      case 1: {
        graph::PoolAttributes pool;
        pool.layout = round % 6 == 0 ? graph::DataLayout::Nhwc : graph::DataLayout::Nchw;
        pool.algorithm = b.random.coin() ? graph::PoolAlgorithm::Max : graph::PoolAlgorithm::Average;
        pool.size_y = pool.size_x = pool.stride_y = pool.stride_x = 2;
        if (round % 6 == 0) {
          node(Op::Pool2d, pool, {x}, {1, 3, 4, c});
        } else {
          const ValueId planes = b.input(s.type, {1, c, 6, 8}, s.quantization);
          node(Op::Pool2d, pool, {planes}, {1, c, 3, 4});
        }
        break;
      }
      case 2: {
        graph::SoftmaxAttributes softmax;
        softmax.beta = 0.8f;
        node(Op::Softmax, softmax, {x}, shape);
        break;
      }
      case 3:
        node(Op::Add, graph::BinaryAttributes{}, {x, b.input(s.type, shape, s.quantization)}, shape);
        break;
      case 4: {
        graph::ReduceAttributes mean;
        mean.axes = {1, 2};
        mean.keep_dims = true;
        node(Op::Reduce, mean, {x}, {1, 1, 1, c});
        break;
      }
      default: {
        graph::ResizeAttributes resize;
        resize.height = 9;
        resize.width = 5;
        node(Op::Resize, resize, {x}, {1, 9, 5, c});
      }
    }
    expect_as_the_reference(b, s.type, round);
  }
}

}  // namespace
}  // namespace npubin::test
