#include "exec/fast/plan.h"

#include <algorithm>

#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

// In this order: the first that applies is taken. Own kernels stand before the library where they were
// measured to be faster (docs/performance.md).
constexpr StepMaker kMakers[] = {make_integer_product,
                                 make_integer_depthwise,
                                 make_multiplied_depthwise,
                                 make_grouped_convolution,
                                 make_uint8_layer,
                                 make_integer_wide,
                                 make_integer_add,
                                 make_transposed_convolution,
                                 make_dnnl_batch_product,
                                 make_integer_batch_product,
                                 make_dnnl_convolution,
                                 make_dnnl_product,
                                 make_pool,
                                 make_integer_pool,
                                 make_elementwise,
                                 make_pair,
                                 make_code_map,
                                 make_table,
                                 make_code_softmax,
                                 make_code_mean,
                                 make_encoding,
                                 make_softmax,
                                 make_mean,
                                 make_reduction,
                                 make_normalization,
                                 make_arg,
                                 make_svdf,
                                 make_resize,
                                 make_movement,
                                 make_recorded_movement,
                                 make_decoded,
                                 make_reference_step};

std::unique_ptr<Step> choose(const Draft& draft, const DraftNode& node) {
  for (StepMaker maker : kMakers)
    if (auto step = maker(draft, node)) return step;
  return nullptr;
}

std::size_t at(ValueId id) {
  return static_cast<std::size_t>(id);
}

// A Reshape moves nothing: its result is its operand under another shape.
bool is_view(const Draft& draft, const DraftNode& node) {
  return node.node.op == Op::Reshape && node.post.empty() && !draft.value(node.node.outputs[0]).variable &&
         !draft.value(node.node.inputs[0]).variable;
}

class MemoryPlanner {
 public:
  explicit MemoryPlanner(Plan& plan) : plan_(plan), last_(plan.draft.graph.values.size(), 0) {}

  void run(const std::vector<std::pair<ValueId, ValueId>>& views) {
    plan_.values.resize(plan_.draft.graph.values.size());
    place_fixed();
    for (const auto& [view, source] : views) plan_.values[at(view)].root = root_of(source);
    note_last_uses();
    place_outputs();
    const ArenaPlan& arena = plan_.arena = plan_arena(lifetimes_);
    for (std::size_t id = 0; id < plan_.values.size(); ++id) {
      PlannedValue& value = plan_.values[id];
      const ValueId root = root_of(static_cast<ValueId>(id));
      if (at(root) != id) {
        value.place = plan_.values[at(root)].place;
        value.input = plan_.values[at(root)].input;
        value.root = root;
      }
      if (value.place == Place::Arena) value.offset = arena.offsets[slot_[at(root)]];
    }
  }

 private:
  void place_fixed() {
    const graph::Graph& graph = plan_.draft.graph;
    slot_.resize(graph.values.size(), 0);
    for (std::size_t id = 0; id < graph.values.size(); ++id) {
      plan_.values[id].root = static_cast<ValueId>(id);
      if (graph.values[id].constant) plan_.values[id].place = Place::Constant;
      if (graph.values[id].variable) plan_.values[id].place = Place::State;
    }
    for (std::size_t k = 0; k < graph.inputs.size(); ++k) {
      plan_.values[at(graph.inputs[k].value)].place = Place::Input;
      plan_.values[at(graph.inputs[k].value)].input = k;
    }
  }

  ValueId root_of(ValueId id) const {
    while (plan_.values[at(id)].root != id) id = plan_.values[at(id)].root;
    return id;
  }

  void note_last_uses() {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      for (ValueId id : plan_.steps[i].draft.node.inputs)
        if (id != graph::kNoValue) last_[at(root_of(id))] = i;
      for (const PostOperation& post : plan_.steps[i].draft.post)
        if (post.addend != graph::kNoValue) last_[at(root_of(post.addend))] = i;
    }
    for (const graph::Port& port : plan_.draft.graph.outputs)
      last_[at(root_of(port.value))] = plan_.steps.size();
  }

  void place_outputs() {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      for (ValueId id : plan_.steps[i].draft.node.outputs) {
        if (id == graph::kNoValue || plan_.values[at(id)].place != Place::Nowhere || root_of(id) != id)
          continue;
        plan_.values[at(id)].place = Place::Arena;
        const std::size_t last = std::max(last_[at(id)], i);
        const ValueId host = host_for(i, id);
        if (host != graph::kNoValue) {
          slot_[at(id)] = slot_[at(host)];
          lifetimes_[slot_[at(id)]].last = std::max(lifetimes_[slot_[at(id)]].last, last);
          continue;
        }
        slot_[at(id)] = lifetimes_.size();
        lifetimes_.push_back({bytes_of(plan_.draft.value(id)), i, last});
      }
  }

  // An operand that dies here and whose memory the result may take over.
  ValueId host_for(std::size_t step, ValueId output) const {
    const PlannedStep& planned = plan_.steps[step];
    if (planned.draft.node.outputs.size() != 1) return graph::kNoValue;
    const auto& inputs = planned.draft.node.inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (inputs[k] == graph::kNoValue || !planned.step->in_place(k)) continue;
      const ValueId root = root_of(inputs[k]);
      // Several operands in one memory must all allow it; the simple rule is: only one of them.
      if (std::count_if(inputs.begin(), inputs.end(),
                        [&](ValueId id) { return id != graph::kNoValue && root_of(id) == root; }) != 1)
        continue;
      if (plan_.values[at(root)].place == Place::Arena && last_[at(root)] == step &&
          lifetimes_[slot_[at(root)]].last == step &&
          lifetimes_[slot_[at(root)]].bytes >= bytes_of(plan_.draft.value(output)))
        return root;
    }
    return graph::kNoValue;
  }

  Plan& plan_;
  std::vector<std::size_t> last_;  // by root ValueId: last step that reads it
  std::vector<std::size_t> slot_;  // by root ValueId: index into lifetimes_
  std::vector<Lifetime> lifetimes_;
};

}  // namespace

Result<std::unique_ptr<Plan>> make_plan(graph::Graph graph, const std::vector<const KernelRow*>& kernels,
                                        int threads, std::shared_ptr<PlanCache> cache) {
  auto plan = std::make_unique<Plan>();
  plan->cache = std::move(cache);
  Draft& draft = plan->draft;
  draft = make_draft(std::move(graph), kernels);
  draft.threads = threads;
  draft.cache = plan->cache.get();
  NPUBIN_CHECK(fold_constants(draft));
  drop_unused(draft);
  fold_pads(draft);
  fuse(draft);
  fuse_code_ranges(draft);
  std::vector<std::pair<ValueId, ValueId>> views;
  std::vector<DraftNode> nodes = std::move(draft.nodes);
  draft.nodes.clear();
  for (DraftNode& node : nodes) {
    if (is_view(draft, node)) {
      views.emplace_back(node.node.outputs[0], node.node.inputs[0]);
      continue;
    }
    plan->steps.push_back({std::move(node), nullptr});
  }
  // Only now do the nodes stay where they are: steps may point at them.
  for (PlannedStep& planned : plan->steps) {
    planned.step = choose(draft, planned.draft);
    plan->scratch_bytes = std::max(plan->scratch_bytes, planned.step->scratch_bytes());
  }
  MemoryPlanner(*plan).run(views);
  if (draft.cache != nullptr) draft.cache->store();
  return plan;
}

}  // namespace npubin::exec::fast
