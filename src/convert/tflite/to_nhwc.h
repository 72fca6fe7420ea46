// NCHW layers become NHWC ones between transpositions.
#pragma once

#include "npubin/graph.h"

namespace npubin::convert {

// The same graph without a layer of layout NCHW. Transpositions move behind element-wise layers and
// concatenations, and cancel where they meet; inputs and outputs keep their shapes. A graph without NCHW
// layers is returned as it is.
graph::Graph to_nhwc(const graph::Graph& graph);

}  // namespace npubin::convert
