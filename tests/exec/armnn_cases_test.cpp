// The conformance cases of data/armnn: every layer, every age, whole models, in reference and in fast mode.
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "npubin/session.h"
#include "support/data.h"
#include "support/graphs.h"

namespace npubin {
namespace {

using test::fs::path;

// Reads in<k>.npy with the types of the graph: booleans are stored as bytes.
std::vector<Tensor> read_inputs(const path& folder, const graph::Graph& graph) {
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < graph.inputs.size(); ++k) {
    const Tensor stored = test::read_tensor(folder / ("in" + std::to_string(k) + ".npy"));
    Tensor tensor(graph.value(graph.inputs[k].value).type, stored.shape());
    EXPECT_EQ(tensor.byte_size(), stored.byte_size());
    std::memcpy(tensor.mutable_data(), stored.data(), std::min(tensor.byte_size(), stored.byte_size()));
    inputs.push_back(tensor);
  }
  return inputs;
}

Result<std::vector<Tensor>> execute(const path& file, const path& folder, ExecMode mode) {
  NPUBIN_TRY(graph::Graph graph, test::read_graph(file));
  const std::vector<Tensor> inputs = read_inputs(folder, graph);
  SessionOptions options;
  options.mode = mode;
  NPUBIN_TRY(const auto session, Session::compile(std::move(graph), options));
  const auto context = session->new_context();
  return session->run(*context, inputs);
}

struct Tolerance {
  double absolute = 0, relative = 0, steps = 0;
  double of_largest = 0;  // of the largest magnitude of the reference
};

// The largest excess over the tolerance; 0 or less is fine.
double excess(const Tensor& got, const Tensor& want, const Tolerance& tolerance) {
  double largest = 0, worst = -1;
  for (std::int64_t i = 0; i < want.count(); ++i)
    if (std::isfinite(want.real(i))) largest = std::max(largest, std::fabs(want.real(i)));
  for (std::int64_t i = 0; i < want.count(); ++i) {
    const double g = got.real(i), w = want.real(i);
    if (std::isnan(g) && std::isnan(w)) continue;
    if (g == w) continue;
    if (!std::isfinite(g) || !std::isfinite(w)) return INFINITY;
    const double allowed =
        tolerance.absolute + tolerance.relative * std::fabs(w) + tolerance.of_largest * largest;
    worst = std::max(worst, std::fabs(g - w) - std::max(allowed, tolerance.steps));
  }
  return worst;
}

// Compared as stored: codes for quantised types.
Tensor as_stored(const Tensor& tensor, DType type) {
  Tensor out(type, tensor.shape());
  EXPECT_EQ(out.byte_size(), tensor.byte_size());
  std::memcpy(out.mutable_data(), tensor.data(), std::min(out.byte_size(), tensor.byte_size()));
  return out;
}

struct Tally {
  std::size_t cases = 0, files = 0, identical = 0, lost = 0;
};

void compare(const std::vector<Tensor>& outputs, std::size_t expected_outputs, const path& folder,
             const Tolerance& tolerance, bool exact, Tally& tally) {
  bool identical = true;
  ASSERT_EQ(outputs.size(), expected_outputs) << folder;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Tensor want = test::read_tensor(folder / ("out" + std::to_string(k) + ".npy"));
    ASSERT_EQ(outputs[k].shape(), want.shape()) << folder << " output " << k;
    ASSERT_EQ(size_of(outputs[k].type()), size_of(want.type())) << folder << " output " << k;
    const Tensor got = as_stored(outputs[k], want.type());
    const double off = excess(got, want, exact ? Tolerance{} : tolerance);
    EXPECT_LE(off, 0) << folder << " output " << k << (exact ? " (exact)" : "");
    identical = identical && excess(got, want, {}) <= 0;
  }
  ++tally.files;
  tally.identical += identical ? 1u : 0u;
}

Tolerance tolerance_of(const nlohmann::json& entry, ExecMode mode, bool floating) {
  const auto& t = entry["tolerance"];
  Tolerance tolerance{t["abs"], t["rel"], t["lsb"], 0};
  if (mode == ExecMode::Fast) {
    // Fast kernels: 1e-5 of the range for float, the reference's codes.
    if (floating) tolerance.of_largest = 1e-5;
  }
  return tolerance;
}

// The 20.08 serializer writes SoftReLu as no function at all, which reads as Sigmoid: these files hold a
// Sigmoid, while their outputs were computed before they were written. What the file says is what runs.
bool lost_its_function(const nlohmann::json& entry, const path& file) {
  if (entry["params"].value("function", "") != "SoftReLu") return false;
  const auto graph = test::read_graph(file);
  return graph && graph->nodes.size() == 1 &&
         graph->nodes[0].attr<graph::ActivationAttributes>().function == graph::Activation::Sigmoid;
}

class Folder : public testing::TestWithParam<std::tuple<const char*, ExecMode>> {};

TEST_P(Folder, EveryCaseGivesItsOutputs) {
  const auto [name, mode] = GetParam();
  Tally tally;
  for (const path& folder : test::case_folders(test::best_data(std::string("armnn/") + name))) {
    const nlohmann::json entry = test::read_json(folder / "case.json");
    if (entry["kind"] == "structure") continue;  // parse-only: types that no reference runs
    if (lost_its_function(entry, folder / "model.armnn")) {
      ++tally.lost;
      continue;
    }
    ++tally.cases;
    std::vector<path> files{folder / "model.armnn"};
    if (test::fs::exists(folder / "model_d2.armnn")) files.push_back(folder / "model_d2.armnn");
    for (const path& file : files) {
      auto outputs = execute(file, folder, mode);
      ASSERT_TRUE(outputs.has_value()) << file << ": " << to_string(outputs.error());
      const std::string type = entry["outputs"][0]["dtype"];
      const bool half = type == "f16";
      Tolerance tolerance = tolerance_of(entry, mode, type == "f32" || half);
      // Half outputs of a fast kernel may fall to the neighbouring half: 2^-10 of the value.
      if (half && mode == ExecMode::Fast) tolerance.relative = std::max(tolerance.relative, 0.001);
      const bool exact = mode == ExecMode::Reference || (type != "f32" && !half);
      compare(*outputs, entry["outputs"].size(), folder, tolerance, entry["exact"].get<bool>() && exact,
              tally);
    }
  }
  std::printf(
      "[  CASES   ] %s %s: %zu cases, %zu files run, %zu equal to the bit, %zu without their function\n",
      name, mode == ExecMode::Fast ? "fast" : "reference", tally.cases, tally.files, tally.identical,
      tally.lost);
  EXPECT_LE(tally.lost, 5u);
  EXPECT_GT(tally.cases, 0u);
}

INSTANTIATE_TEST_SUITE_P(ArmNn, Folder,
                         testing::Combine(testing::Values("layers", "seed_age", "ages"),
                                          testing::Values(ExecMode::Reference, ExecMode::Fast)));

}  // namespace
}  // namespace npubin
