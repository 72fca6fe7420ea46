// The shape of an operation's weight stream, as the weight codec takes it.
#pragma once

#include "ethosu/operation.h"
#include "ethosu/weights/geometry.h"

namespace npubin::ethosu {

// Precondition: op.uses_weights().
WeightGeometry weight_geometry(const Operation& op, Accelerator accelerator);

}  // namespace npubin::ethosu
