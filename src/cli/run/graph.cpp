// Running graphs: .armnn, .tflite and whatever else is a GraphSource.
#include "cli/run/graph.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/run/graph_inputs.h"
#include "cli/run/graph_report.h"
#include "exec/content_hash.h"
#include "exec/real_values.h"
#include "npubin/npy.h"
#include "npubin/session.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

std::string safe_file_name(std::string_view name) {
  std::string out;
  for (char c : name.substr(0, 80))
    out += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') ? c : '_';
  return out;
}

// What became of the plan cache is nobody's trouble where it works; who watches a terminal is told.
void tell_cache(const PlanCacheReport& cache) {
  const bool failed = cache.state.rfind("not ", 0) == 0;
  if (!cache.file.empty() && (failed || want_progress()))
    std::fputs(fmt::format("plan cache {}: {} ({} parts found, {} made)\n", cache.file, cache.state,
                           cache.found, cache.made)
                   .c_str(),
               stderr);
}

// Writes every layer's outputs and layers.json as the run goes along.
class LayerDump {
 public:
  explicit LayerDump(std::string dir) : dir_(std::move(dir)) {}

  Result<void> open() {
    std::error_code failure;
    std::filesystem::create_directories(dir_, failure);
    if (failure)
      return io_error(dir_, "cannot be created: " + failure.message(),
                      "--dump-all names a folder; is there a file of that name?");
    return {};
  }
  void write(const NodeObservation& seen) {
    for (std::size_t k = 0; k < seen.outputs.size() && result_; ++k) {
      if (seen.outputs[k] == nullptr || seen.outputs[k]->empty()) continue;
      const std::string file = fmt::format("{:04}_{}_{}.npy", seen.index, k, safe_file_name(seen.node->name));
      result_ = save_npy(dir_ + "/" + file, *seen.outputs[k]);
      layers_.push_back({{"file", file},
                         {"layer", seen.node->source_index},
                         {"type", seen.node->source_type},
                         {"name", seen.node->name},
                         {"shape", seen.outputs[k]->shape()},
                         {"dtype", numpy_name(seen.outputs[k]->type())}});
    }
  }
  Result<void> close() {
    NPUBIN_CHECK(result_);
    return write_file(dir_ + "/layers.json",
                      render::dump({{"schema", "npubin.layers/1"}, {"layers", std::move(layers_)}}));
  }

 private:
  std::string dir_;
  render::Json layers_ = render::Json::array();
  Result<void> result_;
};

class GraphBackend : public RunBackend {
 public:
  explicit GraphBackend(std::shared_ptr<GraphRunOptions> options)
      : shared_(std::move(options)), options_(*shared_) {}

  std::string_view name() const override { return kGraphBackend; }

  void add_options(OptionSet& group) override {
    group.add_flag("--float", options_.inputs.real,
                   "take and give real numbers where the model is quantised");
    add_picture_options(group, options_.inputs);
    group.add_option("--top", options_.top.count, "show the N best classes")->range(1, 100000);
    group.add_option(
        "--dump-all", options_.dump_all,
        "folder for the outputs of every layer; runs the reference executor unless --exec says otherwise");
    group
        .add_option("--exec", options_.exec,
                    "fast (default), or reference: the format's own arithmetic, value for value")
        ->one_of({"fast", "reference"});
    group.add_option("--plan-cache", options_.plan_cache,
                     "keep what takes long to prepare in this folder, for the next time");
  }

  bool accepts(const Artifact& artifact) const override {
    return dynamic_cast<const graph::GraphSource*>(&artifact) != nullptr;
  }

  int run(Artifact& artifact, const RunOptions& run_options) override {
    auto node = execute(artifact, run_options);
    if (!node) return report(std::move(node).error().in_file(artifact.file_name()));
    return print_report("npubin.run/1", *node, run_options.file.json, 0);
  }

 private:
  Result<Node> execute(const Artifact& artifact, const RunOptions& run_options) {
    NPUBIN_CHECK(take_labels(run_options.labels, options_.top));
    tell_findings(artifact.read_findings());
    Diagnostics findings;
    NPUBIN_TRY(graph::Graph graph, dynamic_cast<const graph::GraphSource&>(artifact).graph(findings));
    tell_findings(findings);
    NPUBIN_TRY(const auto inputs,
               load_graph_inputs(graph, run_options.inputs, run_options.image, options_.inputs));
    SessionOptions session_options;
    session_options.threads = run_options.threads;
    const bool reference = options_.exec.empty() ? !options_.dump_all.empty() : options_.exec == "reference";
    session_options.mode = reference ? ExecMode::Reference : ExecMode::Fast;
    if (!options_.plan_cache.empty() && reference)
      return usage_error("--plan-cache keeps plans of --exec fast; the reference executor has none");
    session_options.plan_cache = options_.plan_cache;
    if (!options_.plan_cache.empty())
      session_options.model_hash = exec::content_hash(artifact.bytes().span());
    NPUBIN_TRY(const auto session, Session::compile(std::move(graph), session_options));
    tell_cache(session->plan().cache);
    const auto start = std::chrono::steady_clock::now();
    NPUBIN_TRY(const auto outputs, run_session(*session, inputs));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!run_options.out_dir.empty()) NPUBIN_CHECK(write_tensors(run_options.out_dir, "out", outputs));
    Node node("run");
    node.field("file", artifact.file_name());
    node.field("exec", reference ? "reference" : "fast");
    if (want_progress()) std::fputs(fmt::format("ran in {:.1f} ms\n", elapsed.count() * 1e3).c_str(), stderr);
    report_outputs(node, outputs, options_.top);
    return node;
  }

  Result<std::vector<NamedTensor>> run_session(const Session& session,
                                               const std::vector<Tensor>& inputs) const {
    LayerDump dump(options_.dump_all);
    NodeObserver observer;
    if (!options_.dump_all.empty()) {
      NPUBIN_CHECK(dump.open());
      observer = [&dump](const NodeObservation& seen) { dump.write(seen); };
    }
    const auto context = session.new_context();
    NPUBIN_TRY(const auto tensors, session.run(*context, inputs, observer));
    if (!options_.dump_all.empty()) NPUBIN_CHECK(dump.close());
    std::vector<NamedTensor> outputs;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      outputs.push_back(
          {session.graph().outputs[i].name, options_.inputs.real ? exec::to_real(tensors[i]) : tensors[i]});
    return outputs;
  }

  std::shared_ptr<GraphRunOptions> shared_;
  GraphRunOptions& options_;
};

}  // namespace

void tell_findings(const Diagnostics& findings) {
  for (const Diagnostic& finding : findings.findings())
    if (finding.severity != Severity::Info)
      std::fputs((render::to_text(finding, render::TextOptions{}) + "\n").c_str(), stderr);
}

std::unique_ptr<RunBackend> graph_backend(std::shared_ptr<GraphRunOptions> options) {
  return std::make_unique<GraphBackend>(std::move(options));
}

}  // namespace npubin::cli
