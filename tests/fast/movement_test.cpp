// Operators that only move elements: equal to the reference to the byte, for every width of element and by
// both rules.
#include <gtest/gtest.h>

#include "exec/fast/recorded_movement.h"
#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::Rules;
using graph::ValueId;

struct Element {
  DType type;
  Quantization quantization;
};

Element random_element(Random& random, Rules rules) {
  switch (random.between(0, rules == Rules::ArmNn ? 4 : 3)) {
    case 0:
      return {DType::F32, {}};
    case 1:
      return {DType::I8, Quantization::per_tensor(0.25f, random.between(-20, 20))};
    case 2:
      return {DType::I16, Quantization::per_tensor(0.001f, 0)};
    case 3:
      return {rules == Rules::ArmNn ? DType::U8 : DType::I32,
              rules == Rules::ArmNn ? Quantization::per_tensor(0.1f, 128) : Quantization{}};
    default:
      return {DType::F16, {}};
  }
}

void expect_moved(const GraphBuilder& builder, int round) {
  const Comparison result = compare_modes(builder);
  ASSERT_EQ(result.error, "") << "round " << round;
  EXPECT_EQ(result.worst, 0) << "round " << round << ": " << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos)
      << "round " << round << ": " << result.kernels;
}

// One operator over a random image; both rules have all of these.
ValueId random_movement(GraphBuilder& b, Rules rules, ValueId in, const Element& e) {
  Random& random = b.random;
  const Shape s = b.shape(in);
  const auto node = [&](Op op, graph::Attributes attributes, const Shape& shape) {
    return b.node(op, std::move(attributes), {in}, e.type, shape, e.quantization);
  };
  switch (random.between(0, 6)) {
    case 0: {
      graph::TransposeAttributes a{{0, 1, 2, 3}};
      for (std::size_t d = 3; d > 0; --d)
        std::swap(a.permutation[d],
                  a.permutation[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(d)))]);
      Shape out;
      for (std::int32_t d : a.permutation) out.push_back(s[static_cast<std::size_t>(d)]);
      return node(Op::Transpose, a, out);
    }
    case 1: {
      graph::SliceAttributes a;
      for (std::int64_t d : s) {
        a.begin.push_back(random.between(0, d - 1));
        a.size.push_back(random.between(1, d - a.begin.back()));
      }
      return node(Op::Slice, a, a.size);
    }
    case 2: {
      graph::StridedSliceAttributes a;
      Shape out;
      for (std::int64_t d : s) {
        const auto stride = static_cast<std::int32_t>(random.between(1, 3));
        const auto begin = static_cast<std::int32_t>(random.between(0, d - 1));
        a.begin.push_back(begin);
        a.end.push_back(static_cast<std::int32_t>(d));
        a.stride.push_back(stride);
        out.push_back((d - begin + stride - 1) / stride);
      }
      return node(Op::StridedSlice, a, out);
    }
    case 3: {
      graph::SpaceDepthAttributes a;
      a.block = 2;
      return node(Op::SpaceToDepth, a, {s[0], s[1] / 2, s[2] / 2, s[3] * 4});
    }
    case 4: {
      graph::SpaceBatchAttributes a;
      a.block = {2, 2};
      a.pads = {{2, 0}, {0, 2}};
      return node(Op::SpaceToBatchNd, a, {s[0] * 4, s[1] / 2 + 1, s[2] / 2 + 1, s[3]});
    }
    case 5: {
      graph::ResizeAttributes a;
      a.method = graph::ResizeMethod::NearestNeighbor;
      a.height = static_cast<std::uint32_t>(random.between(1, 12));
      a.width = static_cast<std::uint32_t>(random.between(1, 12));
      if (rules == Rules::Tflite && e.type != DType::F32 && e.type != DType::I8) return in;
      return node(Op::Resize, a, {s[0], a.height, a.width, s[3]});
    }
    default: {
      graph::StackAttributes a;
      a.axis = static_cast<int>(random.between(0, 4));
      Shape out = s;
      out.insert(out.begin() + a.axis, 2);
      return b.node(Op::Stack, a, {in, in}, e.type, out, e.quantization);
    }
  }
}

void random_movements(Rules rules, std::uint32_t seed) {
  for (int round = 0; round < kRounds; ++round) {
    GraphBuilder b(rules, seed + static_cast<std::uint32_t>(round));
    const Element e = random_element(b.random, rules);
    const Shape shape{b.random.between(1, 2), 2 * b.random.between(1, 20), 2 * b.random.between(1, 20),
                      b.random.between(1, 40)};
    const ValueId in = b.input(e.type, shape, e.quantization);
    const ValueId out = random_movement(b, rules, in, e);
    if (out == in) continue;
    b.output(out);
    expect_moved(b, round);
  }
}

TEST(FastMovement, ArmNn) {
  random_movements(Rules::ArmNn, 2000);
}

TEST(FastMovement, TensorFlowLite) {
  random_movements(Rules::Tflite, 3000);
}

TEST(FastMovement, SplitsByBothRules) {
  for (int round = 0; round < kRounds; ++round) {
    const Rules rules = round % 2 == 0 ? Rules::ArmNn : Rules::Tflite;
    GraphBuilder b(rules, static_cast<std::uint32_t>(round + 4000));
    const Element e = random_element(b.random, rules);
    Shape part{1, b.random.between(1, 5), b.random.between(1, 5), b.random.between(1, 9)};
    graph::SplitAttributes a;
    a.axis = static_cast<int>(b.random.between(1, 3));
    const auto axis = static_cast<std::size_t>(a.axis);
    a.sizes = {part[axis], part[axis]};
    Shape whole = part;
    whole[axis] *= 2;
    const ValueId in = b.input(e.type, whole, e.quantization);
    std::vector<ValueId> inputs{in};
    if (rules == Rules::Tflite) {
      Tensor axis_operand(DType::I32, {1});
      axis_operand.as_mutable<std::int32_t>()[0] = a.axis;
      inputs.insert(inputs.begin(), b.constant(std::move(axis_operand)));
    }
    const ValueId first = b.node(Op::Split, a, inputs, e.type, part, e.quantization);
    graph::Value second = b.graph.value(first);
    b.graph.nodes.back().outputs.push_back(b.graph.add_value(second));
    b.output(b.graph.nodes.back().outputs[0]);
    b.output(b.graph.nodes.back().outputs[1]);
    expect_moved(b, round);
  }
}

TEST(FastMovement, LoopsAreJoined) {
  // A channel-last image of 2x3 pixels with 4 channels, read channel-first: two loops are left of three.
  exec::fast::ElementSources sources;
  for (std::int32_t c = 0; c < 4; ++c)
    for (std::int32_t p = 0; p < 6; ++p) sources.push_back(p * 4 + c);
  exec::fast::StridedMovement movement;
  ASSERT_TRUE(exec::fast::find_strided(sources, {4, 2, 3}, movement));
  ASSERT_EQ(movement.loops.size(), 2u);
  EXPECT_EQ(movement.loops[1].count, 6);
  EXPECT_EQ(movement.loops[1].from, 4);
  sources.back() = 0;
  EXPECT_FALSE(exec::fast::find_strided(sources, {4, 2, 3}, movement));
  EXPECT_EQ(exec::fast::find_runs({5, 6, 7, -1, -1, 0, 8}).size(), 4u);
}

}  // namespace
}  // namespace npubin::test
