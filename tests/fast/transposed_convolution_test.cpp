// Transposed convolutions: codes equal to the reference to the byte, float32 within 1e-5 of the range.
#include <cstdlib>

#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::DataLayout;
using graph::Op;
using graph::ValueId;

struct Kind {
  graph::Rules rules;
  DType codes, weights, bias;  // a bias of Bool: none
  DataLayout layout;
  const char* name;
};

constexpr Kind kKinds[] = {
    {graph::Rules::Tflite, DType::F32, DType::F32, DType::F32, DataLayout::Nhwc, "Float"},
    {graph::Rules::Tflite, DType::I8, DType::I8, DType::I32, DataLayout::Nhwc, "Int8"},
    {graph::Rules::Tflite, DType::U8, DType::U8, DType::I32, DataLayout::Nhwc, "Uint8"},
    {graph::Rules::Tflite, DType::I16, DType::I8, DType::I64, DataLayout::Nhwc, "Int16"},
    {graph::Rules::Tflite, DType::I16, DType::I8, DType::I32, DataLayout::Nhwc, "Int16NarrowBias"},
    {graph::Rules::Tflite, DType::I16, DType::I8, DType::Bool, DataLayout::Nhwc, "Int16NoBias"},
    {graph::Rules::ArmNn, DType::F32, DType::F32, DType::F32, DataLayout::Nhwc, "ArmNnFloat"},
    {graph::Rules::ArmNn, DType::F32, DType::F32, DType::Bool, DataLayout::Nchw, "ArmNnPlanes"},
    {graph::Rules::ArmNn, DType::I8, DType::I8, DType::I32, DataLayout::Nhwc, "ArmNnInt8"},
    {graph::Rules::ArmNn, DType::I16, DType::I16, DType::Bool, DataLayout::Nhwc, "ArmNnInt16"},
    {graph::Rules::ArmNn, DType::U8, DType::U8, DType::I32, DataLayout::Nhwc, "ArmNnUint8"},
    {graph::Rules::ArmNn, DType::U8, DType::U8, DType::I32, DataLayout::Nchw, "ArmNnUint8Planes"},
};

Quantization scale_of(Random& random, DType type, float least) {
  if (type == DType::F32) return {};
  const float scale = least + static_cast<float>(random.between(0, 1000)) * 1e-4f;
  if (type == DType::I16) return Quantization::per_tensor(scale / 100, 0);
  return Quantization::per_tensor(scale,
                                  type == DType::U8 ? random.between(0, 255) : random.between(-128, 127));
}

Quantization weight_scales(Random& random, const Kind& kind, std::int64_t channels) {
  if (kind.weights == DType::F32) return {};
  Quantization q = Quantization::per_tensor(0.002f, kind.weights == DType::U8 ? random.between(90, 160) : 0);
  if (kind.weights == DType::I8 && random.coin()) {
    q.scales.assign(static_cast<std::size_t>(channels), 0.0f);
    for (float& scale : q.scales) scale = 0.0005f + 0.002f * (1 + random.real());
  }
  return q;
}

struct Size {
  std::int64_t in, kernel, out;
  std::uint32_t stride, before, after;
};

Size random_size(Random& random, bool exact) {
  Size s{};
  do {
    s.in = random.between(1, 7);
    s.kernel = random.between(1, 5);
    s.stride = static_cast<std::uint32_t>(random.between(1, 3));
    s.before = static_cast<std::uint32_t>(random.between(0, s.kernel - 1));
    s.after = static_cast<std::uint32_t>(random.between(0, s.kernel - 1));
    s.out = (s.in - 1) * s.stride + s.kernel - s.before - s.after;
    if (!exact) s.out += random.between(0, s.stride - 1);
  } while (s.out < 1);
  return s;
}

Shape image(const Kind& kind, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
  return kind.layout == DataLayout::Nhwc ? Shape{n, h, w, c} : Shape{n, c, h, w};
}

GraphBuilder random_layer(const Kind& kind, int round) {
  GraphBuilder b(kind.rules, static_cast<std::uint32_t>(round + 11000));
  Random& random = b.random;
  const bool armnn = kind.rules == graph::Rules::ArmNn;
  const Size y = random_size(random, armnn), x = random_size(random, armnn);
  const std::int64_t n = random.between(1, 2), c = random.between(1, 40), outputs = random.between(1, 40);
  graph::ConvAttributes a;
  a.layout = kind.layout;
  a.padding = {y.before, x.before, y.after, x.after};
  a.stride_y = y.stride;
  a.stride_x = x.stride;
  if (!armnn && random.coin()) a.activation = {graph::Activation::BoundedReLu, 6, 0, false};
  const ValueId input =
      b.input(kind.codes, image(kind, n, y.in, x.in, c), scale_of(random, kind.codes, 0.01f));
  const ValueId weights = b.constant(kind.weights, image(kind, outputs, y.kernel, x.kernel, c),
                                     weight_scales(random, kind, outputs));
  std::vector<ValueId> inputs{input, weights};
  if (!armnn) {
    Tensor sizes(DType::I32, {4});
    const std::int64_t values[] = {n, y.out, x.out, outputs};
    for (std::size_t k = 0; k < 4; ++k)
      sizes.as_mutable<std::int32_t>()[k] = static_cast<std::int32_t>(values[k]);
    inputs = {b.constant(std::move(sizes)), weights, input};
  }
  if (kind.bias != DType::Bool) {
    Quantization q = b.graph.value(weights).quantization;
    for (float& scale : q.scales) scale *= b.graph.value(input).quantization.scale();
    q.zero_points.clear();
    inputs.push_back(b.constant(kind.bias, {outputs}, armnn ? q : Quantization{}));
  }
  b.output(b.node(Op::TransposeConv2d, a, inputs, kind.codes, image(kind, n, y.out, x.out, outputs),
                  scale_of(random, kind.codes, 0.05f)));
  return b;
}

struct Setting {
  Kind kind;
  const char* instructions;
};

class FastTransposedConvolution : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override { ::setenv("NPUBIN_MAX_ISA", GetParam().instructions, 1); }
  void TearDown() override { ::unsetenv("NPUBIN_MAX_ISA"); }
};

TEST_P(FastTransposedConvolution, AgreesWithTheReference) {
  const Kind& kind = GetParam().kind;
  for (int round = 0; round < 40; ++round) {
    const Comparison result = compare_modes(random_layer(kind, round));
    ASSERT_EQ(result.error, "") << "round " << round;
    EXPECT_LE(result.worst, kind.codes == DType::F32 ? 1e-5 * result.largest : 0.0)
        << "round " << round << ": " << result.kernels;
    EXPECT_NE(result.kernels.find("as convolutions: "), std::string::npos)
        << "round " << round << ": " << result.kernels;
  }
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Kind& kind : kKinds)
    for (const char* instructions : {"avx512", "avx2", "sse4", "none"})
      if (kind.codes == DType::I8 || instructions == std::string("avx512"))
        all.push_back({kind, instructions});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, FastTransposedConvolution, testing::ValuesIn(settings()),
                         [](const testing::TestParamInfo<Setting>& info) {
                           return std::string(info.param.kind.name) + "_" + info.param.instructions;
                         });

}  // namespace
}  // namespace npubin::test
