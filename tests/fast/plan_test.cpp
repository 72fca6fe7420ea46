// What the fast executor promises beside its numbers: memory near the bound, no allocation in steady state,
// several contexts at once.
#include <thread>

#include <gtest/gtest.h>

#include "allocations.h"
#include "exec/fast/arena.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ValueId;

// 8-bit convolutions, an addition and a pool, float32 element-wise: every kernel the project's own.
GraphBuilder own_kernels() {
  GraphBuilder b(graph::Rules::Tflite, 5);
  const Quantization q = Quantization::per_tensor(0.05f, 3);
  const ValueId in = b.input(DType::I8, {1, 8, 8, 16}, q);
  graph::ConvAttributes a;
  a.padding = {1, 1, 1, 1};
  Quantization w = Quantization::per_tensor(0.01f, 0);
  const ValueId conv =
      b.node(Op::Conv2d, a, {in, b.constant(DType::I8, {16, 3, 3, 16}, w), b.constant(DType::I32, {16})},
             DType::I8, {1, 8, 8, 16}, q);
  const ValueId deep = b.node(Op::DepthwiseConv2d, a,
                              {conv, b.constant(DType::I8, {1, 3, 3, 16}, w), b.constant(DType::I32, {16})},
                              DType::I8, {1, 8, 8, 16}, q);
  const ValueId sum = b.node(Op::Add, graph::BinaryAttributes{}, {deep, in}, DType::I8, {1, 8, 8, 16}, q);
  graph::PoolAttributes pool;
  pool.size_y = pool.size_x = pool.stride_y = pool.stride_x = 2;
  b.output(b.node(Op::Pool2d, pool, {sum}, DType::I8, {1, 4, 4, 16}, q));
  const ValueId x = b.input(DType::F32, {1, 50});
  b.output(
      b.node(Op::Add, graph::BinaryAttributes{}, {x, b.constant(DType::F32, {1, 50})}, DType::F32, {1, 50}));
  return b;
}

TEST(FastPlan, SteadyStateAllocatesNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "allocations are the sanitizer's";
  const GraphBuilder b = own_kernels();
  auto session = Session::compile(b.graph, {});
  ASSERT_TRUE(session.has_value()) << to_string(session.error());
  for (const PlanStep& step : (*session)->plan().steps)
    EXPECT_EQ(step.kernel.rfind("own", 0), 0u) << step.kernel;
  const auto context = (*session)->new_context();
  Random random(3);
  const std::vector<Tensor> inputs{random_tensor(random, DType::I8, {1, 8, 8, 16}),
                                   random_tensor(random, DType::F32, {1, 50})};
  ASSERT_TRUE((*session)->run_in_place(*context, inputs).has_value());
  start_counting_allocations();
  const bool fine = (*session)->run_in_place(*context, inputs).has_value();
  EXPECT_EQ(stop_counting_allocations(), 0u);
  EXPECT_TRUE(fine);
}

TEST(FastPlan, ContextsRunAtTheSameTime) {
  const GraphBuilder b = own_kernels();
  auto session = Session::compile(b.graph, {});
  ASSERT_TRUE(session.has_value());
  const auto run = [&](std::uint32_t seed) {
    Random random(seed);
    const std::vector<Tensor> inputs{random_tensor(random, DType::I8, {1, 8, 8, 16}),
                                     random_tensor(random, DType::F32, {1, 50})};
    const auto context = (*session)->new_context();
    std::vector<Tensor> last;
    for (int i = 0; i < 20; ++i) last = *(*session)->run(*context, inputs);
    return last;
  };
  const auto alone = run(1);
  std::vector<Tensor> beside;
  std::thread other([&] { beside = run(1); });
  run(2);
  other.join();
  EXPECT_TRUE(std::equal(alone[0].bytes().begin(), alone[0].bytes().end(), beside[0].bytes().begin()));
}

TEST(FastPlan, ThreadsGiveTheSameBytes) {
  const GraphBuilder b = own_kernels();
  Random random(9);
  const std::vector<Tensor> inputs{random_tensor(random, DType::I8, {1, 8, 8, 16}),
                                   random_tensor(random, DType::F32, {1, 50})};
  std::vector<std::vector<Tensor>> outputs;
  for (int threads : {1, 2, 3}) {
    SessionOptions options;
    options.threads = threads;
    auto session = Session::compile(b.graph, options);
    ASSERT_TRUE(session.has_value());
    outputs.push_back(*(*session)->run(*(*session)->new_context(), inputs));
  }
  for (const auto& out : outputs)
    EXPECT_TRUE(std::equal(out[0].bytes().begin(), out[0].bytes().end(), outputs[0][0].bytes().begin()));
}

TEST(FastPlan, ArenaStaysNearItsLowerBoundAndNothingOverlaps) {
  Random random(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<exec::fast::Lifetime> lives;
    for (std::size_t i = 0; i < 40; ++i)
      lives.push_back({static_cast<std::size_t>(random.between(1, 5000)), i,
                       i + static_cast<std::size_t>(random.between(1, 4))});
    const auto plan = exec::fast::plan_arena(lives);
    EXPECT_GE(plan.bytes, plan.lower_bound);
    EXPECT_LE(static_cast<double>(plan.bytes), 1.15 * static_cast<double>(plan.lower_bound)) << round;
    for (std::size_t a = 0; a < lives.size(); ++a)
      for (std::size_t b = a + 1; b < lives.size(); ++b) {
        const bool together = lives[a].first <= lives[b].last && lives[b].first <= lives[a].last;
        const bool apart = plan.offsets[a] + lives[a].bytes <= plan.offsets[b] ||
                           plan.offsets[b] + lives[b].bytes <= plan.offsets[a];
        EXPECT_TRUE(!together || apart) << round << ": " << a << " and " << b;
      }
  }
}

}  // namespace
}  // namespace npubin::test
