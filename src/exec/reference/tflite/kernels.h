// The kernels of this folder, by file; registry.cpp gives them their rows.
#pragma once

#include "exec/kernel.h"

namespace npubin::exec::tflite {

Result<void> run_conv(const KernelCall& call);
Result<void> run_depthwise(const KernelCall& call);
Result<void> run_transpose_conv(const KernelCall& call);
Result<void> run_fully_connected(const KernelCall& call);
Result<void> run_batch_matmul(const KernelCall& call);
Result<void> run_pool(const KernelCall& call);
Result<void> run_local_response(const KernelCall& call);
Result<void> run_svdf(const KernelCall& call);
Result<void> run_detection(const KernelCall& call);

Result<void> run_add_sub(const KernelCall& call);
Result<void> run_mul(const KernelCall& call);
Result<void> run_div(const KernelCall& call);
Result<void> run_min_max(const KernelCall& call);
Result<void> run_squared_difference(const KernelCall& call);
Result<void> run_pow_floor(const KernelCall& call);
Result<void> run_comparison(const KernelCall& call);
Result<void> run_logical(const KernelCall& call);
Result<void> run_unary(const KernelCall& call);
Result<void> run_activation(const KernelCall& call);
Result<void> run_prelu(const KernelCall& call);
Result<void> run_select(const KernelCall& call);

Result<void> run_softmax(const KernelCall& call);
Result<void> run_log_softmax(const KernelCall& call);
Result<void> run_l2_normalization(const KernelCall& call);
Result<void> run_reduce(const KernelCall& call);
Result<void> run_arg_min_max(const KernelCall& call);
Result<void> run_resize(const KernelCall& call);
Result<void> run_quantize(const KernelCall& call);
Result<void> run_dequantize(const KernelCall& call);
Result<void> run_cast(const KernelCall& call);

Result<void> run_reshape(const KernelCall& call);
Result<void> run_transpose(const KernelCall& call);
Result<void> run_concat(const KernelCall& call);
Result<void> run_split(const KernelCall& call);
Result<void> run_stack(const KernelCall& call);
Result<void> run_unstack(const KernelCall& call);
Result<void> run_slice(const KernelCall& call);
Result<void> run_strided_slice(const KernelCall& call);
Result<void> run_pad(const KernelCall& call);
Result<void> run_tile(const KernelCall& call);
Result<void> run_gather(const KernelCall& call);
Result<void> run_gather_nd(const KernelCall& call);
Result<void> run_fill(const KernelCall& call);
Result<void> run_shape(const KernelCall& call);
Result<void> run_range(const KernelCall& call);
Result<void> run_space_batch(const KernelCall& call);
Result<void> run_space_depth(const KernelCall& call);

}  // namespace npubin::exec::tflite
