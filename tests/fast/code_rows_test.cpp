// Softmax, mean, encodings and tables of codes by TensorFlow Lite's rules: equal to the reference to the
// byte.
#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

void expect_equal(const GraphBuilder& builder, int round, const std::string& kernel) {
  const Comparison result = compare_modes(builder);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_NE(result.kernels.find(kernel), std::string::npos) << "round " << round << ": " << result.kernels;
}

TEST(FastCodeRows, Softmax) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 9000));
    const Shape shape{b.random.between(1, 4), b.random.between(1, round % 3 == 0 ? 400 : 30)};
    graph::SoftmaxAttributes a;
    a.beta = b.random.coin() ? 1.0f : 0.3f;
    const DType from = round % 4 == 0 ? DType::U8 : DType::I8;
    const DType to = round % 4 == 1 ? DType::I16 : from;
    const ValueId in = b.input(from, shape, random_quantization(b.random, from));
    b.output(b.node(
        Op::Softmax, a, {in}, to, shape,
        Quantization::per_tensor(to == DType::I16 ? 1.0f / 65536 : 1.0f / 256, to == DType::U8    ? 0
                                                                               : to == DType::I16 ? -32768
                                                                                                  : -128)));
    expect_equal(b, round, "own softmax of codes");
  }
}

TEST(FastCodeRows, Means) {
  static constexpr DType kTypes[] = {DType::I8, DType::U8, DType::I16};
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 9100));
    const DType type = kTypes[round % 3];
    const Shape shape{b.random.between(1, 3), b.random.between(1, 9), b.random.between(1, 9),
                      b.random.between(1, 70)};
    graph::ReduceAttributes a;
    a.operation =
        type == DType::I8 && b.random.coin() ? graph::ReduceOperation::Sum : graph::ReduceOperation::Mean;
    a.keep_dims = true;
    const bool last = b.random.coin();
    a.axes = last ? std::vector<std::int32_t>{-1} : std::vector<std::int32_t>{1, 2};
    const ValueId in = b.input(type, shape, random_quantization(b.random, type));
    b.output(b.node(Op::Reduce, a, {in}, type,
                    last ? Shape{shape[0], shape[1], shape[2], 1} : Shape{shape[0], 1, 1, shape[3]},
                    random_quantization(b.random, type)));
    expect_equal(b, round, "own mean of codes");
  }
}

TEST(FastCodeRows, Encodings) {
  static constexpr DType kTypes[] = {DType::I8, DType::U8, DType::I16};
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 9200));
    const DType type = kTypes[round % 3];
    const Shape shape{b.random.between(1, 300)};
    const Quantization q = random_quantization(b.random, type);
    const ValueId in = b.input(DType::F32, shape);
    b.output(b.node(Op::Quantize, {}, {in}, type, shape, q));
    expect_equal(b, round, "own encoding");
    GraphBuilder back(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 9300));
    const DType narrow = type == DType::I16 ? DType::I8 : type;
    const ValueId code = back.input(narrow, shape, random_quantization(b.random, narrow));
    back.output(back.node(Op::Dequantize, {}, {code}, DType::F32, shape));
    expect_equal(back, round, "own table of 256");
  }
}

TEST(FastCodeRows, TablesOfWordsAndBroadcasts) {
  for (int round = 0; round < 6; ++round) {
    GraphBuilder b(graph::Rules::ArmNn, static_cast<std::uint32_t>(round + 9400));
    const Shape shape{1, 16, 32, 40};
    graph::ActivationAttributes a;
    a.function = round % 2 == 0 ? graph::Activation::TanH : graph::Activation::LeakyReLu;
    a.a = round % 2 == 0 ? 1.0f : 0.1f;
    a.b = 1;
    const ValueId word = b.input(DType::I16, shape, Quantization::per_tensor(1.0f / 4096, 0));
    b.output(b.node(Op::Activation, a, {word}, DType::I16, shape, Quantization::per_tensor(1.0f / 32768, 0)));
    expect_equal(b, round, "own table of 65536");
    GraphBuilder c(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 9500));
    const ValueId whole = c.input(DType::I8, shape, random_quantization(c.random, DType::I8)),
                  channels = c.input(DType::I8, round < 3 ? Shape{1, 1, 1, 40} : Shape{1},
                                     random_quantization(c.random, DType::I8));
    c.output(
        c.node(Op::Div, graph::BinaryAttributes{},
               round % 2 == 0 ? std::vector<ValueId>{whole, channels} : std::vector<ValueId>{channels, whole},
               DType::I8, shape, random_quantization(c.random, DType::I8)));
    expect_equal(c, round, "own table of 65536");
  }
}

}  // namespace
}  // namespace npubin::test
