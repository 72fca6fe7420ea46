#include "exec/fast/session.h"

#include <chrono>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "exec/admission.h"
#include "exec/fast/plan.h"
#include "exec/fast/threads.h"

namespace npubin::exec {
namespace {

using fast::Place;
using fast::Plan;
using graph::ValueId;

class FastContext : public RunContext {
 public:
  Tensor arena, scratch;
  Workspace workspace;
  std::vector<std::byte*> data;          // by ValueId
  std::vector<Tensor> tensors;           // by ValueId
  std::vector<const Tensor*> tensor_at;  // by ValueId
  std::vector<std::shared_ptr<void>> states;
  std::vector<Tensor> outputs;
};

class FastSession : public Session {
 public:
  FastSession(std::unique_ptr<Plan> plan, graph::Graph interface, int threads)
      : plan_(std::move(plan)), interface_(std::move(interface)), threads_(threads) {}

  const graph::Graph& graph() const override { return interface_; }

  std::unique_ptr<RunContext> new_context() const override {
    auto context = std::make_unique<FastContext>();
    const auto bytes = [](std::size_t n) { return Shape{static_cast<std::int64_t>(n)}; };
    context->arena = Tensor(DType::U8, bytes(plan_->arena.bytes));
    context->scratch = Tensor(DType::U8, bytes(plan_->scratch_bytes));
    const std::size_t count = plan_->values.size();
    context->data.resize(count, nullptr);
    context->tensors.resize(count);
    for (std::size_t id = 0; id < count; ++id) place(*context, id);
    context->tensor_at.resize(count);
    for (std::size_t id = 0; id < count; ++id) context->tensor_at[id] = &context->tensors[id];
    for (const fast::PlannedStep& planned : plan_->steps)
      context->states.push_back(planned.step->new_state());
    for (const graph::Port& port : interface_.outputs)
      context->outputs.push_back(context->tensors[static_cast<std::size_t>(port.value)]);
    return context;
  }

  Result<std::vector<Tensor>> run(RunContext& context, const std::vector<Tensor>& inputs,
                                  const NodeObserver& observer) const override {
    NPUBIN_TRY(const auto outputs, run_in_place(context, inputs, observer));
    // Copies: the context's own tensors end with it.
    std::vector<Tensor> copies;
    for (const Tensor& output : outputs) copies.push_back(output.clone());
    return copies;
  }

  Result<std::span<const Tensor>> run_in_place(RunContext& context, std::span<const Tensor> inputs,
                                               const NodeObserver& observer) const override {
    try {
      return run_steps(static_cast<FastContext&>(context), inputs, observer);
    } catch (const std::bad_alloc&) {
      return refused("this machine has not the memory that the graph's tensors need");
    }
  }

  PlanReport plan() const override {
    PlanReport report;
    for (const fast::PlannedStep& planned : plan_->steps) {
      const graph::Node& node = planned.draft.node;
      PlanStep step{node.source_type.empty() ? std::string(to_string(node.op)) : node.source_type,
                    node.name,
                    planned.step->kernel(),
                    planned.draft.absorbed,
                    graph::macs_of(plan_->draft.graph, node),
                    0};
      for (ValueId id : node.outputs)
        if (id != graph::kNoValue)
          step.output_bytes += static_cast<std::uint64_t>(count_of(plan_->draft.value(id).shape)) *
                               size_of(plan_->draft.value(id).type);
      report.steps.push_back(std::move(step));
    }
    report.arena_bytes = plan_->arena.bytes;
    report.lower_bound_bytes = plan_->arena.lower_bound;
    report.scratch_bytes = plan_->scratch_bytes;
    if (plan_->cache) report.cache = plan_->cache->report();
    return report;
  }

 private:
  void place(FastContext& context, std::size_t id) const {
    const graph::Value& value = plan_->draft.graph.values[id];
    const fast::PlannedValue& planned = plan_->values[id];
    const graph::Value& root = plan_->draft.value(planned.root == graph::kNoValue ? 0 : planned.root);
    const auto view = [&](const std::byte* memory) {
      const auto size = static_cast<std::size_t>(count_of(value.shape)) * size_of(value.type);
      auto tensor = Tensor::view(value.type, value.shape, Bytes::borrow({memory, size}), value.quantization);
      if (tensor) context.tensors[id] = *std::move(tensor);
    };
    switch (planned.place) {
      case Place::Arena:
        view(context.arena.data() + planned.offset);
        break;
      case Place::Constant:
        view(root.constant->data());
        break;
      case Place::Input:
      case Place::State:
        // Inputs are copied here only where a reference kernel wants a tensor of its own quantisation.
        context.tensors[id] = Tensor(value.type, value.shape, value.quantization);
        break;
      case Place::Nowhere:
        break;
    }
    context.data[id] = context.tensors[id].mutable_data();
  }

  Result<std::span<const Tensor>> run_steps(FastContext& context, std::span<const Tensor> inputs,
                                            const NodeObserver& observer) const {
    NPUBIN_CHECK(check_inputs(interface_, inputs));
    const fast::ThreadCount threads(threads_);
    for (std::size_t id = 0; id < plan_->values.size(); ++id)
      if (plan_->values[id].place == Place::Input && !context.tensors[id].empty())
        std::memcpy(context.data[id], inputs[plan_->values[id].input].data(),
                    context.tensors[id].byte_size());
    for (std::size_t i = 0; i < plan_->steps.size(); ++i) NPUBIN_CHECK(run_step(context, i, observer));
    return std::span<const Tensor>(context.outputs);
  }

  Result<void> run_step(FastContext& context, std::size_t index, const NodeObserver& observer) const {
    const fast::PlannedStep& planned = plan_->steps[index];
    const fast::Frame frame{context.data.data(),    context.tensor_at.data(),
                            context.tensors.data(), context.scratch.mutable_data(),
                            &context.workspace,     context.states[index].get()};
    if (!observer) {
      auto result = planned.step->run(frame);
      if (!result) return fail(placed(std::move(result).error(), planned.draft.node, index));
      return {};
    }
    const auto start = std::chrono::steady_clock::now();
    auto result = planned.step->run(frame);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!result) return fail(placed(std::move(result).error(), planned.draft.node, index));
    NodeObservation seen{&planned.draft.node, index, {}, elapsed.count()};
    for (ValueId id : planned.draft.node.outputs)
      seen.outputs.push_back(id == graph::kNoValue ? nullptr
                                                   : context.tensor_at[static_cast<std::size_t>(id)]);
    observer(seen);
    return {};
  }

  static Error placed(Error error, const graph::Node& node, std::size_t index) {
    if (error.where.path.empty())
      error.where.path = fmt::format(
          "{} {} '{}'", node.source_type.empty() ? to_string(node.op) : node.source_type,
          node.source_index < 0 ? static_cast<std::int64_t>(index) : node.source_index, node.name);
    return error;
  }

  std::unique_ptr<Plan> plan_;
  graph::Graph interface_;  // values, inputs and outputs of the graph as given; its nodes are in the plan
  int threads_;
};

}  // namespace

Result<std::unique_ptr<Session>> compile_fast(graph::Graph graph,
                                              const std::vector<const KernelRow*>& kernels,
                                              const SessionOptions& options) {
  const fast::ThreadCount threads(options.threads);
  graph::Graph interface = graph;
  std::shared_ptr<fast::PlanCache> cache;
  if (!options.plan_cache.empty())
    cache = std::make_shared<fast::PlanCache>(options.plan_cache,
                                              fast::plan_key(options.model_hash, graph, options.threads));
  NPUBIN_TRY(auto plan, fast::make_plan(std::move(graph), kernels, options.threads, std::move(cache)));
  return std::make_unique<FastSession>(std::move(plan), std::move(interface), options.threads);
}

}  // namespace npubin::exec
