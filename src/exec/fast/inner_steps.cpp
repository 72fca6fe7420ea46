#include "exec/fast/inner_steps.h"

#include <algorithm>

namespace npubin::exec::fast {
namespace {

struct InnerState {
  std::vector<std::byte*> data;  // by inner ValueId
  std::vector<std::shared_ptr<void>> steps;
};

}  // namespace

bool InnerSteps::add(DraftNode node, std::initializer_list<StepMaker> makers) {
  Inner& inner = steps_.emplace_back(Inner{std::move(node), nullptr});
  for (StepMaker maker : makers) {
    inner.step = maker(draft, inner.node);
    if (inner.step != nullptr) return true;
  }
  steps_.pop_back();
  return false;
}

std::size_t InnerSteps::scratch_bytes() const {
  std::size_t bytes = 0;
  for (const Inner& inner : steps_) bytes = std::max(bytes, inner.step->scratch_bytes());
  return bytes;
}

std::shared_ptr<void> InnerSteps::new_state() const {
  auto state = std::make_shared<InnerState>();
  for (const graph::Value& value : draft.graph.values)
    state->data.push_back(value.constant ? const_cast<std::byte*>(value.constant->data()) : nullptr);
  for (const Inner& inner : steps_) state->steps.push_back(inner.step->new_state());
  return state;
}

void InnerSteps::place(const Frame& outer, graph::ValueId id, std::byte* where) {
  static_cast<InnerState*>(outer.state)->data[static_cast<std::size_t>(id)] = where;
}

Result<void> InnerSteps::run(std::size_t index, const Frame& outer, std::byte* scratch) const {
  const auto& state = *static_cast<const InnerState*>(outer.state);
  return steps_[index].step->run(
      Frame{state.data.data(), nullptr, nullptr, scratch, outer.workspace, state.steps[index].get()});
}

}  // namespace npubin::exec::fast
