// The backend that does the host's share of a HEF.
#pragma once

#include <memory>

#include "cli/run/backend.h"

namespace npubin::cli {

std::unique_ptr<RunBackend> hef_backend();

}  // namespace npubin::cli
