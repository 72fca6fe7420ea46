#include "cli/run/ethosu.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "cli/run/ethosu_model.h"
#include "cli/run/ethosu_trace.h"
#include "exec/real_values.h"
#include "npubin/session.h"

namespace npubin::cli {
namespace {

struct EthosUOptions {
  std::vector<std::string> regions, dumps, watches;
  std::string io_file;
  bool trace = false, check_memory = false;
  std::uint64_t stop_after = 0, max_operations = 0;
};

Result<std::vector<RegionPlace>> parse_all(const std::vector<std::string>& arguments,
                                           Result<RegionPlace> (*parse)(const std::string&)) {
  std::vector<RegionPlace> out;
  for (const std::string& argument : arguments) {
    NPUBIN_TRY(RegionPlace place, parse(argument));
    out.push_back(std::move(place));
  }
  return out;
}

class EthosUBackend final : public RunBackend {
 public:
  explicit EthosUBackend(std::shared_ptr<GraphRunOptions> graph) : graph_(std::move(graph)) {}

  std::string_view name() const override { return "Ethos-U (.npub, compiled .tflite)"; }
  std::string_view borrows() const override { return kGraphBackend; }

  void add_options(OptionSet& group) override {
    group
        .add_option("--region", options_.regions,
                    "N@OFFSET=FILE: bytes put into region N before the run; repeatable")
        ->allow_extra_args(false);
    group
        .add_option("--dump-region", options_.dumps,
                    "N[@OFFSET:BYTES]=FILE: bytes of region N written to a file after the run; repeatable")
        ->allow_extra_args(false);
    group.add_option("--io", options_.io_file, "JSON that says where the inputs and outputs of an .npub lie");
    group.add_flag("--trace", options_.trace, "list every operation: results, MACs, cycles, bytes");
    group.add_flag("--check-memory", options_.check_memory,
                   "report reads of unwritten bytes, overlaps and hazards; exit 1 where there are any");
    group
        .add_option("--watch", options_.watches,
                    "REGION@BEGIN:END: which operations write these bytes; repeatable")
        ->allow_extra_args(false);
    group
        .add_option("--stop-after", options_.stop_after,
                    "execute N operations (kernels and transfers) and stop")
        ->range(1, 1e9);
    group.add_option("--max-ops", options_.max_operations, "refuse streams of more than N operations")
        ->range(1, 1e9);
  }

  bool accepts(const Artifact& artifact) const override { return is_ethosu_model(artifact); }

  int run(Artifact& artifact, const RunOptions& run_options) override {
    auto code = execute(artifact, run_options);
    if (!code) return report(std::move(code).error().in_file(artifact.file_name()));
    return *code;
  }

 private:
  Result<int> execute(const Artifact& artifact, const RunOptions& run_options) {
    NPUBIN_CHECK(take_labels(run_options.labels, graph_->top));
    tell_findings(artifact.read_findings());
    Diagnostics findings;
    NPUBIN_TRY(EthosUModel model, open_ethosu_model(artifact, options_.io_file, findings));
    tell_findings(findings);
    TraceOptions trace_options{options_.trace, options_.check_memory, graph_->dump_all, {}};
    NPUBIN_TRY(trace_options.watches, parse_all(options_.watches, parse_watch));
    EthosUTrace trace(std::move(trace_options));
    NPUBIN_CHECK(trace.open());
    NPUBIN_CHECK(prepare(model, trace, run_options));

    Node node("run");
    node.field("file", artifact.file_name());
    describe(model, node);
    const bool given = !run_options.inputs.empty() || !run_options.image.empty();
    const bool bare = !given && (model.no_interface || !options_.regions.empty() || !options_.dumps.empty());
    const auto start = std::chrono::steady_clock::now();
    if (bare) {
      if (options_.regions.empty())
        std::fputs(
            fmt::format("npubin: {}: runs without an input: nothing fills its regions, so that the numbers "
                        "mean nothing; --region fills one, --io says where inputs lie\n",
                        artifact.file_name())
                .c_str(),
            stderr);
      NPUBIN_CHECK(run_bare(model, run_options, node));
    } else {
      NPUBIN_CHECK(run_graph(model, run_options, node));
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (want_progress()) std::fputs(fmt::format("ran in {:.1f} ms\n", elapsed.count() * 1e3).c_str(), stderr);
    NPUBIN_TRY(const auto dumps, parse_all(options_.dumps, parse_region_dump));
    for (const RegionPlace& place : dumps)
      NPUBIN_CHECK(dump_region(model.programs.back()->regions()->memory, place));
    if (model.stand_in.empty()) trace.report(node);
    tell_findings(trace.findings());
    const int printed = print_report("npubin.run/1", node, run_options.file.json, 0);
    return printed == kFine && !trace.findings().findings().empty() ? kFound : printed;
  }

  // Regions filled, programs told how to run.
  Result<void> prepare(const EthosUModel& model, EthosUTrace& trace, const RunOptions& run_options) const {
    NPUBIN_TRY(const auto places, parse_all(options_.regions, parse_region_input));
    for (const RegionPlace& place : places)
      for (const auto& program : model.programs) NPUBIN_CHECK(fill_region(program->regions()->memory, place));
    ethosu::MachineOptions machine;
    machine.threads = run_options.threads;
    machine.reference = graph_->exec == "reference";
    if (options_.stop_after > 0) machine.stop_after = options_.stop_after;
    if (options_.max_operations > 0) machine.max_operations = options_.max_operations;
    machine.observer = &trace;
    for (const auto& program : model.programs) {
      program->set_options(machine);
      program->set_hooks(
          [&trace](const ethosu::Job& job, ethosu::Memory& memory) {
            trace.begin(job, memory);
            return Result<void>();
          },
          {});
    }
    return {};
  }

  static void describe(const EthosUModel& model, Node& node) {
    if (!model.stand_in.empty()) {
      node.field("stand_in", model.stand_in);
      return;
    }
    if (model.programs.empty()) return;
    node.field(
        "accelerator",
        fmt::format("ethos-u55-{}", static_cast<int>(ethosu::job_accelerator(model.programs[0]->job()))));
    if (model.programs.size() > 1) node.field("ethos_u_operators", std::uint64_t{model.programs.size()});
  }

  Result<void> run_graph(EthosUModel& model, const RunOptions& run_options, Node& node) const {
    if (model.no_interface) {
      Error error = *model.no_interface;
      error.hint = "say where they lie with --io FILE, or use --region and --dump-region";
      return Unexpected(std::move(error));
    }
    NPUBIN_TRY(const auto inputs,
               load_graph_inputs(model.graph, run_options.inputs, run_options.image, graph_->inputs));
    SessionOptions session_options;
    session_options.threads = run_options.threads;
    session_options.mode = graph_->exec == "reference" ? ExecMode::Reference : ExecMode::Fast;
    NPUBIN_TRY(const auto session, Session::compile(std::move(model.graph), session_options));
    const auto context = session->new_context();
    NPUBIN_TRY(const auto tensors, session->run(*context, inputs));
    if (stopped(model)) {
      node.field("stopped", fmt::format("after {} operations: there are no outputs", options_.stop_after));
      return {};
    }
    std::vector<NamedTensor> outputs;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      outputs.push_back({session->graph().outputs[i].name, tensors[i]});
    return deliver(std::move(outputs), run_options, node);
  }

  Result<void> deliver(std::vector<NamedTensor> outputs, const RunOptions& run_options, Node& node) const {
    if (graph_->inputs.real)
      for (NamedTensor& output : outputs) output.tensor = exec::to_real(output.tensor);
    if (!run_options.out_dir.empty()) NPUBIN_CHECK(write_tensors(run_options.out_dir, "out", outputs));
    report_outputs(node, outputs, graph_->top);
    return {};
  }

  static bool stopped(const EthosUModel& model) {
    return std::any_of(model.programs.begin(), model.programs.end(),
                       [](const auto& program) { return program->regions()->stopped; });
  }

  // With regions alone: one job. Outputs whose places are known are read from them.
  Result<void> run_bare(const EthosUModel& model, const RunOptions& run_options, Node& node) const {
    if (model.programs.size() != 1 || model.graph.nodes.size() != 1)
      return usage_error(
          fmt::format("the file has {} operators; --region alone runs a file of one ethos-u operator",
                      model.graph.nodes.size()),
          "give the inputs with --input");
    const programs::EthosUProgram& program = *model.programs[0];
    NPUBIN_CHECK(program.run_bare());
    if (stopped(model) || program.job().outputs.empty()) return {};
    std::vector<NamedTensor> outputs;
    for (const ethosu::Binding& binding : program.job().outputs) {
      NPUBIN_TRY(Tensor tensor, Tensor::allocate(binding.type, binding.shape, binding.quantization));
      NPUBIN_TRY(const ByteSpan bytes, program.regions()->memory.read(binding.region, binding.offset,
                                                                      tensor.byte_size(), binding.name));
      std::copy(bytes.begin(), bytes.end(), tensor.mutable_data());
      outputs.push_back({binding.name, std::move(tensor)});
    }
    return deliver(std::move(outputs), run_options, node);
  }

  std::shared_ptr<GraphRunOptions> graph_;
  EthosUOptions options_;
};

}  // namespace

std::unique_ptr<RunBackend> ethosu_backend(std::shared_ptr<GraphRunOptions> graph_options) {
  return std::make_unique<EthosUBackend>(std::move(graph_options));
}

}  // namespace npubin::cli
