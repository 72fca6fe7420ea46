// Bilinear resizing: int8 by TensorFlow Lite's rules equal to the reference to the byte with every
// instruction set of this machine, float32 within 1e-5 of the range.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::DataLayout;
using graph::Op;

GraphBuilder random_resize(graph::Rules rules, DType type, DataLayout layout, int round) {
  GraphBuilder b(rules, static_cast<std::uint32_t>(round + 12000));
  Random& random = b.random;
  const std::int64_t n = random.between(1, 2), h = random.between(1, 9), w = random.between(1, 9),
                     c = random.between(1, round % 4 == 0 ? 400 : 40);
  graph::ResizeAttributes a;
  a.layout = layout;
  a.height = static_cast<std::uint32_t>(random.between(1, 25));
  a.width = static_cast<std::uint32_t>(random.between(1, 25));
  a.align_corners = random.coin();
  a.half_pixel_centers = !a.align_corners && random.coin();
  const bool planes = layout == DataLayout::Nchw;
  const Shape in = planes ? Shape{n, c, h, w} : Shape{n, h, w, c};
  const Shape out = planes ? Shape{n, c, a.height, a.width} : Shape{n, a.height, a.width, c};
  const Quantization q = type == DType::I8 ? Quantization::per_tensor(0.05f, 3) : Quantization{};
  b.output(b.node(Op::Resize, a, {b.input(type, in, q)}, type, out, q));
  return b;
}

void expect_within(double tolerance, graph::Rules rules, DType type, DataLayout layout) {
  for (int round = 0; round < 60; ++round) {
    const Comparison result = compare_modes(random_resize(rules, type, layout, round));
    ASSERT_EQ(result.error, "") << "round " << round;
    EXPECT_LE(result.worst, tolerance * result.largest) << "round " << round << ": " << result.kernels;
    EXPECT_NE(result.kernels.find("own resize"), std::string::npos) << "round " << round;
  }
}

TEST(FastResize, Float) {
  expect_within(1e-5, graph::Rules::Tflite, DType::F32, DataLayout::Nhwc);
  expect_within(1e-5, graph::Rules::ArmNn, DType::F32, DataLayout::Nhwc);
  expect_within(1e-5, graph::Rules::ArmNn, DType::F32, DataLayout::Nchw);
}

TEST(FastResize, Codes) {
  on_every_instruction_set([] { expect_within(0, graph::Rules::Tflite, DType::I8, DataLayout::Nhwc); });
}

}  // namespace
}  // namespace npubin::test
