#include "cli/compare/model_run.h"

#include <map>

#include <fmt/format.h>

#include "cli/compare/input_layout.h"
#include "cli/run/ethosu_model.h"
#include "exec/real_values.h"

namespace npubin::cli {
namespace {

class GraphRun final : public ModelRun {
 public:
  GraphRun(std::unique_ptr<Session> session, graph::Graph network)
      : session_(std::move(session)), context_(session_->new_context()), network_(std::move(network)) {}

  const graph::Graph& interface() const override { return session_->graph(); }
  const graph::Graph& network() const override { return network_; }

  Result<std::vector<NamedTensor>> run(const std::vector<Tensor>& inputs,
                                       const LayerObserver& observer) override {
    const graph::Graph& graph = session_->graph();
    auto observe = [&](const NodeObservation& seen) {
      for (std::size_t i = 0; i < seen.outputs.size() && i < seen.node->outputs.size(); ++i) {
        if (seen.outputs[i] == nullptr || seen.node->outputs[i] == graph::kNoValue) continue;
        const graph::Value& value = graph.value(seen.node->outputs[i]);
        observer(seen.node->outputs[i], value.name.empty() ? seen.node->name : value.name, *seen.outputs[i]);
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
  graph::Graph network_;
};

}  // namespace

namespace {

Result<graph::Graph> graph_of(const Artifact& artifact, const std::string& io_file) {
  Diagnostics findings;
  if (const auto* source = dynamic_cast<const graph::GraphSource*>(&artifact)) return source->graph(findings);
  if (!is_ethosu_model(artifact))
    return refused(fmt::format("a file of format {} does not run on tensors", artifact.format()),
                   "networks can be compared: .armnn, .tflite, .npub");
  NPUBIN_TRY(EthosUModel model,
             open_ethosu_model(artifact, artifact.format() == "npub" ? io_file : std::string(), findings));
  if (model.no_interface) return Unexpected(*model.no_interface);
  return std::move(model.graph);
}

}  // namespace

Result<std::unique_ptr<ModelRun>> model_run(const Artifact& artifact, const SessionOptions& options,
                                            const std::string& io_file) {
  auto graph = graph_of(artifact, io_file);
  if (!graph) return Unexpected(std::move(graph).error().in_file(artifact.file_name()));
  auto session = Session::compile(*graph, options);
  if (!session) return Unexpected(std::move(session).error().in_file(artifact.file_name()));
  return std::unique_ptr<ModelRun>(std::make_unique<GraphRun>(*std::move(session), *std::move(graph)));
}

namespace {

// Without dimensions of 1: what a Reshape may add or drop and keep the order.
Shape without_ones(const Shape& shape) {
  Shape out;
  for (std::int64_t d : shape)
    if (d != 1) out.push_back(d);
  return out;
}

Result<Tensor> laid_out(const Tensor& from, const Shape& to, std::size_t index,
                        std::vector<std::string>* notes) {
  if (from.shape() == to) return from;
  if (auto other = in_other_layout(from, to)) {
    if (notes != nullptr)
      notes->push_back(fmt::format("input {}: channels moved, {} became {}", index, to_string(from.shape()),
                                   to_string(to)));
    return *std::move(other);
  }
  if (without_ones(from.shape()) == without_ones(to)) return from.reshaped(to);
  return usage_error(fmt::format("input {} has shape {} in the first model, {} in the second", index,
                                 to_string(from.shape()), to_string(to)),
                     "models are compared on the same data: these two do not take the same");
}

}  // namespace

Result<std::vector<Tensor>> translate_inputs(const std::vector<Tensor>& from, const graph::Graph& to,
                                             std::vector<std::string>* notes) {
  if (from.size() != to.inputs.size())
    return usage_error(
        fmt::format("the first model has {} inputs, the second {}", from.size(), to.inputs.size()),
        "models are compared on the same data: give two that take the same inputs");
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const graph::Value& want = to.value(to.inputs[i].value);
    NPUBIN_TRY(Tensor tensor, laid_out(from[i], want.shape, i, notes));
    if (want.type != tensor.type() || !(want.quantization == tensor.quantization())) {
      NPUBIN_TRY(Tensor converted, exec::from_real(exec::to_real(tensor), want.type, want.quantization));
      tensor = converted.reshaped(want.shape);
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

Result<std::vector<exec::Difference>> compare_outputs(const std::vector<NamedTensor>& left,
                                                      const std::vector<NamedTensor>& right) {
  if (left.size() != right.size())
    return usage_error(
        fmt::format("the first model has {} outputs, the second {}", left.size(), right.size()),
        "models are compared output by output: give two that have as many");
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < right.size(); ++i) by_name.emplace(right[i].name, i);
  bool named = by_name.size() == right.size();
  for (const NamedTensor& tensor : left) named = named && by_name.count(tensor.name) == 1;
  std::vector<exec::Difference> out;
  for (std::size_t i = 0; i < left.size(); ++i) {
    NPUBIN_TRY(exec::Difference d, exec::difference(left[i].name, left[i].tensor,
                                                    right[named ? by_name[left[i].name] : i].tensor));
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace npubin::cli
