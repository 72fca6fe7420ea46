// The same pre-processing as code to paste: `inspect --as torchvision|opencv|numpy`.
#pragma once

#include <string_view>

#include "formats/aipp/config.h"
#include "formats/aipp/surroundings.h"
#include "npubin/describe.h"

namespace npubin::aipp {

// Errors: Usage for another style, Refused for blocks that the style cannot express.
Result<Node> code_node(const Config& config, const Surroundings& surroundings, std::string_view style);

}  // namespace npubin::aipp
