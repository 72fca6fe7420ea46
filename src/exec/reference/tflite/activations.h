// Activations of codes that need more than a line.
#pragma once

#include "exec/kernel.h"

namespace npubin::exec::tflite {

void logistic_codes(const KernelCall& call);
void tanh_codes(const KernelCall& call);
// Error: Malformed where the output's scale is too large for the kernel's shifts.
Result<void> hard_swish_codes(const KernelCall& call);

}  // namespace npubin::exec::tflite
