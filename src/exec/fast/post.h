// Post-operations in a pass of their own, where the kernel before them cannot take them along.
#pragma once

#include "exec/fast/step.h"

namespace npubin::exec::fast {

// In place on the node's float32 result of `count` elements.
void apply_post_operations(const DraftNode& node, const Frame& frame, std::size_t count);

}  // namespace npubin::exec::fast
