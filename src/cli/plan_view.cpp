#include "cli/plan_view.h"

#include "npubin/session.h"

namespace npubin::cli {

Result<void> add_plan(const Artifact& artifact, Node& node) {
  const auto* source = dynamic_cast<const graph::GraphSource*>(&artifact);
  if (source == nullptr) return {};
  Diagnostics findings;
  NPUBIN_TRY(graph::Graph graph, source->graph(findings));
  const std::size_t layers = graph.nodes.size();
  NPUBIN_TRY(const auto session, Session::compile(std::move(graph)));
  const PlanReport plan = session->plan();
  Node& view = node.child("plan", "execution plan");
  view.field("operators", layers);
  view.field("steps_count", plan.steps.size());
  view.field("arena_bytes", plan.arena_bytes, "bytes");
  view.field("alive_at_once_bytes", plan.lower_bound_bytes, "bytes");
  view.field("scratch_bytes", plan.scratch_bytes, "bytes");
  Table& table = view.table("steps", {"type", "name", "kernel", "macs", "output_bytes"});
  for (const PlanStep& step : plan.steps) {
    std::string type = step.type;
    for (const std::string& part : step.absorbed) type += "+" + part;
    table.rows.push_back({type, step.name, step.kernel, step.macs, step.output_bytes});
  }
  return {};
}

}  // namespace npubin::cli
