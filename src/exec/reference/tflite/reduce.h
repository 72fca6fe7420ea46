// What the fast mean of codes shares with the reference.
#pragma once

#include "exec/reference/tflite/fixed_point.h"
#include "npubin/graph.h"

namespace npubin::exec::tflite {

// (m, s) of si/so; MEAN folds 1/n into the mantissa. tflite spec 6.
Multiplier mean_multiplier(float scale_in, float scale_out, graph::ReduceOperation operation, std::int64_t n);

}  // namespace npubin::exec::tflite
