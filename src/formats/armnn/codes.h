// The findings of this format, for docs/diagnostics.md and `npubin explain`.
#pragma once

#include <span>

#include "npubin/artifact.h"

namespace npubin::armnn {

std::span<const DiagnosticCode> diagnostic_codes();

}  // namespace npubin::armnn
