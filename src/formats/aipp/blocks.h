// From a block of a config to what the arithmetic takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/aipp/config.h"
#include "formats/aipp/surroundings.h"
#include "npubin/aipp.h"

namespace npubin::aipp {

// The settings of one block: one entry in static mode, one per picture of the parameter block in dynamic
// mode. Errors: Usage where a dynamic block comes without parameters or a static one with, Refused for
// rotation.
Result<std::vector<Settings>> settings_for_run(const Block& block,
                                               const std::optional<ParameterBlock>& parameters);

// Refuses pictures that max_src_image_size has no room for (aipp spec 2).
Result<void> check_buffer(const Block& block, std::uint64_t bytes);

// The network's input that a block stands before, for messages and outputs.json: its name, or "input0".
std::string input_name(const Block& block);

// The rank that a block is for; by name it is not known.
std::size_t input_rank(const Block& block);

}  // namespace npubin::aipp
