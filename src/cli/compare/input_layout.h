// A picture's batch in the other order of its dimensions: [N,H,W,C] and [N,C,H,W].
#pragma once

#include <optional>

#include "npubin/tensor.h"

namespace npubin::cli {

// `from` with the shape `to`, where that is the same batch with its channels at the other end; nothing where
// it is not, or where the shapes do not tell.
std::optional<Tensor> in_other_layout(const Tensor& from, const Shape& to);

}  // namespace npubin::cli
