// No allocation in the steady state, whatever the model: every case file of TensorFlow Lite and Arm NN.
#include <set>

#include <gtest/gtest.h>

#include "allocations.h"
#include "npubin/artifact.h"
#include "npubin/session.h"
#include "random_graphs.h"
#include "support/data.h"

namespace npubin::test {
namespace {

// Indices, shapes and sizes among the operands want what the case gives them; where it gives nothing, zeros
// are an index of everything.
Tensor operand(const fs::path& folder, std::size_t k, const graph::Value& value) {
  Tensor tensor(value.type, value.shape);
  const fs::path stored = folder / ("in" + std::to_string(k) + ".npy");
  if (fs::exists(stored)) {
    const Tensor given = read_tensor(stored);
    if (given.byte_size() == tensor.byte_size() && given.byte_size() > 0)
      std::copy_n(given.data(), given.byte_size(), tensor.mutable_data());
  }
  return tensor;
}

struct Tally {
  std::size_t files = 0;
  std::set<std::string> kernels;  // operator, type of the first input, kernel
};

bool embeds_a_machine(const graph::Graph& graph) {
  for (const graph::Node& node : graph.nodes)
    if (node.op == graph::Op::EthosU) return true;
  return false;
}

void expect_none(const fs::path& folder, const fs::path& file, int threads, Tally& tally) {
  SCOPED_TRACE(file.string() + " with " + std::to_string(threads) + " threads");
  auto artifact = open_artifact(file.string());
  if (!artifact) return;
  const auto* source = dynamic_cast<const graph::GraphSource*>(artifact->get());
  Diagnostics findings;
  if (source == nullptr) return;
  auto graph = source->graph(findings);
  // A machine that runs a command stream is no kernel; it has memory of its own.
  if (!graph || embeds_a_machine(*graph)) return;
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < graph->inputs.size(); ++k)
    inputs.push_back(operand(folder, k, graph->value(graph->inputs[k].value)));
  const std::string type = inputs.empty() ? std::string("nothing") : std::string(to_string(inputs[0].type()));
  SessionOptions options;
  options.threads = threads;
  auto session = Session::compile(*std::move(graph), options);
  if (!session) return;
  const auto context = (*session)->new_context();
  if (!(*session)->run_in_place(*context, inputs)) return;
  start_counting_allocations();
  const bool fine = (*session)->run_in_place(*context, inputs).has_value();
  const std::size_t count = stop_counting_allocations();
  EXPECT_TRUE(fine);
  std::string steps;
  for (const PlanStep& step : (*session)->plan().steps) {
    steps += step.type + " " + step.kernel + "; ";
    tally.kernels.insert(step.type + " " + type + " " + step.kernel);
  }
  EXPECT_EQ(count, 0u) << type << ": " << steps;
  ++tally.files;
}

void expect_none_in(const std::string& collection, int threads, Tally& tally) {
  for (const fs::path& folder : case_folders(best_data(collection)))
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      if (extension == ".tflite" || extension == ".armnn") expect_none(folder, entry.path(), threads, tally);
    }
}

TEST(SteadyState, NoModelAllocates) {
  if (!allocations_are_counted()) GTEST_SKIP() << "allocations are the sanitizer's";
  Tally tally;
  for (const char* collection :
       {"tflite/cases", "armnn/layers", "armnn/ages", "armnn/models", "nets/cases", "ethos"})
    expect_none_in(collection, 1, tally);
  // Threads meet at every step; the small cases would spend their time on nothing else.
  for (const auto& entry : fs::directory_iterator(best_data("face")))
    if (entry.path().extension() == ".tflite" || entry.path().extension() == ".armnn")
      for (int threads : {1, 2}) expect_none(best_data("face"), entry.path(), threads, tally);
  std::printf("[  STEADY  ] %zu compiled files, %zu kinds of operator, type and kernel\n", tally.files,
              tally.kernels.size());
  EXPECT_GT(tally.files, 50u);
}

}  // namespace
}  // namespace npubin::test
