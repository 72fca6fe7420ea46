// One operation, prepared: where its data lies, and what happens to its results.
#pragma once

#include "ethosu/machine/arithmetic.h"
#include "ethosu/machine/feature_map.h"
#include "ethosu/machine/output_stage.h"

namespace npubin::ethosu {

struct Step {
  const Operation& operation;
  Memory& memory;
  Accelerator accelerator;
  int threads = 1;
  bool reference = false;  // plain loops in 64 bits, to hold the fast ones against
  MapReader ifm, ifm2;
  MapWriter ofm;
  OutputStage stage;

  // Error: a feature map outside its region, an activation without a rule.
  static Result<Step> prepare(const Operation& operation, Memory& memory, Accelerator accelerator,
                              int threads, bool reference);
};

// Scale and bias of every output channel: records of 10 bytes (ethos-u55 spec 4).
struct ChannelScales {
  std::vector<std::int64_t> bias;
  std::vector<Scaling> scaling;
  static Result<ChannelScales> read(const Operation& operation, const Memory& memory);
};

// The four kernels. Error: Malformed for addresses outside memory or weights that do not decode, Refused for
// what the specification has no rule for (an accumulator that overflows, say).
Result<void> run_convolution(Step& step);  // CONV and DEPTHWISE
Result<void> run_pool(Step& step);
Result<void> run_elementwise(Step& step);
Result<void> run_dma(const Operation& operation, Memory& memory, Accelerator accelerator);

// Steps of the operation's inner loop: multiply-accumulates of CONV and DEPTHWISE with real channels and
// taps, taps of a pool, results of an elementwise operation. mac_count() counts the first kind only.
std::uint64_t work_of(const Operation& operation);

}  // namespace npubin::ethosu
