// From TensorFlow Lite's rules to Arm NN's: what can be expressed computes the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "convert/armnn/to_armnn_rules.h"
#include "npubin/artifact.h"
#include "support/graphs.h"
#include "tflite/case_run.h"

namespace npubin::test {
namespace {

Result<std::vector<Tensor>> run_armnn(const graph::Graph& graph, const std::vector<Tensor>& inputs) {
  NPUBIN_TRY(graph::Graph converted, convert::to_armnn_rules(graph));
  for (const graph::Node& node : converted.nodes) EXPECT_EQ(node.rules, graph::Rules::ArmNn);
  SessionOptions options;
  options.mode = ExecMode::Reference;
  NPUBIN_TRY(auto session, Session::compile(std::move(converted), options));
  auto context = session->new_context();
  return session->run(*context, inputs);
}

double range_of(const Tensor& tensor) {
  double low = 0, high = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    low = std::min(low, tensor.real(i));
    high = std::max(high, tensor.real(i));
  }
  return high - low;
}

TEST(TfliteToArmnnRules, WhatCanBeExpressedComputesTheSame) {
  std::size_t converted = 0, total = 0;
  std::map<std::string, std::size_t> refused;
  for (const fs::path& folder : case_folders(best_data("tflite/cases"))) {
    SCOPED_TRACE(folder.filename().string());
    ++total;
    const auto description = read_json(folder / "case.json");
    auto graph = read_graph(folder / "model.tflite");
    ASSERT_TRUE(graph) << to_string(graph.error());
    const auto expected = numbered(folder, "out", description.at("outputs").size());
    auto outputs = run_armnn(*graph, numbered(folder, "in", description.at("inputs").size()));
    if (!outputs) {
      EXPECT_EQ(outputs.error().kind, ErrorKind::Refused) << to_string(outputs.error());
      ++refused[description.at("op").get<std::string>()];
      if (std::getenv("NPUBIN_SHOW_REFUSALS") != nullptr)
        std::printf("%s\n", to_string(outputs.error()).c_str());
      continue;
    }
    ++converted;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Difference d = difference((*outputs)[i], expected[i]);
      const bool codes = !is_float(expected[i].type());
      // A layer's own rounding; two where an activation is a layer by itself. The reference's 16-bit softmax
      // looks its exponentials up and errs by some 1e-4 of its range, which Arm NN's does not.
      const bool looked_up = expected[i].type() == DType::I16 && description.at("op") == "SOFTMAX";
      const double allowed = codes ? (looked_up ? 16 : 2) : 1e-5 * std::max(range_of(expected[i]), 1.0);
      EXPECT_EQ(d.what, "");
      EXPECT_LE(d.largest, allowed) << "output " << i << ": " << d.count << " of " << expected[i].count()
                                    << " differ";
    }
  }
  std::printf("[   DATA   ] %zu of %zu cases converted and run;", converted, total);
  for (const auto& [op, count] : refused) std::printf(" %s %zu", op.c_str(), count);
  std::printf(" refused\n");
  EXPECT_GT(converted, total / 2);
}

TEST(TfliteToArmnnRules, EverythingThatCannotBeExpressedIsNamedAtOnce) {
  auto graph = read_graph(best_data("tflite/cases") / "svdf_f32_v/model.tflite");
  ASSERT_TRUE(graph);
  auto converted = convert::to_armnn_rules(*graph);
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().kind, ErrorKind::Refused);
  EXPECT_NE(converted.error().message.find("SVDF"), std::string::npos);
}

}  // namespace
}  // namespace npubin::test
