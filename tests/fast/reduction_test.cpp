// Reductions over any axes: codes and integers equal to the reference, float32 within 1e-5 of the range.
#include <gtest/gtest.h>

#include "random_graphs.h"

namespace npubin::test {
namespace {

using graph::Op;
using graph::ReduceOperation;

void random_reduction(graph::Rules rules, DType type, ReduceOperation operation, int round) {
  GraphBuilder b(rules, static_cast<std::uint32_t>(round + 17000));
  Random& random = b.random;
  graph::ReduceAttributes a;
  a.operation = operation;
  a.keep_dims = random.coin();
  Shape in, out;
  const bool armnn = rules == graph::Rules::ArmNn;
  const std::int64_t rank = random.between(1, armnn ? 4 : 5);
  for (std::int64_t d = 0; d < rank; ++d) {
    in.push_back(random.between(1, d + 1 == rank ? 60 : 6));
    const bool gone = random.coin();
    if (gone) a.axes.push_back(static_cast<std::int32_t>(random.coin() ? d : d - rank));
    if (gone && a.keep_dims) out.push_back(1);
    if (!gone) out.push_back(in.back());
  }
  if (a.axes.empty()) {
    a.axes = {0};
    if (a.keep_dims)
      out[0] = 1;
    else
      out.erase(out.begin());
  }
  if (armnn && out.empty()) out = {1};
  const bool extreme = operation == ReduceOperation::Max || operation == ReduceOperation::Min;
  const Quantization q = random_quantization(random, type);
  b.output(b.node(Op::Reduce, a, {b.input(type, in, q)}, type, out,
                  extreme ? q : random_quantization(random, type)));
  const Comparison result = compare_modes(b);
  const std::string what = std::string(to_string(type)) + ", round " + std::to_string(round) + ": ";
  ASSERT_EQ(result.error, "") << what;
  EXPECT_LE(result.worst, type == DType::F32 ? 1e-5 * result.largest : 0) << what << result.kernels;
  EXPECT_EQ(result.kernels.find("reference"), std::string::npos) << what << result.kernels;
}

TEST(FastReductions, Extremes) {
  for (DType type : {DType::F32, DType::I8, DType::U8, DType::I16, DType::I32, DType::I64})
    for (int round = 0; round < 30; ++round)
      random_reduction(graph::Rules::Tflite, type,
                       round % 2 == 0 ? ReduceOperation::Max : ReduceOperation::Min, round);
}

TEST(FastReductions, SumsAndMeans) {
  for (DType type : {DType::F32, DType::I8, DType::U8, DType::I16})
    for (int round = 0; round < 30; ++round)
      random_reduction(graph::Rules::Tflite, type, ReduceOperation::Mean, round);
  for (int round = 0; round < 30; ++round)
    random_reduction(graph::Rules::Tflite, DType::F32, ReduceOperation::Sum, round);
  for (DType type : {DType::F32, DType::I8, DType::U8, DType::I16})
    for (int round = 0; round < 30; ++round)
      random_reduction(graph::Rules::ArmNn, type, ReduceOperation::Mean, round);
}

}  // namespace
}  // namespace npubin::test
