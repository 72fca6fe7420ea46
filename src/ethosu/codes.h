// The findings about Ethos-U55 payloads, streams and weights.
#pragma once

#include <span>

#include "npubin/artifact.h"

namespace npubin::ethosu {

std::span<const DiagnosticCode> codes();

}  // namespace npubin::ethosu
