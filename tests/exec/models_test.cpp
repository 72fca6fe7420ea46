// Whole models: Arm NN files against CpuRef's outputs, TensorFlow Lite files in fast mode against their
// reference.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "npubin/session.h"
#include "support/data.h"
#include "support/graphs.h"

namespace npubin {
namespace {

using test::fs::path;

Result<std::vector<Tensor>> execute(graph::Graph graph, const path& folder, ExecMode mode) {
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < graph.inputs.size(); ++k) {
    const Tensor stored = test::read_tensor(folder / ("in" + std::to_string(k) + ".npy"));
    const graph::Value& value = graph.value(graph.inputs[k].value);
    Tensor tensor(value.type, value.shape);
    if (tensor.byte_size() != stored.byte_size())
      return usage_error("input " + std::to_string(k) + " does not fit");
    std::memcpy(tensor.mutable_data(), stored.data(), stored.byte_size());
    inputs.push_back(std::move(tensor));
  }
  SessionOptions options;
  options.mode = mode;
  NPUBIN_TRY(const auto session, Session::compile(std::move(graph), options));
  const auto context = session->new_context();
  return session->run(*context, inputs);
}

struct Difference {
  double steps = 0;    // of stored values
  double largest = 0;  // magnitude of the reference
  bool shapes = true;
};

Difference difference(const std::vector<Tensor>& got, const std::vector<Tensor>& want) {
  Difference d;
  d.shapes = got.size() == want.size();
  for (std::size_t k = 0; d.shapes && k < got.size(); ++k) {
    d.shapes = got[k].byte_size() == want[k].byte_size() && got[k].count() == want[k].count();
    if (!d.shapes) break;
    Tensor plain = got[k];
    plain.set_quantization({});
    Tensor expected = want[k];
    expected.set_quantization({});
    for (std::int64_t i = 0; i < plain.count(); ++i) {
      const double w = expected.real(i), g = plain.real(i);
      if (g == w || (std::isnan(g) && std::isnan(w))) continue;
      d.steps = std::max(d.steps, std::isfinite(g - w) ? std::fabs(g - w) : INFINITY);
      d.largest = std::max(d.largest, std::isfinite(w) ? std::fabs(w) : 0.0);
    }
    for (std::int64_t i = 0; i < plain.count(); ++i)
      if (std::isfinite(expected.real(i))) d.largest = std::max(d.largest, std::fabs(expected.real(i)));
  }
  return d;
}

std::vector<Tensor> stored_outputs(const path& folder, std::size_t count) {
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(test::read_tensor(folder / ("out" + std::to_string(k) + ".npy")));
  return out;
}

// The .armnn holds a graph of its own (raw zeros in its pads); only the first Pad was folded when CpuRef ran
// it, which pads with the number 0. With that one value changed the outputs must agree.
void fold_first_pad(graph::Graph& graph) {
  for (graph::Node& node : graph.nodes)
    if (node.op == graph::Op::Pad) {
      std::get<graph::PadAttributes>(node.attributes).value =
          static_cast<float>(graph.value(node.inputs[0]).quantization.zero_point());
      return;
    }
}

TEST(Models, ArmNnFilesGiveCpuRefsOutputs) {
  std::size_t run = 0, identical = 0;
  for (const path& folder : test::case_folders(test::best_data("armnn/models"))) {
    const auto entry = test::read_json(folder / "case.json");
    const bool floating = entry["outputs"][0]["dtype"] == "f32";
    const auto want = stored_outputs(folder / "ref_cpuref", entry["outputs"].size());
    for (const char* file :
         {"model.armnn", "model_d2.armnn", "model_seed.armnn", "model_1908.armnn", "model_2108.armnn"})
      for (ExecMode mode : {ExecMode::Reference, ExecMode::Fast}) {
        if (!test::fs::exists(folder / file)) continue;
        if (mode == ExecMode::Reference && std::string(file) != "model.armnn" && entry["layers"] > 50)
          continue;
        SCOPED_TRACE((folder / file).string() + (mode == ExecMode::Fast ? " fast" : " reference"));
        auto graph = test::read_graph(folder / file);
        ASSERT_TRUE(graph.has_value()) << to_string(graph.error());
        if (entry["name"] == "mobilenet_v2_int8") fold_first_pad(*graph);
        auto got = execute(*std::move(graph), folder, mode);
        ASSERT_TRUE(got.has_value()) << to_string(got.error());
        const Difference d = difference(*got, want);
        ASSERT_TRUE(d.shapes);
        // Float: the order of sums is the reference's, only the mathematical functions may differ in the last
        // bit. The untrained detector's outputs of 1e-16 come out of cancellation: its case allows 1e-3.
        const double of_largest = entry["name"] == "ssd_mobilenet_v3" ? 1e-3 : 1e-5;
        EXPECT_LE(d.steps, floating ? of_largest * d.largest : 0);
        ++run;
        identical += d.steps == 0 ? 1 : 0;
      }
  }
  std::printf("[  MODELS  ] %zu runs, %zu equal to the bit\n", run, identical);
}

TEST(Models, TfliteFilesGiveTheirReferenceInFastMode) {
  for (const path& folder : test::case_folders(test::best_data("armnn/models"))) {
    if (!test::fs::exists(folder / "ref_tflite") || !test::fs::exists(folder / "model.tflite")) continue;
    SCOPED_TRACE(folder.string());
    const auto entry = test::read_json(folder / "case.json");
    auto graph = test::read_graph(folder / "model.tflite");
    ASSERT_TRUE(graph.has_value()) << to_string(graph.error());
    auto reference = execute(*graph, folder, ExecMode::Reference);
    auto got = execute(*std::move(graph), folder, ExecMode::Fast);
    ASSERT_TRUE(got.has_value()) << to_string(got.error());
    ASSERT_TRUE(reference.has_value()) << to_string(reference.error());
    const Difference d = difference(*got, stored_outputs(folder / "ref_tflite", entry["outputs"].size()));
    ASSERT_TRUE(d.shapes);
    const bool floating = entry["outputs"][0]["dtype"] == "f32";
    // ref_tflite's integer kernels are XNNPACK's, which round once where TensorFlow Lite Micro rounds twice:
    // two steps (case.json), of which 64 layers of MobileNet make up to seven.
    const double steps = entry["name"] == "mobilenet_v2_int8" ? 7 : 2;
    EXPECT_LE(d.steps, floating ? 2e-5 * d.largest : steps);
    if (!floating) {
      EXPECT_EQ(difference(*got, *reference).steps, 0) << "fast and reference";
    }
  }
}

TEST(Models, TfliteCasesAreEqualInBothModes) {
  std::size_t cases = 0;
  for (const path& folder : test::case_folders(test::best_data("tflite/cases"))) {
    SCOPED_TRACE(folder.filename().string());
    auto graph = test::read_graph(folder / "model.tflite");
    ASSERT_TRUE(graph.has_value()) << to_string(graph.error());
    auto reference = execute(*graph, folder, ExecMode::Reference);
    auto fast = execute(*std::move(graph), folder, ExecMode::Fast);
    ASSERT_TRUE(reference.has_value()) << to_string(reference.error());
    ASSERT_TRUE(fast.has_value()) << to_string(fast.error());
    const Difference d = difference(*fast, *reference);
    ASSERT_TRUE(d.shapes);
    const bool floating = !reference->empty() && is_float((*reference)[0].type());
    EXPECT_LE(d.steps, floating ? 1e-5 * std::max(d.largest, 1e-3) : 0.0);
    ++cases;
  }
  std::printf("[  CASES   ] tflite, fast against reference: %zu\n", cases);
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace npubin
