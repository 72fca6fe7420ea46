// Which input index each output index of a nearest-neighbour resize takes.
#pragma once

#include <cstdint>
#include <vector>

#include "npubin/export.h"
#include "npubin/graph.h"

namespace npubin::graph {

// One axis, `in` and `out` in elements. Arm NN measures its distances from the lower neighbour itself and so
// always takes that one; TensorFlow Lite takes the floor of a position without the half pixel's shift back,
// and rounds with aligned corners. Both in float32. tflite spec 6.
NPUBIN_API std::vector<std::int64_t> nearest_indices(std::int64_t in, std::int64_t out,
                                                     const ResizeAttributes& attributes, Rules rules);

}  // namespace npubin::graph
