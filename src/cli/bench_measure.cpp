#include "cli/bench_measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "render/json.h"

namespace npubin::cli {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<double> time_once(const Session& session, RunContext& context, const std::vector<Tensor>& inputs) {
  const auto start = Clock::now();
  NPUBIN_CHECK(session.run_in_place(context, inputs));
  return since(start);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Runs with an observer: times of every step, and where they lie in the last run.
Result<void> measure_steps(const Session& session, RunContext& context, const std::vector<Tensor>& inputs,
                           double duration, Timing& timing) {
  std::vector<std::vector<double>> samples;
  const auto start = Clock::now();
  constexpr std::size_t kMostRuns = 1000;
  for (std::size_t run = 0; run < kMostRuns && (run < 3 || since(start) < duration); ++run) {
    timing.timeline.clear();
    const auto begin = Clock::now();
    NPUBIN_CHECK(session.run_in_place(context, inputs, [&](const NodeObservation& seen) {
      if (samples.size() <= seen.index) samples.resize(seen.index + 1);
      samples[seen.index].push_back(seen.seconds);
      timing.timeline.push_back({seen.index, since(begin) - seen.seconds, seen.seconds});
    }));
  }
  for (std::vector<double>& of_step : samples) timing.step_medians.push_back(median(std::move(of_step)));
  return {};
}

void show_progress(double done, double total) {
  std::fputs(fmt::format("\rmeasuring {:3.0f} %", 100 * std::min(done / total, 1.0)).c_str(), stderr);
}

}  // namespace

double Timing::percentile(double p) const {
  std::vector<double> sorted = runs;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(sorted.size())));
  return sorted[std::min(rank == 0 ? 0 : rank - 1, sorted.size() - 1)];
}

Result<Timing> measure(const Session& session, const std::vector<Tensor>& inputs,
                       const BenchOptions& options) {
  Timing timing;
  const auto context = session.new_context();
  NPUBIN_TRY(timing.first_run, time_once(session, *context, inputs));
  for (const auto start = Clock::now(); since(start) < options.warm_up;)
    NPUBIN_CHECK(session.run_in_place(*context, inputs));
  double shown = 0;
  for (const auto start = Clock::now();
       static_cast<int>(timing.runs.size()) < options.least_runs || since(start) < options.duration;) {
    NPUBIN_TRY(const double seconds, time_once(session, *context, inputs));
    timing.runs.push_back(seconds);
    if (options.progress && since(start) - shown > 0.2) show_progress(shown = since(start), options.duration);
  }
  if (options.progress) std::fputs("\r              \r", stderr);
  if (options.per_layer) NPUBIN_CHECK(measure_steps(session, *context, inputs, options.duration, timing));
  return timing;
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string chrome_trace(const PlanReport& plan, const std::vector<Interval>& timeline) {
  render::Json events = render::Json::array();
  for (const Interval& interval : timeline) {
    const PlanStep& step = plan.steps[interval.step];
    events.push_back({{"name", step.name.empty() ? step.type : step.name},
                      {"cat", step.type},
                      {"ph", "X"},
                      {"ts", interval.start * 1e6},
                      {"dur", interval.seconds * 1e6},
                      {"pid", 1},
                      {"tid", 1},
                      {"args", {{"kernel", step.kernel}, {"macs", step.macs}}}});
  }
  return render::dump({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}});
}

}  // namespace npubin::cli
