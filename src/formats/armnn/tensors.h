// Tensor infos and constants of a file as values of a graph, judged on the way.
#pragma once

#include <optional>
#include <string>

#include "formats/armnn/layers.h"
#include "npubin/diagnostics.h"
#include "npubin/graph.h"

namespace npubin::armnn {

// Shape, type and quantisation of a tensor. Findings (errors): no dimensions, a rank above 5, a dimension of
// 0, more than 2^62 bytes, an unknown type, scales and zero points that make no sense. `what` names the
// tensor. Empty where the type or the shape are unusable.
std::optional<graph::Value> value_of(const FlatBuffer& file, const TensorInfo& info, const std::string& what,
                                     const std::string& path, Diagnostics& findings);

// A constant over the file's own bytes. `output_channels` is the number of per-axis scales that a
// convolution's weights need, where that is not the size of the quantised dimension (depthwise, [M,I,H,W]).
std::optional<graph::Value> constant_of(const Bytes& bytes, const FlatBuffer& file, const ConstTensor& tensor,
                                        const std::string& what, const std::string& path,
                                        Diagnostics& findings);

// Largest rank that Arm NN's tensors have (MaxNumOfTensorDimensions).
inline constexpr std::uint32_t kMaxRank = 5;

}  // namespace npubin::armnn
