// The backend that runs graphs.
#pragma once

#include <memory>

#include "cli/run/backend.h"

namespace npubin::cli {

std::unique_ptr<RunBackend> graph_backend();

}  // namespace npubin::cli
