// A compiled plan: steps in order, and where every value lies.
#pragma once

#include <memory>
#include <vector>

#include "exec/fast/arena.h"
#include "exec/fast/plan_cache.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {

enum class Place : std::uint8_t { Nowhere, Arena, Constant, Input, State };

struct PlannedValue {
  Place place = Place::Nowhere;
  std::size_t offset = 0;                 // in the arena
  std::size_t input = 0;                  // index of the graph's input it is, or is another view of
  graph::ValueId root = graph::kNoValue;  // the value whose memory it shares (itself mostly)
};

struct PlannedStep {
  DraftNode draft;
  std::unique_ptr<Step> step;
};

struct Plan {
  Draft draft;  // without nodes: they are in `steps`
  std::vector<PlannedStep> steps;
  std::vector<PlannedValue> values;  // by ValueId
  ArenaPlan arena;
  std::size_t scratch_bytes = 0;
  std::shared_ptr<PlanCache> cache;  // parts of the steps may lie in it
};

// Rewrites, chooses kernels, plans memory.
Result<std::unique_ptr<Plan>> make_plan(graph::Graph graph, const std::vector<const KernelRow*>& kernels,
                                        int threads, std::shared_ptr<PlanCache> cache = nullptr);

}  // namespace npubin::exec::fast
