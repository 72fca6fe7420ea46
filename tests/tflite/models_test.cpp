// Whole networks: every .tflite of the collections that has reference outputs runs and gives them.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "tflite/case_run.h"

namespace npubin::test {
namespace {

struct Tally {
  std::size_t runs = 0, exact = 0;
  void print(const char* what) const {
    std::printf("[   DATA   ] %s: %zu runs, %zu to the bit\n", what, runs, exact);
  }
};

double largest_magnitude(const Tensor& tensor) {
  double out = 0;
  Tensor plain = tensor;
  plain.set_quantization({});
  for (std::int64_t i = 0; i < plain.count(); ++i) out = std::max(out, std::fabs(plain.real(i)));
  return out;
}

// Flat goldens take the shapes of the model.
std::vector<Tensor> shaped(const Session& session, std::vector<Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& shape = session.graph().value(session.graph().inputs[i].value).shape;
    if (inputs[i].shape() != shape && inputs[i].count() == count_of(shape))
      inputs[i] = inputs[i].reshaped(shape);
  }
  return inputs;
}

void expect_outputs(const Session& session, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& expected, double tolerance, double relative, Tally& tally) {
  auto context = session.new_context();
  auto outputs = session.run(*context, shaped(session, inputs));
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  ASSERT_GE(outputs->size(), expected.size());
  bool exact = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Difference d = difference((*outputs)[i], expected[i]);
    EXPECT_EQ(d.what, "");
    EXPECT_LE(d.largest, tolerance + relative * largest_magnitude(expected[i]))
        << "output " << i << ": " << d.count << " of " << expected[i].count() << " differ";
    exact = exact && d.count == 0;
  }
  ++tally.runs;
  tally.exact += exact ? 1 : 0;
}

std::size_t count_files(const fs::path& folder, const std::string& stem) {
  std::size_t out = 0;
  while (fs::exists(folder / fmt::format("{}{}.npy", stem, out))) ++out;
  return out;
}

TEST(TfliteModels, SyntheticNetworks) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("nets/cases"))) {
    SCOPED_TRACE(folder.filename().string());
    auto session = compile_tflite(folder / "model.tflite");
    ASSERT_TRUE(session) << to_string(session.error());
    for (const fs::path& seed : case_folders(folder)) {
      if (count_files(seed, "in") == 0) continue;
      expect_outputs(**session, numbered(seed, "in", count_files(seed, "in")),
                     numbered(seed, "out", count_files(seed, "out")), 0, 0, tally);
    }
  }
  tally.print("nets");
  EXPECT_GT(tally.runs, 0u);
}

TEST(TfliteModels, SourcesOfTheEthosUCases) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("ethos"))) {
    SCOPED_TRACE(folder.filename().string());
    if (!fs::exists(folder / "model.tflite")) continue;
    auto session = compile_tflite(folder / "model.tflite");
    ASSERT_TRUE(session) << to_string(session.error());
    std::vector<fs::path> sets = case_folders(folder);
    if (sets.empty()) sets.push_back(folder);
    // These two goldens were published from a build that takes SUB's multipliers in double; the kernels of
    // the reference (and of all cases in tflite/cases) round them to float32, which moves 2 and 1 elements by
    // one.
    const std::string name = folder.filename().string();
    const double tolerance = name == "seanet_sub0" || name == "seanet_sub3" ? 1 : 0;
    for (const fs::path& set : sets)
      expect_outputs(**session, numbered(set, "in", count_files(set, "in")),
                     numbered(set, "out", count_files(set, "out")), tolerance, 0, tally);
  }
  tally.print("ethos");
  EXPECT_GT(tally.runs, 0u);
}

TEST(TfliteModels, FaceDetector) {
  Tally tally;
  const fs::path folder = best_data("face");
  for (const char* kind : {"f32", "int8"}) {
    const fs::path model = folder / fmt::format("face_detection_{}.tflite", kind);
    if (!fs::exists(model)) continue;
    auto session = compile_tflite(model);
    ASSERT_TRUE(session) << to_string(session.error());
    for (const char* picture : {"astronaut", "chelsea", "coffee", "rocket"}) {
      const fs::path input = folder / "inputs" / fmt::format("{}_{}.npy", picture, kind);
      if (!fs::exists(input)) continue;
      SCOPED_TRACE(input.string());
      const auto out = [&](const char* name) {
        return read_tensor(folder / "outputs" / fmt::format("{}_{}_{}.npy", picture, kind, name));
      };
      // Float references are TensorFlow Lite's, whose kernels add in another order.
      const double relative = std::string_view(kind) == "f32" ? 1e-5 : 0;
      expect_outputs(**session, {read_tensor(input)}, {out("regressors"), out("classificators")}, 0, relative,
                     tally);
    }
  }
  tally.print("face");
}

// Some references of armnn/models are from XNNPACK, which rounds once: the tolerance of the case counts.
TEST(TfliteModels, ModelsBesideArmNn) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("armnn/models"))) {
    if (!fs::exists(folder / "model.tflite") || !fs::exists(folder / "ref_tflite")) continue;
    SCOPED_TRACE(folder.filename().string());
    auto session = compile_tflite(folder / "model.tflite");
    ASSERT_TRUE(session) << to_string(session.error());
    // 53 layers of XNNPACK's single rounding; the same network is held to the bit in data/mobilenet_v2.
    const double steps = folder.filename() == "mobilenet_v2_int8" ? 8 : 2;
    const bool quantized = (*session)->graph().value((*session)->graph().outputs[0].value).type != DType::F32;
    expect_outputs(**session, numbered(folder, "in", count_files(folder, "in")),
                   numbered(folder / "ref_tflite", "out", count_files(folder / "ref_tflite", "out")),
                   quantized ? steps : 1e-6, quantized ? 0 : 2e-5, tally);
  }
  tally.print("armnn/models");
}

TEST(TfliteModels, MobileNetV2) {
  const fs::path folder = full_data("mobilenet_v2");
  if (folder.empty()) GTEST_SKIP() << "mobilenet_v2 is not in the project's own selection";
  auto session = compile_tflite(folder / "mobilenet_v2_int8.tflite");
  ASSERT_TRUE(session) << to_string(session.error());
  Tally tally;
  expect_outputs(**session, {read_tensor(folder / "coffee_int8.npy")},
                 {read_tensor(folder / "coffee_logits.npy")}, 0, 0, tally);
  tally.print("mobilenet_v2");
}

}  // namespace
}  // namespace npubin::test
