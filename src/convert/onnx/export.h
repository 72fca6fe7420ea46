// Float graphs as ONNX models (IR version 8, opset 13), for ONNX Runtime and the tools around it.
#pragma once

#include <string>

#include "npubin/export.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::convert {

// The serialised model. Inputs and outputs keep names, order and NHWC shapes; inside, convolutions run in
// ONNX's NCHW with as few transpositions as the graph allows. Error (Refused): names every operator and type
// that cannot be expressed, all at once.
NPUBIN_API Result<std::string> to_onnx(const graph::Graph& graph);

}  // namespace npubin::convert
