// BATCH_MATMUL: int8 and int16 equal to the reference to the byte on every instruction set of this machine,
// float32 within 1e-5 of the range.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

GraphBuilder random_products(DType type, int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 16000));
  Random& random = b.random;
  const std::int64_t rows = random.between(1, 40), columns = random.between(1, 40),
                     inner = random.between(1, round % 8 == 0 ? 1200 : 60);
  graph::BatchMatMulAttributes a;
  a.transpose_x = random.coin();
  a.transpose_y = random.coin();
  Shape x, y, out;
  for (std::int64_t d = random.between(0, 3); d > 0; --d) {
    const std::int64_t length = random.between(1, 4), kind = random.between(0, 3);
    x.push_back(kind == 1 ? 1 : length);
    y.push_back(kind == 2 ? 1 : length);
    out.push_back(length);
  }
  while (!y.empty() && y[0] == 1 && random.coin()) y.erase(y.begin());
  x.insert(x.end(), {a.transpose_x ? inner : rows, a.transpose_x ? rows : inner});
  y.insert(y.end(), {a.transpose_y ? columns : inner, a.transpose_y ? inner : columns});
  out.insert(out.end(), {rows, columns});
  const ValueId left = b.input(type, x, random_quantization(random, type));
  const ValueId right = random.coin() ? b.constant(type, y, random_quantization(random, type))
                                      : b.input(type, y, random_quantization(random, type));
  Quantization result = random_quantization(random, type);
  if (type != DType::F32) result.scales[0] *= static_cast<float>(inner);
  b.output(b.node(Op::BatchMatMul, a, {left, right}, type, out, result));
  return b;
}

void expect_within(DType type, double tolerance) {
  for (int round = 0; round < 80; ++round) {
    const Comparison result = compare_modes(random_products(type, round));
    ASSERT_EQ(result.error, "") << "round " << round;
    EXPECT_LE(result.worst, tolerance * result.largest) << "round " << round << ": " << result.kernels;
    const char* kernel = type == DType::F32 ? "oneDNN matmul" : "own int16 product";
    EXPECT_NE(result.kernels.find(kernel), std::string::npos) << "round " << round << ": " << result.kernels;
  }
}

TEST(FastBatchProduct, Float) {
  expect_within(DType::F32, 1e-5);
}

TEST(FastBatchProduct, Codes) {
  on_every_instruction_set([] {
    expect_within(DType::I8, 0);
    expect_within(DType::I16, 0);
  });
}

}  // namespace
}  // namespace npubin::test
