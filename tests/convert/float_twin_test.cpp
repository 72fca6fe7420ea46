// The float32 twin of a quantised operator computes what the operator would without rounding: a step or two
// away, once cut to what the codes can hold.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "convert/float_twin.h"
#include "npubin/artifact.h"
#include "npubin/session.h"
#include "support/data.h"
#include "support/graphs.h"

namespace npubin::test {
namespace {

Tensor decoded(Tensor codes, const Quantization& quantization) {
  if (!quantization.present()) return codes;
  codes.set_quantization(quantization);
  Tensor numbers(DType::F32, codes.shape());
  for (std::int64_t i = 0; i < codes.count(); ++i)
    numbers.as_mutable<float>()[static_cast<std::size_t>(i)] = static_cast<float>(codes.real(i));
  return numbers;
}

struct Limits {
  double low = -HUGE_VAL, high = HUGE_VAL, step = 0;
};

Limits limits_of(const graph::Value& value) {
  const double scale = value.quantization.scale(),
               zero = static_cast<double>(value.quantization.zero_point());
  const double least = value.type == DType::U8 ? 0 : value.type == DType::I8 ? -128 : -32768;
  const double most = value.type == DType::U8 ? 255 : value.type == DType::I8 ? 127 : 32767;
  return {(least - zero) * scale, (most - zero) * scale, scale};
}

bool holds_codes(const graph::Value& value) {
  return value.quantization.present() &&
         (value.type == DType::I8 || value.type == DType::U8 || value.type == DType::I16);
}

// Largest distance in steps of the output, or -1 where the case has no codes to compare.
double steps_apart(const fs::path& folder) {
  const auto graph = read_graph(folder / "model.tflite");
  if (!graph || graph->nodes.size() != 1 || !holds_codes(graph->value(graph->outputs[0].value))) return -1;
  const auto twin = convert::float_twin(*graph);
  if (!twin) return -1;
  for (const graph::Value& value : twin->values) EXPECT_FALSE(holds_codes(value)) << value.name;
  if (twin->nodes.empty()) return 0;  // QUANTIZE alone
  auto session = Session::compile(graph::Graph(*twin), {});
  if (!session) {
    ADD_FAILURE() << to_string(session.error());
    return -1;
  }
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < graph->inputs.size(); ++i)
    inputs.push_back(decoded(read_tensor(folder / ("in" + std::to_string(i) + ".npy")),
                             graph->value(graph->inputs[i].value).quantization));
  auto context = (*session)->new_context();
  const auto outputs = (*session)->run(*context, inputs);
  if (!outputs) {
    ADD_FAILURE() << to_string(outputs.error());
    return -1;
  }
  const graph::Value& value = graph->value(graph->outputs[0].value);
  const Tensor expected = decoded(read_tensor(folder / "out0.npy"), value.quantization);
  const Limits limits = limits_of(value);
  double worst = 0;
  for (std::int64_t i = 0; i < expected.count(); ++i)
    worst = std::max(worst,
                     std::abs(std::clamp((*outputs)[0].real(i), limits.low, limits.high) - expected.real(i)) /
                         limits.step);
  return worst;
}

// Where codes mean something else than rounded numbers.
bool differs_by_nature(const std::string& name) {
  return name == "relu6_i8_relabel" ||  // takes codes over under another scale
         name == "svdf_i8_state16";     // the state saturates
}

// 16-bit tables of exponentials and tangents are coarser than their codes.
double allowed_steps(const std::string& name) {
  return name.starts_with("softmax_i16") ? 12 : name.starts_with("tanh_i16") ? 3 : 2;
}

TEST(FloatTwin, IsAStepOrTwoFromTheCodes) {
  std::size_t compared = 0;
  for (const fs::path& folder : case_folders(best_data("tflite/cases"))) {
    const std::string name = folder.filename().string();
    const double steps = differs_by_nature(name) ? -1 : steps_apart(folder);
    if (steps < 0) continue;
    ++compared;
    EXPECT_LE(steps, allowed_steps(name)) << name;
  }
  EXPECT_GT(compared, 20u);
}

TEST(FloatTwin, RefusesWhatHasNoCodes) {
  const auto twin = convert::float_twin(graph::Graph{});
  ASSERT_FALSE(twin);
  EXPECT_EQ(twin.error().kind, ErrorKind::Refused);
}

}  // namespace
}  // namespace npubin::test
