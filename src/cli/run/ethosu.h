// The backend that executes Ethos-U command streams: .npub, and .tflite files compiled for the NPU.
#pragma once

#include <memory>

#include "cli/run/backend.h"
#include "cli/run/graph.h"

namespace npubin::cli {

// Understands the graph backend's options too, which `graph_options` receives.
std::unique_ptr<RunBackend> ethosu_backend(std::shared_ptr<GraphRunOptions> graph_options);

}  // namespace npubin::cli
