// SVDF keeps its state from run to run: several runs of both executors, int8 equal to the byte, float32
// within 1e-5 of the range.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

struct SvdfTypes {
  DType codes, state;
};

GraphBuilder random_filter(const SvdfTypes& types, int round) {
  GraphBuilder b(graph::Rules::Tflite, static_cast<std::uint32_t>(round + 20000));
  Random& random = b.random;
  const bool real = types.codes == DType::F32;
  graph::SvdfAttributes a;
  a.rank = static_cast<std::int32_t>(random.between(1, 3));
  const std::int64_t batches = random.between(1, 2), features = random.between(1, 60),
                     units = random.between(1, 30), memory = random.between(1, 20), filters = units * a.rank;
  const auto scale = [&](float value, std::int64_t zero) {
    return real ? Quantization{} : Quantization::per_tensor(value, zero);
  };
  std::vector<ValueId> inputs{
      b.input(types.codes, {batches, features}, scale(0.03f, random.between(-20, 20))),
      b.constant(types.codes, {filters, features}, scale(0.01f, 0)),
      b.constant(types.state, {filters, memory}, scale(0.002f, 0))};
  inputs.push_back(random.coin() ? b.constant(real ? DType::F32 : DType::I32, {units}) : graph::kNoValue);
  graph::Value state;
  state.type = types.state;
  state.shape = {batches, filters * memory};
  state.quantization = scale(types.state == DType::I16 ? 0.001f : 0.2f, random.coin() ? 0 : 5);
  state.variable = true;
  inputs.push_back(b.graph.add_value(std::move(state)));
  b.output(b.node(Op::Svdf, a, inputs, types.codes, {batches, units}, scale(0.07f, random.between(-9, 9))));
  return b;
}

void expect_alike(const SvdfTypes& types, int round) {
  GraphBuilder b = random_filter(types, round);
  SessionOptions options;
  options.mode = ExecMode::Reference;
  auto reference = Session::compile(b.graph, options);
  options.mode = ExecMode::Fast;
  auto fast = Session::compile(b.graph, options);
  ASSERT_TRUE(reference && fast) << "round " << round;
  EXPECT_EQ((*fast)->plan().steps[0].kernel, "own svdf") << "round " << round;
  const auto slow_context = (*reference)->new_context(), fast_context = (*fast)->new_context();
  for (int frame = 0; frame < 6; ++frame) {
    const graph::Value& in = b.graph.value(b.graph.inputs[0].value);
    const std::vector<Tensor> inputs{random_tensor(b.random, in.type, in.shape)};
    auto want = (*reference)->run(*slow_context, inputs), got = (*fast)->run(*fast_context, inputs);
    ASSERT_TRUE(want && got) << "round " << round;
    const double tolerance = types.codes == DType::F32 ? 1e-4 : 0;
    for (std::int64_t i = 0; i < (*want)[0].count(); ++i)
      ASSERT_NEAR((*want)[0].real(i), (*got)[0].real(i), tolerance)
          << "round " << round << " frame " << frame;
  }
}

TEST(FastSvdf, AgreesOverManyFrames) {
  for (const SvdfTypes& types :
       {SvdfTypes{DType::F32, DType::F32}, SvdfTypes{DType::I8, DType::I16}, SvdfTypes{DType::I8, DType::I8}})
    for (int round = 0; round < 30; ++round) expect_alike(types, round);
}

TEST(FastSvdf, WithEveryInstructionSet) {
  on_every_instruction_set([] {
    for (int round = 0; round < 10; ++round) expect_alike({DType::I8, DType::I16}, round);
  });
}

}  // namespace
}  // namespace npubin::test
