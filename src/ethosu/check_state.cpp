// Values that contradict each other or the machine's limits.
#include <fmt/format.h>

#include "ethosu/check_context.h"

namespace npubin::ethosu {
namespace {

constexpr std::uint32_t kMaxStride = 3;

void check_kernel(CheckContext& context, const Operation& op) {
  const Kernel& k = op.kernel;
  if (k.stride_x > kMaxStride || k.stride_y > kMaxStride)
    context.error(op, "ETU-0203",
                  fmt::format("the kernel's stride is {}x{} (y, x); the machine has 1 to {}{}", k.stride_y,
                              k.stride_x, kMaxStride, context.written_at(Code::SET_KERNEL_STRIDE)));
  if (op.ifm.height == 0 || op.ifm.width == 0)
    context.error(op, "ETU-0205",
                  fmt::format("padding {}+{} rows and {}+{} columns leaves no input for an output of {}x{}",
                              k.pad_top, k.pad_bottom, k.pad_left, k.pad_right, op.ofm.height, op.ofm.width));
  if (k.width_m1 % k.dilation_x != 0 || k.height_m1 % k.dilation_y != 0)
    context.error(op, "ETU-0206",
                  fmt::format("kernel extents {}x{} are no dilation by {}x{}", k.height_m1 + 1,
                              k.width_m1 + 1, k.dilation_y, k.dilation_x));
  const std::uint32_t rows = k.height_m1 + 1, columns = k.width_m1 + 1;
  if (k.pad_top >= rows || k.pad_left >= columns)
    context.warn(op, "ETU-0207",
                 fmt::format("padding top {} or left {} is no smaller than the kernel's extent {}x{}: "
                             "outputs would see padding only",
                             k.pad_top, k.pad_left, rows, columns));
}

void check_activation(CheckContext& context, const Operation& op) {
  const Activation& a = op.activation;
  if (a.min > a.max)
    context.warn(
        op, "ETU-0204",
        fmt::format(
            "ACTIVATION_MIN {} lies above ACTIVATION_MAX {}{}: the result of the clamp is not defined", a.min,
            a.max, context.written_at(Code::SET_ACTIVATION_MIN)));
}

struct NeededRegister {
  Code code;
  const char* name;
};

// Registers without which an operation's memory accesses mean nothing.
void check_written(CheckContext& context, const Operation& op) {
  constexpr NeededRegister kKernel[] = {
      {Code::SET_OFM_REGION, "OFM_REGION"},       {Code::SET_OFM_BASE0, "OFM_BASE0"},
      {Code::SET_OFM_HEIGHT_M1, "OFM_HEIGHT_M1"}, {Code::SET_OFM_WIDTH_M1, "OFM_WIDTH_M1"},
      {Code::SET_OFM_DEPTH_M1, "OFM_DEPTH_M1"},   {Code::SET_OFM_PRECISION, "OFM_PRECISION"},
      {Code::SET_OFM_STRIDE_Y, "OFM_STRIDE_Y"},   {Code::SET_IFM_REGION, "IFM_REGION"},
      {Code::SET_IFM_BASE0, "IFM_BASE0"},         {Code::SET_IFM_DEPTH_M1, "IFM_DEPTH_M1"},
      {Code::SET_IFM_PRECISION, "IFM_PRECISION"}, {Code::SET_IFM_STRIDE_Y, "IFM_STRIDE_Y"}};
  constexpr NeededRegister kWeights[] = {{Code::SET_WEIGHT_REGION, "WEIGHT_REGION"},
                                         {Code::SET_WEIGHT_BASE, "WEIGHT_BASE"},
                                         {Code::SET_WEIGHT_LENGTH, "WEIGHT_LENGTH"}};
  constexpr NeededRegister kDma[] = {{Code::SET_DMA0_SRC_REGION, "DMA0_SRC_REGION"},
                                     {Code::SET_DMA0_DST_REGION, "DMA0_DST_REGION"},
                                     {Code::SET_DMA0_SRC, "DMA0_SRC"},
                                     {Code::SET_DMA0_DST, "DMA0_DST"},
                                     {Code::SET_DMA0_LEN, "DMA0_LEN"}};
  std::string missing;
  auto look = [&](std::span<const NeededRegister> needed) {
    for (const NeededRegister& r : needed)
      if (!(*context.registers)[r.code].written())
        missing += fmt::format("{}{}", missing.empty() ? "" : ", ", r.name);
  };
  if (is_kernel(op.kind)) look(kKernel);
  if (op.uses_weights()) look(kWeights);
  if (op.kind == OperationKind::DmaStart) look(kDma);
  if (!missing.empty())
    context.warn(op, "ETU-0201",
                 fmt::format("the operation uses registers that nothing has written: {}", missing),
                 "what they hold after reset is not defined");
}

void check_precision(CheckContext& context, const Operation& op) {
  if (op.ifm.element_bits == 64 || op.ofm.element_bits == 64 || (op.has_ifm2 && op.ifm2.element_bits == 64))
    context.error(op, "ETU-0208", "a feature map has 64-bit elements, which no operation of the U55 takes");
  if (op.kind != OperationKind::Elementwise && op.ifm.element_bits == 32 && op.kind != OperationKind::Pool)
    context.error(op, "ETU-0208", "a convolution takes 8 or 16-bit input, not 32-bit");
  if (op.kind == OperationKind::Depthwise && op.ifm.depth != op.ofm.depth)
    context.error(op, "ETU-0209",
                  fmt::format("a depthwise convolution has {} input and {} output channels; they must agree",
                              op.ifm.depth, op.ofm.depth));
  if (op.kind == OperationKind::Pool && op.pooling != PoolingMode::ReduceSum && op.ifm.depth != op.ofm.depth)
    context.error(op, "ETU-0209",
                  fmt::format("a pool has {} input and {} output channels; they must agree", op.ifm.depth,
                              op.ofm.depth));
}

}  // namespace

void check_state(CheckContext& context, const Operation& op) {
  check_written(context, op);
  if (op.kind == OperationKind::DmaStart) {
    if (op.dma.length == 0)
      context.error(op, "ETU-0210",
                    fmt::format("the transfer moves 0 bytes{}: what it should bring never arrives",
                                context.written_at(Code::SET_DMA0_LEN)));
    if (op.dma.source_stride_mode != 0 || op.dma.destination_stride_mode != 0)
      context.error(op, "ETU-0211", "the transfer is two-dimensional; the U55 has one-dimensional ones only");
  }
  if (!is_kernel(op.kind)) return;
  if (op.kind != OperationKind::Elementwise) check_kernel(context, op);
  check_activation(context, op);
  check_precision(context, op);
}

}  // namespace npubin::ethosu
