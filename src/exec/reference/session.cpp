#include "exec/reference/session.h"

#include <chrono>
#include <new>

#include <fmt/format.h>

#include "exec/admission.h"

namespace npubin::exec {
namespace {

// One tensor of a graph; larger ones are refused before memory is asked for.
constexpr std::uint64_t kLargestTensor = std::uint64_t{4} << 30;

class ReferenceContext : public RunContext {
 public:
  std::vector<Tensor> values;  // by ValueId; empty where nothing is alive
  std::vector<Tensor> states;  // by ValueId; only of variables
  std::vector<Tensor> outputs;
};

class ReferenceSession : public Session {
 public:
  ReferenceSession(graph::Graph graph, std::vector<const KernelRow*> kernels)
      : graph_(std::move(graph)), kernels_(std::move(kernels)), last_use_(graph_.values.size(), 0) {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      for (graph::ValueId id : graph_.nodes[i].inputs)
        if (id != graph::kNoValue) last_use_[static_cast<std::size_t>(id)] = i;
    for (const graph::Port& port : graph_.outputs)
      last_use_[static_cast<std::size_t>(port.value)] = graph_.nodes.size();
    for (graph::Value& value : graph_.values)
      if (value.constant) value.constant->set_quantization(value.quantization);
  }

  const graph::Graph& graph() const override { return graph_; }

  std::unique_ptr<RunContext> new_context() const override {
    auto context = std::make_unique<ReferenceContext>();
    context->values.resize(graph_.values.size());
    context->states.resize(graph_.values.size());
    return context;
  }

  Result<std::vector<Tensor>> run(RunContext& context, const std::vector<Tensor>& inputs,
                                  const NodeObserver& observer) const override {
    NPUBIN_TRY(const auto outputs, run_in_place(context, inputs, observer));
    return std::vector<Tensor>(outputs.begin(), outputs.end());
  }

  Result<std::span<const Tensor>> run_in_place(RunContext& context, std::span<const Tensor> inputs,
                                               const NodeObserver& observer) const override {
    try {
      return run_nodes(static_cast<ReferenceContext&>(context), inputs, observer);
    } catch (const std::bad_alloc&) {
      return refused("this machine has not the memory that the graph's tensors need");
    }
  }

  PlanReport plan() const override {
    PlanReport report;
    for (const graph::Node& node : graph_.nodes) {
      PlanStep step{node.source_type.empty() ? std::string(to_string(node.op)) : node.source_type,
                    node.name,
                    "reference",
                    {},
                    graph::macs_of(graph_, node),
                    0};
      for (graph::ValueId id : node.outputs)
        if (id != graph::kNoValue)
          step.output_bytes +=
              static_cast<std::uint64_t>(count_of(graph_.value(id).shape)) * size_of(graph_.value(id).type);
      report.steps.push_back(std::move(step));
    }
    return report;
  }

 private:
  Result<std::span<const Tensor>> run_nodes(ReferenceContext& context, std::span<const Tensor> inputs,
                                            const NodeObserver& observer) const {
    NPUBIN_CHECK(check_inputs(graph_, inputs));
    NPUBIN_CHECK(prepare(context, inputs));
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) NPUBIN_CHECK(run_node(context, i, observer));
    context.outputs.clear();
    for (const graph::Port& port : graph_.outputs)
      context.outputs.push_back(context.values[static_cast<std::size_t>(port.value)]);
    return std::span<const Tensor>(context.outputs);
  }

  // Constants, states and inputs take their places.
  Result<void> prepare(ReferenceContext& context, std::span<const Tensor> inputs) const {
    for (std::size_t id = 0; id < graph_.values.size(); ++id) {
      const graph::Value& value = graph_.values[id];
      context.values[id] = value.constant ? *value.constant : Tensor();
      if (!value.variable) continue;
      if (context.states[id].empty()) {
        NPUBIN_TRY(context.states[id],
                   Tensor::allocate(value.type, value.shape, value.quantization, kLargestTensor));
      }
      context.values[id] = context.states[id];
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto id = static_cast<std::size_t>(graph_.inputs[i].value);
      context.values[id] = inputs[i];
      context.values[id].set_quantization(graph_.values[id].quantization);
    }
    return {};
  }

  Result<void> run_node(ReferenceContext& context, std::size_t index, const NodeObserver& observer) const {
    const graph::Node& node = graph_.nodes[index];
    std::vector<const Tensor*> in;
    std::vector<Tensor*> states;
    for (graph::ValueId id : node.inputs) {
      Tensor* tensor = id == graph::kNoValue ? nullptr : &context.values[static_cast<std::size_t>(id)];
      in.push_back(tensor);
      states.push_back(tensor != nullptr && graph_.value(id).variable ? tensor : nullptr);
    }
    std::vector<Tensor*> out;
    for (graph::ValueId id : node.outputs) {
      out.push_back(id == graph::kNoValue ? nullptr : &context.values[static_cast<std::size_t>(id)]);
      if (id == graph::kNoValue || graph_.value(id).variable) continue;
      const graph::Value& value = graph_.value(id);
      NPUBIN_TRY(*out.back(), Tensor::allocate(value.type, value.shape, value.quantization, kLargestTensor));
    }
    const auto start = std::chrono::steady_clock::now();
    auto result = kernels_[index]->run(KernelCall{graph_, node, in, states, out});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!result) return fail(placed(std::move(result).error(), node, index));
    if (observer) observer(NodeObservation{&node, index, {out.begin(), out.end()}, elapsed.count()});
    release(context, node, index);
    return {};
  }

  static Error placed(Error error, const graph::Node& node, std::size_t index) {
    if (error.where.path.empty())
      error.where.path = fmt::format(
          "{} {} '{}'", node.source_type.empty() ? to_string(node.op) : node.source_type,
          node.source_index < 0 ? static_cast<std::int64_t>(index) : node.source_index, node.name);
    return error;
  }

  // What nobody reads any more gives its memory back.
  void release(ReferenceContext& context, const graph::Node& node, std::size_t index) const {
    const auto drop = [&](graph::ValueId id) {
      if (id != graph::kNoValue && last_use_[static_cast<std::size_t>(id)] <= index)
        context.values[static_cast<std::size_t>(id)] = Tensor();
    };
    for (graph::ValueId id : node.inputs) drop(id);
    for (graph::ValueId id : node.outputs) drop(id);
  }

  graph::Graph graph_;
  std::vector<const KernelRow*> kernels_;
  std::vector<std::size_t> last_use_;  // by ValueId: index of the last node that reads it
};

}  // namespace

Result<std::unique_ptr<Session>> compile_reference(graph::Graph graph,
                                                   std::vector<const KernelRow*> kernels) {
  return std::make_unique<ReferenceSession>(std::move(graph), std::move(kernels));
}

}  // namespace npubin::exec
