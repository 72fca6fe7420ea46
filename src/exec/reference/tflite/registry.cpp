// The reference kernels of TensorFlow Lite's rules: one row per operator.
#include "exec/kernel.h"

namespace npubin::exec {

std::span<const KernelRow> tflite_reference_kernels() {
  return {};
}

}  // namespace npubin::exec
