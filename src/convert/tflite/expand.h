// Layers of Arm NN that TensorFlow Lite lacks, by those it has.
#pragma once

#include <optional>
#include <string>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {

// Writes the node's replacement into `out`, in NHWC and of Arm NN's rules. Empty: there is none, the node
// stays as it is. Precondition: layouts are NHWC.
bool expand_for_tflite(ArmnnRewrite& out, const graph::Node& node);

}  // namespace npubin::convert
