// npubin bench: how fast a network runs, and where its time goes.
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/bench_measure.h"
#include "cli/run/ethosu_model.h"
#include "cli/run/graph_inputs.h"
#include "cli/verb.h"
#include "ethosu/machine/cost.h"
#include "exec/content_hash.h"

namespace npubin::cli {
namespace {

struct BenchArguments {
  FileOptions file;
  BenchOptions bench;
  std::vector<std::string> inputs;
  std::string exec = "fast", trace, plan_cache, io;
  int threads = 1;
};

// Inputs that nobody gave: a fixed pattern over the type's small values, so that two runs time the same work.
Result<std::vector<Tensor>> pattern_inputs(const graph::Graph& graph) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  std::vector<Tensor> inputs;
  for (const graph::Port& port : graph.inputs) {
    const graph::Value& value = graph.value(port.value);
    NPUBIN_TRY(Tensor tensor, Tensor::allocate(value.type, value.shape, {}, kMostBytes));
    std::uint32_t state = 12345;
    const auto next = [&state] { return state = state * 1664525u + 1013904223u; };
    if (value.type == DType::F32) {
      for (float& x : tensor.as_mutable<float>()) x = static_cast<float>(next() >> 8) / 8388608.0f - 1.0f;
    } else if (size_of(value.type) == 1 && value.type != DType::Bool) {
      for (std::uint8_t& x : tensor.as_mutable<std::uint8_t>()) x = static_cast<std::uint8_t>(next() >> 24);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

// What is timed: a graph, and the Ethos-U jobs inside it, where it has any.
struct Workload {
  graph::Graph graph;
  std::optional<EthosUModel> npu;           // its graph has moved into `graph`
  std::vector<ethosu::OperationCost> cost;  // of each job
};

// MACs and busy cycles of a job, from its command stream.
ethosu::OperationCost cost_of(const ethosu::Job& job) {
  ethosu::OperationCost total;
  ethosu::OperationReader reader(job.words);
  while (const auto operation = reader.next()) {
    if (operation->kind == ethosu::OperationKind::Stop) break;
    if (!ethosu::is_kernel(operation->kind)) continue;
    const ethosu::OperationCost cost = ethosu::estimate(*operation, ethosu::job_accelerator(job));
    total.macs += cost.macs;
    total.cycles += cost.cycles;
  }
  return total;
}

Result<Workload> workload_of(const Artifact& artifact, const BenchArguments& options) {
  Workload out;
  Diagnostics findings;
  if (is_ethosu_model(artifact)) {
    NPUBIN_TRY(EthosUModel model, open_ethosu_model(artifact, options.io, findings));
    if (model.no_interface) {
      Error error = *model.no_interface;
      error.hint = "say where inputs and outputs lie with --io FILE";
      return Unexpected(std::move(error));
    }
    out.graph = std::move(model.graph);
    ethosu::MachineOptions machine;
    machine.threads = options.threads;
    machine.reference = options.exec == "reference";
    for (const auto& program : model.programs) {
      program->set_options(machine);
      if (model.stand_in.empty()) out.cost.push_back(cost_of(program->job()));
    }
    out.npu = std::move(model);
    return out;
  }
  const auto* source = dynamic_cast<const graph::GraphSource*>(&artifact);
  if (source == nullptr)
    return refused(fmt::format("files of format {} hold no network to time", artifact.format()),
                   "networks can be timed: .armnn, .tflite, .npub");
  NPUBIN_TRY(out.graph, source->graph(findings));
  return out;
}

// Steps that are an Ethos-U job count its MACs, and say what computes them.
void fill_in_jobs(PlanReport& plan, const Workload& work) {
  std::size_t job = 0;
  for (PlanStep& step : plan.steps) {
    if (step.type != "ethos-u" || job >= work.cost.size()) continue;
    step.macs = work.cost[job++].macs;
    step.kernel = "NPU model";
  }
}

void describe_executor(Node& node, const Workload& work, const BenchArguments& options) {
  if (!work.npu) {
    node.field("exec", options.exec);
    return;
  }
  if (!work.npu->stand_in.empty()) {
    node.field("exec", "stand-in");
    node.field("stand_in", work.npu->stand_in);
    return;
  }
  node.field_text("exec", "npu-model",
                  "the model of the NPU on this CPU: the times say nothing about the NPU's own");
  node.field("kernels", options.exec);
  if (work.npu->programs.empty()) return;
  const auto accelerator = ethosu::job_accelerator(work.npu->programs.front()->job());
  node.field("accelerator", fmt::format("ethos-u55-{}", static_cast<int>(accelerator)));
  ethosu::OperationCost total;
  for (const ethosu::OperationCost& cost : work.cost) {
    total.macs += cost.macs;
    total.cycles += cost.cycles;
  }
  node.field("npu_macs", total.macs);
  node.field("npu_busy_cycles_estimate", total.cycles, "cycles");
}

void describe_times(Node& node, const Timing& timing, double compile_seconds, std::uint64_t macs) {
  const auto ms = [](double seconds) { return static_cast<float>(seconds * 1e3); };
  node.field("compile_ms", ms(compile_seconds), "ms");
  node.field("first_run_ms", ms(timing.first_run), "ms");
  node.field("runs", timing.runs.size());
  node.field("median_ms", ms(timing.percentile(50)), "ms");
  node.field("min_ms", ms(timing.percentile(0)), "ms");
  node.field("p90_ms", ms(timing.percentile(90)), "ms");
  node.field("p99_ms", ms(timing.percentile(99)), "ms");
  node.field("max_ms", ms(timing.percentile(100)), "ms");
  node.field("macs", macs);
  node.field("gops_per_second", static_cast<float>(2e-9 * static_cast<double>(macs) / timing.percentile(50)));
  node.field("peak_memory_bytes", peak_memory(), "bytes");
}

void describe_steps(Node& node, const PlanReport& plan, const Timing& timing) {
  Table& table = node.table("layers", {"type", "name", "kernel", "us", "percent", "gops_per_second"});
  double total = 0;
  for (double seconds : timing.step_medians) total += seconds;
  for (std::size_t i = 0; i < timing.step_medians.size() && i < plan.steps.size(); ++i) {
    const PlanStep& step = plan.steps[i];
    const double seconds = timing.step_medians[i];
    std::string type = step.type;
    for (const std::string& part : step.absorbed) type += "+" + part;
    table.rows.push_back(
        {type, step.name, step.kernel, static_cast<float>(seconds * 1e6),
         static_cast<float>(total > 0 ? 100 * seconds / total : 0),
         static_cast<float>(seconds > 0 ? 2e-9 * static_cast<double>(step.macs) / seconds : 0)});
  }
}

void describe_cache(Node& node, const PlanCacheReport& cache) {
  node.field("plan_cache", cache.file);
  node.field("plan_cache_state", cache.state);
  node.field("plan_parts_found", static_cast<std::uint64_t>(cache.found));
  node.field("plan_parts_made", static_cast<std::uint64_t>(cache.made));
}

Result<Node> bench(BenchArguments& options, const OptionSet& given) {
  NPUBIN_TRY(const auto artifact, options.file.open_for("bench", given));
  NPUBIN_TRY(Workload work, workload_of(*artifact, options));
  NPUBIN_TRY(const auto inputs, options.inputs.empty()
                                    ? pattern_inputs(work.graph)
                                    : load_graph_inputs(work.graph, options.inputs, {}, {}));
  SessionOptions session_options;
  session_options.mode = options.exec == "reference" ? ExecMode::Reference : ExecMode::Fast;
  session_options.threads = options.threads;
  session_options.plan_cache = options.plan_cache;
  if (!options.plan_cache.empty()) session_options.model_hash = exec::content_hash(artifact->bytes().span());
  if (!options.plan_cache.empty() && options.exec == "reference")
    return usage_error("--plan-cache keeps plans of --exec fast; the reference executor has none");
  const auto start = std::chrono::steady_clock::now();
  NPUBIN_TRY(const auto session, Session::compile(std::move(work.graph), session_options));
  const std::chrono::duration<double> compile = std::chrono::steady_clock::now() - start;
  options.bench.per_layer = options.bench.per_layer || !options.trace.empty();
  options.bench.progress = want_progress();
  NPUBIN_TRY(const Timing timing, measure(*session, inputs, options.bench));
  PlanReport plan = session->plan();
  fill_in_jobs(plan, work);
  std::uint64_t macs = 0;
  for (const PlanStep& step : plan.steps) macs += step.macs;
  Node node("bench");
  node.field("file", options.file.file);
  describe_executor(node, work, options);
  node.field("threads", options.threads);
  describe_times(node, timing, compile.count(), macs);
  node.field("arena_bytes", plan.arena_bytes, "bytes");
  if (!plan.cache.file.empty()) describe_cache(node, plan.cache);
  if (options.bench.per_layer) describe_steps(node, plan, timing);
  if (!options.trace.empty()) NPUBIN_CHECK(write_file(options.trace, chrome_trace(plan, timing.timeline)));
  return node;
}

int run(BenchArguments& options, const OptionSet& given) {
  auto node = bench(options, given);
  if (!node) return report(std::move(node).error().in_file(options.file.file));
  return print_report("npubin.bench/1", *node, options.file.json, 0);
}

void define_bench(OptionSet& app, Action& action) {
  auto options = std::make_shared<BenchArguments>();
  options->file.add_file(app);
  options->file.add_json(app);
  app.add_option("--input", options->inputs, "[NAME=]FILE: an input; without any, a fixed pattern is fed")
      ->allow_extra_args(false);
  app.add_option("--io", options->io, ".npub: a JSON file that says where inputs and outputs lie");
  app.add_option("--threads", options->threads, "threads to use")->range(1, 256);
  app.add_option("--duration", options->bench.duration, "seconds of measured runs")->range(0, 3600);
  app.add_option("--exec", options->exec, "fast (default) or reference")->one_of({"fast", "reference"});
  app.add_option("--plan-cache", options->plan_cache,
                 "keep what takes long to prepare in this folder, for the next time");
  app.add_flag("--per-layer", options->bench.per_layer, "the median time of every step");
  app.add_option("--trace", options->trace, "write one run in Chrome's trace format to this file");
  app.callback([options, &app, &action] { action = [options, &app] { return run(*options, app); }; });
}

}  // namespace

extern const Verb kBench;
const Verb kBench{"bench", "time a network, layer by layer if wanted",
                  "  npubin bench graph.armnn\n"
                  "  npubin bench model.tflite --threads 2 --per-layer\n"
                  "  npubin bench model_vela.tflite\n"
                  "  npubin bench graph.armnn --json --trace trace.json",
                  define_bench};

}  // namespace npubin::cli
