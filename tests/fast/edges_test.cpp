// Functions of float32 at the ends of their domains: zeros of either sign, infinities, NaN, and where e^x
// overflows.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Activation;
using graph::Op;

const std::vector<float> kEnds{
    0.0f,     -0.0f,     1.0f, -1.0f,  -2.5f,  88.5f,  88.9f, 90.0f,
    -90.0f,   104.5f,    -200, 1000.0, -1000., 1e-30f, 3e38f, std::numeric_limits<float>::denorm_min(),
    INFINITY, -INFINITY, NAN};

std::vector<float> values_of(const graph::Graph& graph, ExecMode mode, const Tensor& input) {
  SessionOptions options;
  options.mode = mode;
  auto session = Session::compile(graph, options);
  EXPECT_TRUE(session) << to_string(session.error());
  if (!session) return {};
  const auto context = (*session)->new_context();
  auto outputs = (*session)->run(*context, std::vector<Tensor>{input});
  EXPECT_TRUE(outputs) << to_string(outputs.error());
  if (!outputs) return {};
  const auto numbers = (*outputs)[0].as<float>();
  return {numbers.begin(), numbers.end()};
}

void expect_alike(Op op, const graph::Attributes& attributes, const std::string& name) {
  SCOPED_TRACE(name);
  const Shape shape{1, static_cast<std::int64_t>(kEnds.size())};
  // Arm NN has no LOG; its activations round as those of TensorFlow Lite.
  GraphBuilder b(op == Op::Activation ? graph::Rules::ArmNn : graph::Rules::Tflite, 1);
  b.output(b.node(op, attributes, {b.input(DType::F32, shape)}, DType::F32, shape));
  Tensor input(DType::F32, shape);
  std::copy(kEnds.begin(), kEnds.end(), input.as_mutable<float>().begin());
  const auto fast = values_of(b.graph, ExecMode::Fast, input),
             reference = values_of(b.graph, ExecMode::Reference, input);
  ASSERT_EQ(fast.size(), kEnds.size());
  ASSERT_EQ(reference.size(), kEnds.size());
  for (std::size_t i = 0; i < kEnds.size(); ++i) {
    SCOPED_TRACE("of " + std::to_string(kEnds[i]));
    if (std::isnan(reference[i]) || std::isinf(reference[i])) {
      EXPECT_EQ(std::isnan(fast[i]), std::isnan(reference[i])) << fast[i] << " against " << reference[i];
      if (!std::isnan(reference[i])) {
        EXPECT_EQ(fast[i], reference[i]);
      }
    } else {
      EXPECT_NEAR(fast[i], reference[i], 1e-5 * std::max(1.0f, std::abs(reference[i])));
    }
  }
}

TEST(FastFloatEnds, FunctionsAnswerAsTheReferenceDoes) {
  for (Op op : {Op::Exp, Op::Log, Op::Sqrt, Op::Rsqrt, Op::Abs, Op::Neg})
    expect_alike(op, {}, std::string(to_string(op)));
  for (Activation function :
       {Activation::Sigmoid, Activation::TanH, Activation::SoftReLu, Activation::Abs, Activation::Elu})
    expect_alike(Op::Activation, graph::ActivationAttributes{function, 1.0f, 1.0f, false},
                 "activation " + std::to_string(static_cast<int>(function)));
}

}  // namespace
}  // namespace npubin::test
