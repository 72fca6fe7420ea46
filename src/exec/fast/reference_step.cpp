// A node without a fast kernel of its own: the reference kernel in the plan's memory.
#include <cstring>

#include "exec/fast/post.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

class ReferenceStep : public Step {
 public:
  ReferenceStep(const Draft& draft, const DraftNode& node) : draft_(draft), node_(node) {}

  std::string kernel() const override { return "reference"; }

  struct State {
    std::vector<const Tensor*> inputs;
    std::vector<Tensor*> states, outputs;
  };
  std::shared_ptr<void> new_state() const override {
    auto state = std::make_shared<State>();
    state->inputs.resize(node_.node.inputs.size());
    state->states.resize(node_.node.inputs.size());
    state->outputs.resize(node_.node.outputs.size());
    return state;
  }

  Result<void> run(const Frame& frame) const override {
    auto& state = *static_cast<State*>(frame.state);
    const auto at = [](graph::ValueId id) { return static_cast<std::size_t>(id); };
    for (std::size_t k = 0; k < state.inputs.size(); ++k) {
      const graph::ValueId id = node_.node.inputs[k];
      state.inputs[k] = id == graph::kNoValue ? nullptr : frame.tensors[at(id)];
      state.states[k] =
          id != graph::kNoValue && draft_.value(id).variable ? &frame.mutable_tensors[at(id)] : nullptr;
    }
    for (std::size_t k = 0; k < state.outputs.size(); ++k) {
      const graph::ValueId id = node_.node.outputs[k];
      state.outputs[k] = id == graph::kNoValue ? nullptr : &frame.mutable_tensors[at(id)];
      // Kernels find their outputs zeroed, as the reference executor gives them.
      if (id != graph::kNoValue && !draft_.value(id).variable)
        std::memset(state.outputs[k]->mutable_data(), 0, state.outputs[k]->byte_size());
    }
    const WorkspaceScope scope(*frame.workspace);
    NPUBIN_CHECK(node_.reference->run(
        KernelCall{draft_.graph, node_.node, state.inputs, state.states, state.outputs}));
    if (!node_.post.empty())
      apply_post_operations(node_, frame,
                            static_cast<std::size_t>(count_of(draft_.value(node_.node.outputs[0]).shape)));
    return {};
  }

 private:
  const Draft& draft_;
  const DraftNode& node_;
};

}  // namespace

std::unique_ptr<Step> make_reference_step(const Draft& draft, const DraftNode& node) {
  return std::make_unique<ReferenceStep>(draft, node);
}

}  // namespace npubin::exec::fast
