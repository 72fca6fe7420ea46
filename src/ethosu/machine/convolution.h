// A CONV or DEPTHWISE with its weights decoded and packed, ready to run.
#pragma once

#include <memory>

#include "ethosu/machine/step.h"

namespace npubin::ethosu {

class PreparedConvolution {
 public:
  virtual ~PreparedConvolution() = default;
  // Errors as run_convolution(). `step` must outlive the result.
  static Result<std::unique_ptr<PreparedConvolution>> create(Step& step);
  virtual Result<void> run() = 0;
};

}  // namespace npubin::ethosu
