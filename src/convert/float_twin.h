// A quantised network's float32 twin: what it would compute without the rounding of codes.
#pragma once

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

// Every quantised value becomes float32: constants are decoded (scale and zero point, per axis where they
// are), inputs and outputs change their type, Quantize and Dequantize go. Where codes cut at the number 0
// stood in for a rectifier (zero point at the lower end) and nothing else is fused, the rectifier is put
// there. Node order, names and rules stay. Error (Refused): nothing is quantised, or an operator holds codes
// inside (Ethos-U).
NPUBIN_API Result<graph::Graph> float_twin(const graph::Graph& graph);

}  // namespace npubin::convert
