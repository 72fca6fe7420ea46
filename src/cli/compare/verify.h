// Proving a conversion: the source and the result run on the same input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/run/graph_inputs.h"
#include "exec/difference.h"
#include "npubin/artifact.h"
#include "npubin/describe.h"

namespace npubin::cli {

struct VerifyOptions {
  std::vector<std::string> inputs;  // --input; none: seeded random numbers
  std::string image;                // --image
  GraphInputOptions input;
  bool informs = false;             // show how much they differ, without a verdict
  std::optional<double> tolerance;  // as a fraction of an output's range; none: by the types of the outputs
  int threads = 1;
};

struct Verification {
  std::vector<exec::Difference> outputs;
  std::string skipped;   // why nothing was run; empty where it was
  double tolerance = 0;  // what was allowed
  bool informs = false;  // nothing is judged: the difference is what was asked for
  bool by_mean = false;  // the mean difference was judged, not the largest
  bool passed = true;
};

// Runs `source` and the converted bytes (as `format` reads them) by their own rules and compares the outputs.
// Where one of them cannot be run, `skipped` says why. Error: the converted bytes cannot be read, or the
// inputs do not fit.
Result<Verification> verify_conversion(const Artifact& source, std::vector<std::byte> converted,
                                       const std::string& format, const VerifyOptions& options);

// One line per output, for standard error.
std::string to_text(const Verification& verification);
// The same under the key "verification", for --json.
npubin::Node describe(const Verification& verification);

}  // namespace npubin::cli
