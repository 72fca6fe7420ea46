// What a run of a graph prints: its outputs in numbers, and the best classes.
#pragma once

#include <string>
#include <vector>

#include "cli/run/backend.h"
#include "npubin/describe.h"

namespace npubin::cli {

struct TopOptions {
  int count = 0;                    // --top N; 0: none
  std::vector<std::string> labels;  // by class index; may be short or empty
};

// One label a line. Error: Io; Usage for a file without any.
Result<std::vector<std::string>> load_labels(const std::string& file);
// --labels FILE, which goes with --top. Error: Usage where that is not given. Nothing where `file` is empty.
Result<void> take_labels(const std::string& file, TopOptions& top);

// Minimum, maximum and mean are of real numbers, NaN left out.
void report_outputs(Node& node, const std::vector<NamedTensor>& outputs, const TopOptions& top);

}  // namespace npubin::cli
