// How ADD, SUB and SQUARED_DIFFERENCE of codes bring their operands to one scale. tflite spec 3.
#pragma once

#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::tflite {

// out = mul(mul((x - zx) << left_shift, a) op mul((y - zy) << left_shift, b), out) + zo
struct Rescaling {
  Multiplier a, b, out;
  int left_shift;
};

// op: Add, Sub or SquaredDifference; code_bytes: 1 or 2.
Rescaling rescaling_of(graph::Op op, float scale_a, float scale_b, float scale_out, std::size_t code_bytes);

}  // namespace npubin::exec::tflite
