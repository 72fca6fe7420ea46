// Every reference kernel of Arm NN's rules, with what it insists on.
#pragma once

#include "exec/kernel.h"

namespace npubin::exec::armnn {

#define NPUBIN_ARMNN_KERNEL(name)            \
  Result<void> name(const KernelCall& call); \
  std::string name##_limits(const graph::Graph& graph, const graph::Node& node)

NPUBIN_ARMNN_KERNEL(conv2d);
NPUBIN_ARMNN_KERNEL(depthwise_conv2d);
NPUBIN_ARMNN_KERNEL(transpose_conv2d);
NPUBIN_ARMNN_KERNEL(fully_connected);
NPUBIN_ARMNN_KERNEL(pool2d);
NPUBIN_ARMNN_KERNEL(local_response_normalization);
NPUBIN_ARMNN_KERNEL(l2_normalization);
NPUBIN_ARMNN_KERNEL(batch_normalization);
NPUBIN_ARMNN_KERNEL(instance_normalization);
NPUBIN_ARMNN_KERNEL(binary);
NPUBIN_ARMNN_KERNEL(comparison);
NPUBIN_ARMNN_KERNEL(unary);
NPUBIN_ARMNN_KERNEL(activation);
NPUBIN_ARMNN_KERNEL(prelu);
NPUBIN_ARMNN_KERNEL(softmax);
NPUBIN_ARMNN_KERNEL(reduce);
NPUBIN_ARMNN_KERNEL(arg_min_max);
NPUBIN_ARMNN_KERNEL(quantize);
NPUBIN_ARMNN_KERNEL(dequantize);
NPUBIN_ARMNN_KERNEL(reshape);
NPUBIN_ARMNN_KERNEL(transpose);
NPUBIN_ARMNN_KERNEL(concat);
NPUBIN_ARMNN_KERNEL(split);
NPUBIN_ARMNN_KERNEL(slice);
NPUBIN_ARMNN_KERNEL(strided_slice);
NPUBIN_ARMNN_KERNEL(pad);
NPUBIN_ARMNN_KERNEL(gather);
NPUBIN_ARMNN_KERNEL(stack);
NPUBIN_ARMNN_KERNEL(fill_layer);
NPUBIN_ARMNN_KERNEL(rank);
NPUBIN_ARMNN_KERNEL(resize);
NPUBIN_ARMNN_KERNEL(space_to_batch);
NPUBIN_ARMNN_KERNEL(batch_to_space);
NPUBIN_ARMNN_KERNEL(space_to_depth);
NPUBIN_ARMNN_KERNEL(depth_to_space);

#undef NPUBIN_ARMNN_KERNEL

}  // namespace npubin::exec::armnn
