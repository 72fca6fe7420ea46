// Finds the faces in a photograph with a network in the form its accelerator executes, without the
// accelerator.
//
//   npubin_demo MODEL.armnn PHOTO OUT.png
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "formats/ethosu_program.h"
#include "formats/npub/document.h"
#include "npubin/artifact.h"
#include "npubin/graph.h"
#include "npubin/picture.h"
#include "npubin/session.h"
#include "vision/face_detector.h"

namespace {

using npubin::Picture;
using npubin::Result;
using npubin::Tensor;
using npubin::vision::FaceDetection;

struct Finding {
  std::string engine;
  std::vector<FaceDetection> faces;
};

// Tensors of the network by name, so that their order in the file does not matter.
Result<std::vector<FaceDetection>> decode(const std::vector<Tensor>& outputs,
                                          const std::vector<std::string>& names) {
  const Tensor* regressors = nullptr;
  const Tensor* classificators = nullptr;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (names[i] == "regressors") regressors = &outputs[i];
    if (names[i] == "classificators") classificators = &outputs[i];
  }
  if (regressors == nullptr || classificators == nullptr)
    return npubin::usage_error("the network has no outputs named regressors and classificators");
  npubin::vision::FaceDetector detector;
  NPUBIN_TRY(auto faces, detector.decode(*regressors, *classificators));
  return std::vector<FaceDetection>(faces.begin(), faces.end());
}

// Runs a network that takes one picture, and decodes what it answers.
Result<Finding> run(npubin::graph::Graph graph, const Picture& photo, std::string engine) {
  std::vector<std::string> names;
  for (const auto& port : graph.outputs) names.push_back(port.name);
  const npubin::graph::Value& wanted = graph.value(graph.inputs.at(0).value);
  NPUBIN_TRY(Tensor input, npubin::vision::face_detector_input(photo, wanted.type));
  input.set_quantization(wanted.quantization);
  NPUBIN_TRY(auto session, npubin::Session::compile(std::move(graph)));
  auto context = session->new_context();
  NPUBIN_TRY(auto outputs, session->run(*context, {input}));
  NPUBIN_TRY(auto faces, decode(outputs, names));
  return Finding{std::move(engine), std::move(faces)};
}

Result<npubin::graph::Graph> open_armnn(const std::string& path) {
  NPUBIN_TRY(auto artifact, npubin::open_artifact(path));
  const auto* source = dynamic_cast<const npubin::graph::GraphSource*>(artifact.get());
  if (source == nullptr) return npubin::usage_error(path + " holds no network");
  npubin::Diagnostics findings;
  return source->graph(findings);
}

// The command stream becomes the one node of a graph; its bindings are the graph's inputs and outputs.
Result<npubin::graph::Graph> open_npub(const std::string& path, const std::string& io_file) {
  NPUBIN_TRY(auto artifact, npubin::open_artifact(path));
  const auto* document = dynamic_cast<const npubin::npub::Document*>(artifact.get());
  if (document == nullptr) return npubin::usage_error(path + " is no .npub");
  NPUBIN_TRY(npubin::ethosu::Job job, document->job(io_file));
  auto regions = std::make_shared<npubin::programs::EthosURegions>();
  NPUBIN_TRY(regions->memory, npubin::ethosu::Memory::create(job.regions));
  std::vector<std::size_t> inputs(job.inputs.size()), outputs(job.outputs.size());
  std::iota(inputs.begin(), inputs.end(), 0);
  std::iota(outputs.begin(), outputs.end(), 0);
  return npubin::programs::graph_of_program(
      std::make_shared<npubin::programs::EthosUProgram>(std::move(job), inputs, outputs, regions));
}

void print_table(const std::vector<Finding>& findings, const Picture& photo) {
  fmt::print("{:<34}  {:>6}  {:>22}  {}\n", "executed as", "score", "box (pixels)", "nose");
  for (const Finding& finding : findings)
    for (const FaceDetection& face : finding.faces) {
      const double w = photo.width, h = photo.height;
      const auto& nose = face.keypoints[npubin::vision::kNoseTip];
      fmt::print("{:<34}  {:>6.4f}  {:>22}  ({:.0f}, {:.0f})\n", finding.engine, face.score,
                 fmt::format("({:.0f}, {:.0f})-({:.0f}, {:.0f})", face.x_min * w, face.y_min * h,
                             face.x_max * w, face.y_max * h),
                 nose.x * w, nose.y * h);
    }
}

struct Files {
  std::string armnn, npub, io, photo, out;
};

Result<int> demo(const Files& files) {
  NPUBIN_TRY(Picture photo, npubin::load_picture(files.photo));
  NPUBIN_TRY(auto float_graph, open_armnn(files.armnn));
  NPUBIN_TRY(auto npu_graph, open_npub(files.npub, files.io));
  std::vector<Finding> findings;
  NPUBIN_TRY(Finding by_graph, run(std::move(float_graph), photo, "Arm NN graph, float32"));
  findings.push_back(std::move(by_graph));
  NPUBIN_TRY(Finding by_npu, run(std::move(npu_graph), photo, "Ethos-U55 command stream, int8"));
  findings.push_back(std::move(by_npu));
  print_table(findings, photo);
  Picture drawn = npubin::to_rgb(photo);
  npubin::vision::draw_faces(drawn, findings.back().faces);
  NPUBIN_CHECK(npubin::save_png(files.out, drawn));
  fmt::print("\nthe picture with the box drawn: {}\n", files.out);
  for (const Finding& finding : findings)
    if (finding.faces.empty()) return npubin::usage_error("no face was found by: " + finding.engine);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: npubin_demo MODEL.armnn MODEL.npub IO.json PHOTO OUT.png\n", stderr);
    return 2;
  }
  auto done = demo({argv[1], argv[2], argv[3], argv[4], argv[5]});
  if (!done) std::fprintf(stderr, "npubin_demo: %s\n", to_string(done.error()).c_str());
  return done ? *done : npubin::exit_code(done.error());
}
