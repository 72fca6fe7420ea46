// A block's values with the operator's defaults, as the arithmetic wants them.
#pragma once

#include "formats/aipp/config.h"
#include "npubin/aipp.h"

namespace npubin::aipp {

// Sizes that the block leaves at 0 stay 0. CSC cells that are not set take the operator's defaults, cell by
// cell (aipp spec 2).
Settings settings_of_block(const Block& block);

}  // namespace npubin::aipp
