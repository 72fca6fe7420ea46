// A picture as the input of a graph.
#pragma once

#include <string>

#include "cli/run/graph_inputs.h"

namespace npubin::cli {

// Resizes bilinearly to the input's height and width, brings the channels into order and computes
// (pixel - mean) * scale. Without mean, scale and --float a U8 input takes the pixels as codes and an I8
// input takes pixel - 128. Errors: Usage (not the shape of a picture: four dimensions, one batch, 1 or 3
// channels), Io.
Result<Tensor> tensor_of_picture(const std::string& file, const graph::Value& input,
                                 const GraphInputOptions& options);

}  // namespace npubin::cli
