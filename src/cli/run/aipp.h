#pragma once

#include <memory>

#include "cli/run/backend.h"

namespace npubin::cli {

// AIPP configs on raw camera bytes or pictures.
std::unique_ptr<RunBackend> aipp_backend();

}  // namespace npubin::cli
