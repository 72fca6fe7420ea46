// TANH and SIGMOID of 16-bit operators.
#pragma once

#include <cstdint>

namespace npubin::ethosu {

// The argument counts in 1/12288 (3 x 4096), as the scaling before it delivers; results are Q0.15. Both
// interpolate in a 256-entry table of a sampled logistic function, as TensorFlow Lite does (tflite spec 4,
// LOGISTIC/TANH int16).
std::int32_t sigmoid_16(std::int64_t argument);
std::int32_t tanh_16(std::int64_t argument);

}  // namespace npubin::ethosu
