// Whole .tflite models become .armnn and come back, and answer alike on random inputs.
#include <gtest/gtest.h>

#include <algorithm>

#include "convert/converted.h"
#include "exec/difference.h"
#include "exec/random_inputs.h"
#include "npubin/session.h"

namespace npubin::test {
namespace {

std::vector<fs::path> models() {
  std::vector<fs::path> out;
  for (const char* folder : {"nets/cases", "armnn/models", "face", "ethos", "mobilenet_v2"}) {
    const fs::path place = best_data(folder);
    if (!fs::exists(place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      // What Vela compiled holds an Ethos-U stream, which no CPU network expresses.
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".tflite" && name.find("u55") == std::string::npos)
        out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::vector<Tensor>> run_model(const Artifact& artifact, const std::vector<Tensor>& inputs) {
  NPUBIN_TRY(graph::Graph graph, graph_of(artifact));
  NPUBIN_TRY(auto session, Session::compile(std::move(graph), {}));
  std::vector<Tensor> fitting;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    fitting.push_back(inputs[i].reshaped(session->graph().value(session->graph().inputs[i].value).shape));
  auto context = session->new_context();
  return session->run(*context, fitting);
}

// Float networks only reorder sums; in quantised ones a layer may differ by a step, and steps add up with
// depth.
void compare_outputs(const std::vector<Tensor>& before, const std::vector<Tensor>& after, bool quantized) {
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto difference = exec::difference("out", before[i], after[i]);
    ASSERT_TRUE(difference) << to_string(difference.error());
    if (!quantized) {
      EXPECT_LE(difference->relative(), 1e-4) << "output " << i;
    } else if (difference->range > 0) {
      EXPECT_LE(difference->mean / difference->range, 0.05) << "output " << i;
    }
  }
}

TEST(ModelRoundTrip, EveryModelToArmnnAndBack) {
  std::size_t there = 0, back = 0;
  for (const fs::path& file : models()) {
    SCOPED_TRACE(file.string());
    auto source = open_artifact(file.string());
    ASSERT_TRUE(source) << to_string(source.error());
    auto graph = graph_of(**source);
    if (!graph) continue;  // person_detect/model_original.tflite: TensorFlow Lite refuses it as well
    const bool quantized = std::any_of(graph->values.begin(), graph->values.end(),
                                       [](const graph::Value& v) { return v.quantization.present(); });
    auto inputs = exec::random_inputs(*graph, 7);
    ASSERT_TRUE(inputs) << to_string(inputs.error());
    auto expected = run_model(**source, *inputs);
    ASSERT_TRUE(expected) << to_string(expected.error());

    auto middle = converted(**source, ".armnn");
    ASSERT_TRUE(middle) << to_string(middle.error());
    auto armnn = reread(*middle, ".armnn");
    ASSERT_TRUE(armnn) << to_string(armnn.error());
    auto answer = run_model(**armnn, *inputs);
    ASSERT_TRUE(answer) << to_string(answer.error());
    compare_outputs(*expected, *answer, quantized);
    ++there;

    auto last = converted(**armnn, ".tflite");
    ASSERT_TRUE(last) << to_string(last.error());
    auto tflite = reread(*last, ".tflite");
    ASSERT_TRUE(tflite) << to_string(tflite.error());
    auto again = run_model(**tflite, *inputs);
    ASSERT_TRUE(again) << to_string(again.error());
    compare_outputs(*answer, *again, quantized);
    ++back;
  }
  std::printf("[   DATA   ] %zu models to .armnn, %zu back\n", there, back);
  EXPECT_GE(there, 8u);
  EXPECT_EQ(there, back);
}

}  // namespace
}  // namespace npubin::test
