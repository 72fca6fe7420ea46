// From files and pictures to the tensors that a graph takes.
#pragma once

#include <string>
#include <vector>

#include "cli/run/backend.h"
#include "npubin/graph.h"

namespace npubin::cli {

struct GraphInputOptions {
  bool real = false;          // --float: files hold real numbers for quantised inputs
  std::vector<float> mean;    // one, or one per channel in the order fed
  std::vector<float> scale;   // factors, likewise
  std::string channel_order;  // "rgb", "bgr"
};

// --mean, --scale and --channel-order.
void add_picture_options(OptionSet& options, GraphInputOptions& input);

// One tensor per input of the graph, in its order. Errors: Usage with what is expected, or for an option that
// has nothing to act on; Io, Malformed.
Result<std::vector<Tensor>> load_graph_inputs(const graph::Graph& graph,
                                              const std::vector<std::string>& inputs,
                                              const std::string& image, const GraphInputOptions& options);

// Error: Usage, where an option about files or pictures is given and neither is.
Result<void> refuse_idle_input_options(const std::vector<std::string>& inputs, const std::string& image,
                                       const GraphInputOptions& options);

// "'input' f32 [1,128,128,3], 'size' i32 [2]"
std::string describe_inputs(const graph::Graph& graph);

}  // namespace npubin::cli
