// Finds the faces in a photograph with a network in the form its accelerator executes, without the
// accelerator.
//
//   npubin_demo MODEL.armnn PHOTO OUT.png
#include <cstdio>
#include <string>

#include <fmt/format.h>

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

Result<Finding> run_graph(const std::string& path, const Picture& photo) {
  NPUBIN_TRY(auto artifact, npubin::open_artifact(path));
  const auto* source = dynamic_cast<const npubin::graph::GraphSource*>(artifact.get());
  if (source == nullptr) return npubin::usage_error(path + " holds no network");
  npubin::Diagnostics findings;
  NPUBIN_TRY(npubin::graph::Graph graph, source->graph(findings));
  std::vector<std::string> names;
  for (const auto& port : graph.outputs) names.push_back(port.name);
  NPUBIN_TRY(Tensor input, npubin::vision::face_detector_input(photo, npubin::DType::F32));
  NPUBIN_TRY(auto session, npubin::Session::compile(std::move(graph)));
  auto context = session->new_context();
  NPUBIN_TRY(auto outputs, session->run(*context, {input}));
  NPUBIN_TRY(auto faces, decode(outputs, names));
  return Finding{"Arm NN graph, float", std::move(faces)};
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

Result<int> demo(const std::string& graph_file, const std::string& photo_file, const std::string& out_file) {
  NPUBIN_TRY(Picture photo, npubin::load_picture(photo_file));
  std::vector<Finding> findings;
  NPUBIN_TRY(Finding graph, run_graph(graph_file, photo));
  findings.push_back(std::move(graph));
  print_table(findings, photo);
  Picture drawn = npubin::to_rgb(photo);
  npubin::vision::draw_faces(drawn, findings.front().faces);
  NPUBIN_CHECK(npubin::save_png(out_file, drawn));
  fmt::print("\nthe picture with the box drawn: {}\n", out_file);
  for (const Finding& finding : findings)
    if (finding.faces.empty()) return npubin::usage_error("no face was found by: " + finding.engine);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: npubin_demo MODEL.armnn PHOTO OUT.png\n", stderr);
    return 2;
  }
  auto done = demo(argv[1], argv[2], argv[3]);
  if (!done) std::fprintf(stderr, "npubin_demo: %s\n", to_string(done.error()).c_str());
  return done ? *done : npubin::exit_code(done.error());
}
