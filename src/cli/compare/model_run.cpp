#include "cli/compare/model_run.h"

#include <fmt/format.h>

namespace npubin::cli {
namespace {

class GraphRun final : public ModelRun {
 public:
  explicit GraphRun(std::unique_ptr<Session> session)
      : session_(std::move(session)), context_(session_->new_context()) {}

  const graph::Graph& interface() const override { return session_->graph(); }

  Result<std::vector<NamedTensor>> run(const std::vector<Tensor>& inputs,
                                       const LayerObserver& observer) override {
    const graph::Graph& graph = session_->graph();
    auto observe = [&](const NodeObservation& seen) {
      for (std::size_t i = 0; i < seen.outputs.size() && i < seen.node->outputs.size(); ++i) {
        if (seen.outputs[i] == nullptr || seen.node->outputs[i] == graph::kNoValue) continue;
        const graph::Value& value = graph.value(seen.node->outputs[i]);
        observer(value.name.empty() ? seen.node->name : value.name, seen.node->source_type, *seen.outputs[i]);
      }
    };
    NPUBIN_TRY(auto outputs,
               session_->run(*context_, inputs, observer ? NodeObserver(observe) : NodeObserver()));
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < outputs.size(); ++i) named.push_back({graph.outputs[i].name, outputs[i]});
    return named;
  }

 private:
  std::unique_ptr<Session> session_;
  std::unique_ptr<RunContext> context_;
};

}  // namespace

Result<std::unique_ptr<ModelRun>> model_run(const Artifact& artifact, const SessionOptions& options) {
  const auto* source = dynamic_cast<const graph::GraphSource*>(&artifact);
  if (source == nullptr)
    return refused(fmt::format("a file of format {} does not run on tensors", artifact.format()),
                   "networks can be compared: .armnn, .tflite, .npub");
  Diagnostics findings;
  NPUBIN_TRY(graph::Graph graph, source->graph(findings));
  NPUBIN_TRY(auto session, Session::compile(std::move(graph), options));
  return std::unique_ptr<ModelRun>(std::make_unique<GraphRun>(std::move(session)));
}

}  // namespace npubin::cli
