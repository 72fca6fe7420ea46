// Operators and types that the collected cases do not hold, against values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "npubin/half.h"
#include "npubin/session.h"

namespace npubin {
namespace {

using namespace graph;

template <class T>
Tensor tensor(DType type, Shape shape, std::vector<T> values, Quantization q = {}) {
  Tensor out(type, std::move(shape), std::move(q));
  std::copy(values.begin(), values.end(), out.as_mutable<T>().begin());
  return out;
}
Tensor floats(Shape shape, std::vector<float> values) {
  return tensor<float>(DType::F32, std::move(shape), std::move(values));
}
Tensor ints(Shape shape, std::vector<std::int32_t> values) {
  return tensor<std::int32_t>(DType::I32, std::move(shape), std::move(values));
}

// One node over constant or given operands; every operand is an input of the graph.
Result<std::vector<Tensor>> run_node(Op op, Attributes attributes, const std::vector<Tensor>& inputs,
                                     std::vector<Value> outputs) {
  Graph graph;
  graph::Node node;
  node.op = op;
  node.rules = Rules::Tflite;
  node.attributes = std::move(attributes);
  for (const Tensor& input : inputs) {
    const ValueId id =
        graph.add_value({"in", input.type(), input.shape(), input.quantization(), std::nullopt, false});
    graph.inputs.push_back({"in", id, 0});
    node.inputs.push_back(id);
  }
  for (Value& output : outputs) {
    const ValueId id = graph.add_value(std::move(output));
    graph.outputs.push_back({"out", id, 0});
    node.outputs.push_back(id);
  }
  graph.nodes.push_back(std::move(node));
  SessionOptions options;
  options.mode = ExecMode::Reference;
  NPUBIN_TRY(auto session, Session::compile(std::move(graph), options));
  auto context = session->new_context();
  return session->run(*context, inputs);
}

Value result(DType type, Shape shape, Quantization q = {}) {
  return {"out", type, std::move(shape), std::move(q), std::nullopt, false};
}

template <class T>
void expect_values(const Result<std::vector<Tensor>>& outputs, const std::vector<T>& expected,
                   double tolerance = 0) {
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  const auto found = outputs->front().as<T>();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(static_cast<double>(found[i]), static_cast<double>(expected[i]), tolerance)
        << "element " << i;
}

TEST(TfliteKernels, PowersAndFlooredDivisions) {
  const Value four = result(DType::F32, {4});
  expect_values<float>(run_node(Op::Pow, BinaryAttributes{},
                                {floats({4}, {2, 9, -2, 5}), floats({4}, {10, 0.5f, 3, 0})}, {four}),
                       {1024, 3, -8, 1}, 1e-6);
  const Tensor a = ints({4}, {7, -7, 7, -7}), b = ints({4}, {2, 2, -2, -2});
  expect_values<std::int32_t>(run_node(Op::FloorDiv, BinaryAttributes{}, {a, b}, {result(DType::I32, {4})}),
                              {3, -4, -4, 3});
  expect_values<std::int32_t>(run_node(Op::FloorMod, BinaryAttributes{}, {a, b}, {result(DType::I32, {4})}),
                              {1, 1, -1, -1});
  expect_values<float>(
      run_node(Op::FloorMod, BinaryAttributes{},
               {floats({4}, {7.5f, -7.5f, 7.5f, -7.5f}), floats({4}, {2, 2, -2, -2})}, {four}),
      {1.5f, 0.5f, -0.5f, -1.5f});
  EXPECT_FALSE(
      run_node(Op::FloorDiv, BinaryAttributes{}, {a, ints({4}, {1, 0, 1, 1})}, {result(DType::I32, {4})}));
  EXPECT_FALSE(
      run_node(Op::Pow, BinaryAttributes{}, {a, ints({4}, {1, -1, 1, 1})}, {result(DType::I32, {4})}));
}

TEST(TfliteKernels, GeluInBothForms) {
  const Tensor x = floats({3}, {-1, 0, 2});
  expect_values<float>(run_node(Op::Activation, ActivationAttributes{Activation::Gelu, 0, 0, false}, {x},
                                {result(DType::F32, {3})}),
                       {-0.15865525f, 0, 1.9544997f}, 1e-6);
  expect_values<float>(run_node(Op::Activation, ActivationAttributes{Activation::Gelu, 0, 0, true}, {x},
                                {result(DType::F32, {3})}),
                       {-0.15880801f, 0, 1.9545977f}, 1e-6);
}

TEST(TfliteKernels, ReductionsOfEveryKind) {
  const Tensor x = floats({2, 3}, {1, -2, 3, 4, 5, -6});
  const auto reduce = [&](ReduceOperation operation, std::vector<std::int32_t> axes, Shape shape) {
    return run_node(Op::Reduce, ReduceAttributes{operation, std::move(axes), false}, {x},
                    {result(DType::F32, std::move(shape))});
  };
  expect_values<float>(reduce(ReduceOperation::Prod, {1}, {2}), {-6, -120});
  expect_values<float>(reduce(ReduceOperation::Max, {0}, {3}), {4, 5, 3});
  expect_values<float>(reduce(ReduceOperation::Min, {0, 1}, {}), {-6});
  expect_values<float>(reduce(ReduceOperation::Mean, {-1}, {2}), {2.0f / 3, 1}, 1e-7);
  expect_values<std::int32_t>(run_node(Op::Reduce, ReduceAttributes{ReduceOperation::Prod, {0}, true},
                                       {ints({3}, {2, -3, 4})}, {result(DType::I32, {1})}),
                              {-24});
  EXPECT_FALSE(reduce(ReduceOperation::Max, {2}, {2}));
}

TEST(TfliteKernels, RangesCountWhatTheyDeclare) {
  expect_values<std::int32_t>(
      run_node(Op::Range, {}, {ints({}, {3}), ints({}, {-4}), ints({}, {-2})}, {result(DType::I32, {4})}),
      {3, 1, -1, -3});
  expect_values<float>(run_node(Op::Range, {}, {floats({}, {0}), floats({}, {1}), floats({}, {0.25f})},
                                {result(DType::F32, {4})}),
                       {0, 0.25f, 0.5f, 0.75f});
  EXPECT_FALSE(
      run_node(Op::Range, {}, {ints({}, {0}), ints({}, {5}), ints({}, {1})}, {result(DType::I32, {4})}));
  EXPECT_FALSE(
      run_node(Op::Range, {}, {ints({}, {0}), ints({}, {5}), ints({}, {0})}, {result(DType::I32, {4})}));
}

TEST(TfliteKernels, LocalResponseNormalizationSumsNeighboursWithoutTheirNumber) {
  LocalResponseAttributes a;
  a.radius = 1;
  a.norm_size = 3;
  a.alpha = 2;
  a.beta = 0.5f;
  a.k = 1;
  expect_values<float>(run_node(Op::LocalResponseNormalization, a, {floats({1, 1, 1, 3}, {1, 2, 3})},
                                {result(DType::F32, {1, 1, 1, 3})}),
                       {1 / std::sqrt(11.0f), 2 / std::sqrt(29.0f), 3 / std::sqrt(27.0f)}, 1e-6);
}

TEST(TfliteKernels, HalfWeightsBecomeFloats) {
  const Tensor halves = tensor<std::uint16_t>(
      DType::F16, {3}, {float_to_half(0.5f), float_to_half(-65504), float_to_half(6e-8f)});
  expect_values<float>(run_node(Op::Dequantize, {}, {halves}, {result(DType::F32, {3})}),
                       {0.5f, -65504, 5.9604645e-8f});
}

TEST(TfliteKernels, ChannelsDequantizeByTheirOwnScale) {
  const Quantization q{{0.5f, 2}, {0, 0}, 0};
  expect_values<float>(
      run_node(Op::Dequantize, {}, {tensor<std::int8_t>(DType::I8, {2, 2}, {2, -4, 3, -1}, q)},
               {result(DType::F32, {2, 2})}),
      {1, -2, 6, -2});
}

TEST(TfliteKernels, TrigonometryAndRank) {
  expect_values<float>(run_node(Op::Sin, {}, {floats({2}, {0, 1})}, {result(DType::F32, {2})}),
                       {0, std::sin(1.0f)}, 1e-7);
  expect_values<float>(run_node(Op::Cos, {}, {floats({2}, {0, 1})}, {result(DType::F32, {2})}),
                       {1, std::cos(1.0f)}, 1e-7);
  expect_values<std::int32_t>(
      run_node(Op::Rank, {}, {floats({2, 1, 3}, std::vector<float>(6))}, {result(DType::I32, {})}), {3});
  expect_values<std::int32_t>(
      run_node(Op::Shape, {}, {floats({2, 1, 3}, std::vector<float>(6))}, {result(DType::I32, {3})}),
      {2, 1, 3});
}

TEST(TfliteKernels, SixtyFourBitIntegersWrap) {
  const Tensor a = tensor<std::int64_t>(DType::I64, {2}, {INT64_MAX, 5}),
               b = tensor<std::int64_t>(DType::I64, {2}, {1, -7});
  const Value out = result(DType::I64, {2});
  ASSERT_TRUE(run_node(Op::Add, BinaryAttributes{}, {a, b}, {out}));
  EXPECT_EQ((*run_node(Op::Add, BinaryAttributes{}, {a, b}, {out}))[0].as<std::int64_t>()[0], INT64_MIN);
  EXPECT_EQ((*run_node(Op::Mul, BinaryAttributes{}, {a, b}, {out}))[0].as<std::int64_t>()[1], -35);
}

TEST(TfliteKernels, CastsAreDefinedForEveryNumber) {
  const Tensor x = floats({5}, {-1.9f, 300.7f, NAN, 1e20f, -1e20f});
  ASSERT_TRUE(run_node(Op::Cast, {}, {x}, {result(DType::I32, {5})}));
  expect_values<std::int64_t>(
      run_node(Op::Cast, {}, {floats({3}, {-1.9f, 300.7f, NAN})}, {result(DType::I64, {3})}), {-1, 300, 0});
  expect_values<std::uint8_t>(
      run_node(Op::Cast, {}, {floats({3}, {0, 0.2f, -3})}, {result(DType::Bool, {3})}), {0, 1, 1});
}

TEST(TfliteKernels, ContradictionsAreRefusedBeforeRunning) {
  const Tensor a = floats({2, 3}, std::vector<float>(6)), b = floats({2, 4}, std::vector<float>(8));
  auto outcome = run_node(Op::Add, BinaryAttributes{}, {a, b}, {result(DType::F32, {2, 3})});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::Refused);
  EXPECT_NE(outcome.error().message.find("do not broadcast"), std::string::npos) << outcome.error().message;
  EXPECT_FALSE(run_node(Op::Activation, ActivationAttributes{Activation::SoftReLu, 0, 0, false}, {a},
                        {result(DType::F32, {2, 3})}));
}

}  // namespace
}  // namespace npubin
