// Normalisations, padding with any constant, ArgMax and ArgMin: codes equal to the reference, float32 within
// 1e-5 of the range.
#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::DataLayout;
using graph::Op;
using graph::Rules;
using graph::ValueId;

constexpr int kRounds = 40;

void expect_as_the_reference(const GraphBuilder& b, bool exact, int round) {
  const Comparison result = compare_modes(b);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_LE(result.worst, exact ? 0 : 1e-5 * result.largest) << "round " << round << ": " << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos)
      << "round " << round << ": " << result.kernels;
}

Quantization scale_for(Random& random, DType type) {
  if (type == DType::F32 || type == DType::I32) return {};
  const float scale = 0.01f + static_cast<float>(random.between(0, 1000)) * 1e-4f;
  if (type == DType::I16) return Quantization::per_tensor(scale / 100, 0);
  return Quantization::per_tensor(scale,
                                  type == DType::U8 ? random.between(0, 255) : random.between(-128, 127));
}

Shape image_shape(DataLayout layout, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
  return layout == DataLayout::Nchw ? Shape{n, c, h, w} : Shape{n, h, w, c};
}

// Variances have no sign.
ValueId positive(GraphBuilder& b, std::int64_t count) {
  Tensor tensor(DType::F32, {count});
  for (float& x : tensor.as_mutable<float>()) x = 0.5f + 0.4f * b.random.real();
  return b.constant(std::move(tensor));
}

TEST(FastNormalizations, OfArmNn) {
  for (DType type : {DType::F32, DType::U8, DType::I8, DType::I16})
    for (int round = 0; round < kRounds; ++round) {
      GraphBuilder b(Rules::ArmNn, static_cast<std::uint32_t>(round + 19000));
      Random& random = b.random;
      graph::NormalizationAttributes a;
      const bool batch = type == DType::F32 && round % 3 == 1, instance = round % 3 == 0;
      if ((batch || instance) && random.coin()) a.layout = DataLayout::Nchw;
      a.epsilon = 1e-3f;
      a.gamma = 1.3f;
      a.beta = 0.2f;
      const std::int64_t c = random.between(1, 40);
      const Shape shape =
          image_shape(a.layout, random.between(1, 2), random.between(1, 9), random.between(1, 9), c);
      std::vector<ValueId> inputs{b.input(type, shape, scale_for(random, type))};
      const Op op = batch      ? Op::BatchNormalization
                    : instance ? Op::InstanceNormalization
                               : Op::L2Normalization;
      if (batch) {
        const ValueId mean = b.constant(DType::F32, {c}), variance = positive(b, c);
        inputs.insert(inputs.end(),
                      {mean, variance, b.constant(DType::F32, {c}), b.constant(DType::F32, {c})});
      }
      b.output(b.node(op, a, inputs, type, shape, scale_for(random, type)));
      expect_as_the_reference(b, type != DType::F32, round);
    }
}

TEST(FastNormalizations, L2OfTensorFlowLite) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(Rules::Tflite, static_cast<std::uint32_t>(round + 19100));
    const Shape shape{b.random.between(1, 9), b.random.between(1, 200)};
    b.output(b.node(Op::L2Normalization, graph::NormalizationAttributes{}, {b.input(DType::F32, shape)},
                    DType::F32, shape));
    expect_as_the_reference(b, false, round);
  }
}

TEST(FastPads, WithAnyConstant) {
  for (DType type : {DType::F32, DType::I32, DType::I8, DType::U8, DType::I16})
    for (int round = 0; round < kRounds; ++round) {
      GraphBuilder b(Rules::Tflite, static_cast<std::uint32_t>(round + 19200));
      Random& random = b.random;
      const Quantization q = scale_for(random, type);
      graph::PadAttributes a;
      Shape in, out;
      for (int d = 0; d < 4; ++d) {
        in.push_back(random.between(1, 8));
        a.pads.emplace_back(random.between(0, 3), random.between(0, 2));
        out.push_back(in.back() + a.pads.back().first + a.pads.back().second);
      }
      Tensor pads(DType::I32, {4, 2});
      for (std::size_t k = 0; k < 8; ++k)
        pads.as_mutable<std::int32_t>()[k] =
            static_cast<std::int32_t>(k % 2 == 0 ? a.pads[k / 2].first : a.pads[k / 2].second);
      std::vector<ValueId> inputs{b.input(type, in, q), b.constant(std::move(pads))};
      if (random.coin()) inputs.push_back(b.constant(type, {1}, q));
      b.output(b.node(Op::Pad, a, inputs, type, out, q));
      expect_as_the_reference(b, true, round);
    }
}

TEST(FastArgs, AlongTheLastAxis) {
  for (DType type : {DType::F32, DType::I8, DType::U8, DType::I16, DType::I32})
    for (int round = 0; round < kRounds; ++round) {
      GraphBuilder b(Rules::Tflite, static_cast<std::uint32_t>(round + 19300));
      const Shape shape{b.random.between(1, 9), b.random.between(1, 4), b.random.between(1, 100)};
      graph::ArgMinMaxAttributes a;
      a.maximum = b.random.coin();
      a.axis = b.random.coin() ? -1 : 2;
      Tensor axis(DType::I32, {});
      axis.as_mutable<std::int32_t>()[0] = a.axis;
      const ValueId in = b.input(type, shape, scale_for(b.random, type));
      b.output(b.node(Op::ArgMinMax, a, {in, b.constant(std::move(axis))},
                      b.random.coin() ? DType::I32 : DType::I64, {shape[0], shape[1]}));
      expect_as_the_reference(b, true, round);
    }
}

}  // namespace
}  // namespace npubin::test
