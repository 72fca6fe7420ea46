// Differences as a table of a report.
#pragma once

#include <string>
#include <vector>

#include "exec/difference.h"
#include "npubin/describe.h"

namespace npubin::cli {

// One row per difference: name, shape, differing elements, largest and mean difference, signal to noise.
void add_difference_table(Node& node, const std::string& key,
                          const std::vector<exec::Difference>& differences, Detail detail);

}  // namespace npubin::cli
