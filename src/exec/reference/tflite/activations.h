// Activations of codes that need more than a line.
#pragma once

#include <array>
#include <cstdint>

#include "exec/kernel.h"

namespace npubin::exec::tflite {

void logistic_codes(const KernelCall& call);
void tanh_codes(const KernelCall& call);
// Error: Malformed where the output's scale is too large for the kernel's shifts.
Result<void> hard_swish_codes(const KernelCall& call);

// LOGISTIC and TANH of int16: samples of the sigmoid at |x| / 24, x = (code * factor + half) >> shift being
// the argument with 9 (TANH: 8) bits below a sample.
struct SquashScaling {
  std::int32_t factor;
  int shift;
};
SquashScaling squash_scaling(float scale, bool logistic);
const std::array<std::uint16_t, 256>& sigmoid_samples();

}  // namespace npubin::exec::tflite
