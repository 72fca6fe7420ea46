// Timing of a session: what `npubin bench` measures, apart from how it is shown.
#pragma once

#include <string>
#include <vector>

#include "npubin/session.h"

namespace npubin::cli {

struct BenchOptions {
  double duration = 2;   // seconds of measured runs
  double warm_up = 0.3;  // seconds before them
  int least_runs = 5;
  bool per_layer = false;
  bool progress = false;
};

struct Interval {
  std::size_t step = 0;
  double start = 0, seconds = 0;  // since the run began
};

struct Timing {
  double first_run = 0;              // seconds; the first run of the context, caches cold
  std::vector<double> runs;          // seconds, in order
  std::vector<double> step_medians;  // seconds, by step; only with per_layer
  std::vector<Interval> timeline;    // of one observed run; only with per_layer

  // p in 0..100 of the runs, by the nearest rank.
  double percentile(double p) const;
};

Result<Timing> measure(const Session& session, const std::vector<Tensor>& inputs,
                       const BenchOptions& options);

// The largest resident size of this process so far, in bytes.
std::uint64_t peak_memory();

// Chrome's trace format: one event per step of the timeline.
std::string chrome_trace(const PlanReport& plan, const std::vector<Interval>& timeline);

}  // namespace npubin::cli
