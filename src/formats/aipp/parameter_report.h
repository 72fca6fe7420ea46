// What there is to say about a dynamic parameter block.
#pragma once

#include <optional>

#include "formats/aipp/config.h"
#include "npubin/describe.h"
#include "npubin/diagnostics.h"

namespace npubin::aipp {

Node describe_parameters(const ParameterBlock& block);

// Sizes that do not fit each other, the network or the buffer (0: not known).
void check_parameters(const ParameterBlock& block, const std::optional<NetworkInput>& network,
                      std::uint64_t max_src_image_size, Diagnostics& out);

// A static block's settings as a parameter block for a batch of n. Error: Usage for a format that a parameter
// block cannot name, or values beyond its fields.
Result<ParameterBlock> parameters_of(const Settings& settings, std::int32_t batch);

}  // namespace npubin::aipp
