// Activations and requantisation of int16 by TensorFlow Lite's rules: equal to the reference to the byte on
// every instruction set of this machine.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Activation;
using graph::Op;

constexpr Activation kFunctions[] = {Activation::Sigmoid, Activation::TanH, Activation::ReLu,
                                     Activation::LeakyReLu};

Quantization scale_of(Random& random) {
  // Powers of two take another way through the squashing functions.
  if (random.between(0, 3) == 0)
    return Quantization::per_tensor(1.0f / static_cast<float>(1 << random.between(10, 14)), 0);
  return Quantization::per_tensor(1e-5f * static_cast<float>(random.between(1, 100)), 0);
}

void random_map(int round, bool requantised) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 18000));
  Random& random = b.random;
  const Shape shape{random.between(1, 4), random.between(1, 900)};
  const graph::ValueId in = b.input(DType::I16, shape, scale_of(random));
  if (requantised) {
    const DType type = random.coin() ? DType::I8 : DType::I16;
    Quantization q = scale_of(random);
    if (type == DType::I8) q = Quantization::per_tensor(q.scale() * 100, random.between(-128, 127));
    b.output(b.node(Op::Quantize, {}, {in}, type, shape, q));
  } else {
    graph::ActivationAttributes a;
    a.function = kFunctions[round % 4];
    a.a = a.function == Activation::TanH ? 1.0f : random.real();
    a.b = 1;
    const bool squash = round % 4 < 2;
    b.output(b.node(Op::Activation, a, {in}, DType::I16, shape,
                    squash ? Quantization::per_tensor(1.0f / 32768, 0) : scale_of(random)));
  }
  const Comparison result = compare_modes(b);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_NE(result.kernels.find("own codes"), std::string::npos)
      << "round " << round << ": " << result.kernels;
}

TEST(FastCodeMaps, EqualTheReference) {
  on_every_instruction_set([] {
    for (int round = 0; round < 60; ++round) random_map(round, false);
    for (int round = 0; round < 30; ++round) random_map(round, true);
  });
}

}  // namespace
}  // namespace npubin::test
