// Compiled operators and networks against TensorFlow Lite Micro's reference kernels, to the byte.
#include "compiled_file.h"

#include <cmath>
#include <cstring>

namespace npubin::test {
namespace {

std::vector<fs::path> compiled_files(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind("u55-", 0) == 0 && entry.path().extension() == ".tflite")
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

// How many values may differ by one: where the reference or the compiler computes a multiplier in float32.
std::int64_t allowed_by(const nlohmann::json& description) {
  const std::string note = description.value("note", "");
  const std::size_t at = note.find("up to ");
  return at == std::string::npos ? 0 : std::stoll(note.substr(at + 6));
}

struct Tally {
  int runs = 0, equal = 0, within_note = 0;
};

void compare(const CompiledFile& file, const std::vector<fs::path>& inputs,
             const std::vector<fs::path>& wanted, std::int64_t allowed, const fs::path& name, Tally& tally) {
  const std::vector<Tensor> outputs = file.run(inputs);
  ASSERT_EQ(outputs.size(), wanted.size()) << name;
  ++tally.runs;
  std::int64_t worst = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    double largest = 0;
    const std::int64_t count = differing(outputs[k], wanted[k], largest);
    EXPECT_GE(count, 0) << name;
    EXPECT_LE(count, allowed) << name << " output " << k;
    if (count > 0) {
      EXPECT_LE(largest, 1) << name << " output " << k;
    }
    worst = std::max(worst, count);
  }
  (worst == 0 ? tally.equal : tally.within_note) += 1;
}

TEST(EthosCases, OperatorsAndNetworks) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("ethos"))) {
    if (!fs::exists(folder / "case.json")) continue;
    const std::int64_t allowed = allowed_by(read_json(folder / "case.json"));
    for (const fs::path& path : compiled_files(folder)) {
      const CompiledFile file(path);
      if (!file.good()) continue;
      std::vector<fs::path> runs = case_folders(folder);
      if (fs::exists(folder / "in0.npy")) runs.push_back(folder);
      for (const fs::path& run : runs)
        compare(file, numbered(run, "in"), numbered(run, "out"), allowed, run / path.filename(), tally);
    }
  }
  std::printf("[  ETHOS   ] %d runs: %d equal, %d within their note\n", tally.runs, tally.equal,
              tally.within_note);
  EXPECT_GT(tally.runs, 0);
}

TEST(EthosCases, WholeNetworksInAllConfigurations) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("nets/cases"))) {
    const nlohmann::json description = read_json(folder / "case.json");
    for (const auto& [configuration, facts] : description["configs"].items()) {
      if (!facts.contains("file") || !fs::exists(folder / facts["file"])) continue;
      const CompiledFile file(folder / facts["file"].get<std::string>());
      if (!file.good()) continue;
      for (const fs::path& run : case_folders(folder)) {
        std::vector<fs::path> wanted;
        for (const int golden : facts["output_order"]) {
          // What the stream really computes, where that is not what the network says.
          const fs::path real = run / (configuration + "_npusim_out" + std::to_string(golden) + ".npy");
          wanted.push_back(fs::exists(real) ? real : run / ("out" + std::to_string(golden) + ".npy"));
        }
        compare(file, numbered(run, "in"), wanted, 0, run / facts["file"].get<std::string>(), tally);
      }
    }
  }
  std::printf("[   NETS   ] %d runs, %d equal\n", tally.runs, tally.equal);
  EXPECT_GT(tally.runs, 0);
}

TEST(EthosCases, FaceDetectorGivesTheReferencesBytes) {
  const fs::path folder = best_data("face");
  Tally tally;
  for (const char* accelerator : {"256", "128", "64"}) {
    const fs::path path = folder / (std::string("face_detection_int8_u55-") + accelerator + ".tflite");
    if (!fs::exists(path)) continue;
    const CompiledFile file(path);
    ASSERT_TRUE(file.good());
    for (const char* name : {"astronaut", "chelsea", "coffee", "rocket"}) {
      const fs::path input = folder / "inputs" / (std::string(name) + "_int8.npy");
      if (!fs::exists(input)) continue;
      std::vector<fs::path> wanted;
      for (const graph::Port& port : file.graph().outputs) {
        const bool boxes = file.graph().value(port.value).shape.back() == 16;
        wanted.push_back(folder / "outputs" /
                         (std::string(name) + "_int8_" + (boxes ? "regressors" : "classificators") + ".npy"));
      }
      compare(file, {input}, wanted, 0, path, tally);
    }
  }
  if (tally.runs == 0) GTEST_SKIP() << "the compiled detector is not here";
  EXPECT_EQ(tally.equal, tally.runs);
}

TEST(EthosCases, PublishersCompilationAnswersLikeOurs) {
  const fs::path folder = best_data("ethos");
  const fs::path path = folder / "person_detect_vela_3.11_u55-256.tflite";
  if (!fs::exists(path)) GTEST_SKIP() << "third-party networks are not part of the project";
  const CompiledFile file(path);
  ASSERT_TRUE(file.good());
  Tally tally;
  for (const fs::path& run : case_folders(folder / "net_person_detect"))
    compare(file, {run / "in0.npy"}, {run / "out0.npy"}, 0, run, tally);
  EXPECT_EQ(tally.runs, 3);
}

TEST(EthosCases, MobileNetV2) {
  const fs::path folder = full_data("mobilenet_v2");
  if (folder.empty()) GTEST_SKIP() << "third-party networks are not part of the project";
  const CompiledFile file(folder / "mobilenet_v2_int8_u55-256.tflite");
  ASSERT_TRUE(file.good());
  Tally tally;
  for (const std::string name : {"chelsea", "coffee", "rocket"})
    compare(file, {folder / (name + "_int8.npy")}, {folder / (name + "_logits.npy")}, 0, name, tally);
  EXPECT_EQ(tally.equal, 3);
}

}  // namespace
}  // namespace npubin::test
