// Stored outputs to compare a model with: out0.npy, out1.npy, ... as `run -o` writes them.
#pragma once

#include <string>
#include <vector>

#include "cli/run/backend.h"
#include "npubin/result.h"

namespace npubin::cli {

// One tensor per output of `like`. Where the folder has an outputs.json, it gives names, scales and zero
// points, and outputs are taken by name if all names agree; else by number, with the model's own scales.
// Error (Io): a file is missing; (Usage): the folder holds another number of outputs.
Result<std::vector<NamedTensor>> golden_outputs(const std::string& folder,
                                                const std::vector<NamedTensor>& like);

}  // namespace npubin::cli
