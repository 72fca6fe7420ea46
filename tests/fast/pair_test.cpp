// Element-wise operators of two and three operands: TensorFlow Lite's codes, integers, comparisons, logic and
// choices equal to the reference to the byte on every instruction set of this machine, float32 that repeats
// in any way within 1e-5 of the range.
#include <gtest/gtest.h>

#include "instruction_sets.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::Rules;
using graph::ValueId;

struct Case {
  Op op;
  std::vector<DType> types;
  bool gives_truth;
};

const Case kTflite[] = {
    {Op::Add, {DType::I8, DType::U8, DType::I16, DType::I32, DType::I64, DType::F32}, false},
    {Op::Sub, {DType::I8, DType::U8, DType::I16, DType::I32, DType::I64, DType::F32}, false},
    {Op::Mul, {DType::I8, DType::U8, DType::I16, DType::I32, DType::I64, DType::F32}, false},
    {Op::SquaredDifference, {DType::I8, DType::I16, DType::I32, DType::F32}, false},
    {Op::Minimum, {DType::I8, DType::U8, DType::I16, DType::I32, DType::I64, DType::F32}, false},
    {Op::Maximum, {DType::I8, DType::U8, DType::I16, DType::I32, DType::I64, DType::F32}, false},
    {Op::Equal, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32, DType::Bool}, true},
    {Op::NotEqual, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32, DType::Bool}, true},
    {Op::Greater, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32}, true},
    {Op::GreaterEqual, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32}, true},
    {Op::Less, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32}, true},
    {Op::LessEqual, {DType::I8, DType::U8, DType::I32, DType::I64, DType::F32}, true},
    {Op::LogicalAnd, {DType::Bool}, true},
    {Op::LogicalOr, {DType::Bool}, true},
};

bool is_code(DType type) {
  return type == DType::I8 || type == DType::U8 || type == DType::I16;
}

// A shape, and two that broadcast to it: dimensions of either may be 1 or absent in front.
struct Shapes {
  Shape out;
  std::vector<Shape> operands;
};

Shapes random_shapes(Random& random, std::size_t operands) {
  Shapes shapes;
  const std::int64_t rank = random.between(1, 5);
  for (std::int64_t d = 0; d < rank; ++d) shapes.out.push_back(random.between(1, d + 1 == rank ? 70 : 6));
  shapes.operands.assign(operands, shapes.out);
  const bool alike = random.between(0, 3) == 0;
  for (std::int64_t d = 0; d < rank && !alike; ++d) {
    const auto holder = random.between(0, static_cast<std::int64_t>(operands) - 1);  // keeps the dimension
    for (std::size_t k = 0; k < operands; ++k)
      if (static_cast<std::int64_t>(k) != holder && random.coin())
        shapes.operands[k][static_cast<std::size_t>(d)] = 1;
  }
  for (Shape& operand : shapes.operands)
    while (operand.size() > 1 && operand[0] == 1 && random.coin()) operand.erase(operand.begin());
  // As many dimensions as the longest operand has.
  std::size_t longest = 0;
  for (const Shape& operand : shapes.operands) longest = std::max(longest, operand.size());
  shapes.out.erase(shapes.out.begin(), shapes.out.end() - static_cast<std::ptrdiff_t>(longest));
  for (std::size_t d = 0; d < longest; ++d) {
    std::int64_t length = 1;
    for (const Shape& operand : shapes.operands)
      if (operand.size() + d >= longest) length = std::max(length, operand[operand.size() + d - longest]);
    shapes.out[d] = length;
  }
  return shapes;
}

void expect_close(const GraphBuilder& b, bool exact, const std::string& what) {
  const Comparison result = compare_modes(b);
  ASSERT_EQ(result.error, "") << what;
  EXPECT_LE(result.worst, exact ? 0 : 1e-5 * result.largest) << what << ": " << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos) << what << ": " << result.kernels;
}

void random_pair(const Case& test, DType type, int round, Rules rules = Rules::Tflite) {
  GraphBuilder b(rules, static_cast<std::uint32_t>(round + 13000));
  Random& random = b.random;
  Shapes shapes = random_shapes(random, 2);
  if (rules == Rules::ArmNn)  // whose operands have one rank
    for (Shape& operand : shapes.operands)
      operand.insert(operand.begin(), shapes.out.size() - operand.size(), 1);
  const bool extreme = test.op == Op::Minimum || test.op == Op::Maximum;
  const Quantization qa = random_quantization(random, type),
                     qb = extreme || random.coin() ? qa : random_quantization(random, type);
  const DType result = test.gives_truth ? DType::Bool : type;
  graph::Attributes attributes;
  if (!test.gives_truth) {
    graph::BinaryAttributes a;
    if (rules == Rules::Tflite && is_code(type) && !extreme && random.coin())
      a.activation = {graph::Activation::BoundedReLu, 1, -1, false};
    attributes = a;
  }
  const ValueId left = b.input(type, shapes.operands[0], qa), right = b.input(type, shapes.operands[1], qb);
  b.output(b.node(test.op, attributes, {left, right}, result, shapes.out,
                  test.gives_truth ? Quantization{}
                  : extreme        ? qa
                                   : random_quantization(random, result)));
  expect_close(b, type != DType::F32 || test.gives_truth,
               std::string(to_string(test.op)) + " of " + std::string(to_string(type)) + ", round " +
                   std::to_string(round));
}

TEST(FastPairs, OfTensorFlowLite) {
  on_every_instruction_set([] {
    for (const Case& test : kTflite)
      for (DType type : test.types)
        for (int round = 0; round < 16; ++round) random_pair(test, type, round);
  });
}

TEST(FastPairs, OfArmNn) {
  for (const Case& test : kTflite)
    for (DType type : {DType::F32, DType::I32, DType::I8, DType::U8, DType::I16}) {
      const bool logic = test.op == Op::LogicalAnd || test.op == Op::LogicalOr;
      if (logic || test.op == Op::SquaredDifference || (test.gives_truth && type != DType::F32)) continue;
      for (int round = 0; round < 16; ++round) random_pair(test, type, round, Rules::ArmNn);
    }
}

TEST(FastPairs, Prelu) {
  on_every_instruction_set([] {
    for (DType type : {DType::I8, DType::I16, DType::F32})
      for (int round = 0; round < 20; ++round) {
        GraphBuilder b(Rules::Tflite, static_cast<std::uint32_t>(round + 14000));
        const Shape shape{1, b.random.between(1, 5), b.random.between(1, 5), b.random.between(1, 50)};
        const Shape slopes = b.random.coin() ? Shape{1, 1, shape[3]} : Shape{shape[1], shape[2], 1};
        const DType slope_type = type == DType::F32 ? type : DType::I8;
        b.output(b.node(Op::Prelu, {},
                        {b.input(type, shape, random_quantization(b.random, type)),
                         b.constant(slope_type, slopes, random_quantization(b.random, slope_type))},
                        type, shape, random_quantization(b.random, type)));
        expect_close(b, type != DType::F32, "round " + std::to_string(round));
      }
  });
}

TEST(FastPairs, Choices) {
  for (DType type : {DType::I8, DType::I16, DType::F32, DType::I32, DType::I64, DType::Bool})
    for (int round = 0; round < 20; ++round) {
      GraphBuilder b(Rules::Tflite, static_cast<std::uint32_t>(round + 15000));
      const Shapes shapes = random_shapes(b.random, 3);
      const Quantization q = random_quantization(b.random, type);
      b.output(b.node(Op::Select, {},
                      {b.input(DType::Bool, shapes.operands[0]), b.input(type, shapes.operands[1], q),
                       b.input(type, shapes.operands[2], q)},
                      type, shapes.out, q));
      b.graph.nodes[0].source_type = "SELECT_V2";
      expect_close(b, true, "round " + std::to_string(round));
    }
}

}  // namespace
}  // namespace npubin::test
