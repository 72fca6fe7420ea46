// Steps within a step: layers over values of their own, which lie in the outer step's operands and scratch.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>

#include "exec/fast/step.h"

namespace npubin::exec::fast {

// Stays where it is: steps point into it. Its values are added to `draft` before the nodes that use them.
class InnerSteps {
 public:
  explicit InnerSteps(int threads) { draft.threads = threads; }
  InnerSteps(const InnerSteps&) = delete;
  InnerSteps& operator=(const InnerSteps&) = delete;

  // The node's step, by the first of the makers that takes it. False: none does.
  bool add(DraftNode node, std::initializer_list<StepMaker> makers);

  std::size_t size() const { return steps_.size(); }
  const graph::Node& node(std::size_t index) const { return steps_[index].node.node; }
  std::string kernel(std::size_t index) const { return steps_[index].step->kernel(); }
  std::size_t scratch_bytes() const;  // of the step that needs most

  // What the outer step's new_state() gives. Constants lie where they are.
  std::shared_ptr<void> new_state() const;
  // Says where a value lies, for the runs that follow. `outer` is the frame of the outer step.
  static void place(const Frame& outer, graph::ValueId id, std::byte* where);
  // scratch: scratch_bytes(), 64-byte aligned.
  Result<void> run(std::size_t index, const Frame& outer, std::byte* scratch) const;

  Draft draft;

 private:
  struct Inner {
    DraftNode node;
    std::unique_ptr<Step> step;
  };
  std::deque<Inner> steps_;
};

}  // namespace npubin::exec::fast
