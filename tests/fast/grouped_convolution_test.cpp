// Convolutions of codes in groups: equal to the reference to the byte.
#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

struct GroupedTypes {
  DType codes, weights, bias;  // a bias of Bool: none
};

constexpr GroupedTypes kGroupedTypes[] = {{DType::I8, DType::I8, DType::I32},
                                          {DType::I8, DType::I8, DType::Bool},
                                          {DType::U8, DType::U8, DType::I32},
                                          {DType::I16, DType::I8, DType::I64}};

Quantization grouped_scale(Random& random, DType type) {
  const float scale = 0.02f + static_cast<float>(random.between(0, 1000)) * 1e-4f;
  if (type == DType::I16) return Quantization::per_tensor(scale / 100, 0);
  return Quantization::per_tensor(scale,
                                  type == DType::U8 ? random.between(0, 255) : random.between(-128, 127));
}

TEST(FastGroupedConvolutions, EqualTheReference) {
  for (int round = 0; round < 60; ++round) {
    GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 21000));
    Random& random = b.random;
    const GroupedTypes& types = kGroupedTypes[round % 4];
    const std::int64_t groups = random.between(2, 6), depth = random.between(1, 20),
                       outputs = groups * random.between(1, 20), h = random.between(3, 8),
                       w = random.between(3, 8), n = random.between(1, 2);
    graph::ConvAttributes a;
    a.padding = {1, 1, 1, 1};
    a.stride_y = static_cast<std::uint32_t>(random.between(1, 2));
    Quantization scales = Quantization::per_tensor(0.002f, types.weights == DType::U8 ? 120 : 0);
    if (types.weights == DType::I8 && random.coin()) {
      scales.scales.assign(static_cast<std::size_t>(outputs), 0.0f);
      for (float& scale : scales.scales) scale = 0.0005f + 0.002f * (1 + random.real());
    }
    std::vector<ValueId> inputs{
        b.input(types.codes, {n, h, w, groups * depth}, grouped_scale(random, types.codes)),
        b.constant(types.weights, {outputs, 3, 3, depth}, scales)};
    if (types.bias != DType::Bool) inputs.push_back(b.constant(types.bias, {outputs}));
    b.output(b.node(Op::Conv2d, a, inputs, types.codes, {n, (h - 1) / a.stride_y + 1, w, outputs},
                    grouped_scale(random, types.codes)));
    const Comparison result = compare_modes(b);
    ASSERT_EQ(result.error, "") << "round " << round;
    EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
    EXPECT_NE(result.kernels.find("in groups: "), std::string::npos)
        << "round " << round << ": " << result.kernels;
  }
}

}  // namespace
}  // namespace npubin::test
