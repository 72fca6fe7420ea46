#include "ethosu/operation.h"

namespace npubin::ethosu {
namespace {

// The registers of one feature map.
struct MapCodes {
  Code region, base0, stride_x, stride_y, stride_c, width0, height0, height1, precision, zero_point;
};
constexpr MapCodes kIfm{Code::SET_IFM_REGION,     Code::SET_IFM_BASE0,      Code::SET_IFM_STRIDE_X,
                        Code::SET_IFM_STRIDE_Y,   Code::SET_IFM_STRIDE_C,   Code::SET_IFM_WIDTH0_M1,
                        Code::SET_IFM_HEIGHT0_M1, Code::SET_IFM_HEIGHT1_M1, Code::SET_IFM_PRECISION,
                        Code::SET_IFM_ZERO_POINT};
constexpr MapCodes kIfm2{Code::SET_IFM2_REGION,     Code::SET_IFM2_BASE0,      Code::SET_IFM2_STRIDE_X,
                         Code::SET_IFM2_STRIDE_Y,   Code::SET_IFM2_STRIDE_C,   Code::SET_IFM2_WIDTH0_M1,
                         Code::SET_IFM2_HEIGHT0_M1, Code::SET_IFM2_HEIGHT1_M1, Code::SET_IFM2_PRECISION,
                         Code::SET_IFM2_ZERO_POINT};
constexpr MapCodes kOfm{Code::SET_OFM_REGION,     Code::SET_OFM_BASE0,      Code::SET_OFM_STRIDE_X,
                        Code::SET_OFM_STRIDE_Y,   Code::SET_OFM_STRIDE_C,   Code::SET_OFM_WIDTH0_M1,
                        Code::SET_OFM_HEIGHT0_M1, Code::SET_OFM_HEIGHT1_M1, Code::SET_OFM_PRECISION,
                        Code::SET_OFM_ZERO_POINT};

std::int32_t number(std::uint32_t param, bool is_signed) {
  return is_signed ? static_cast<std::int16_t>(static_cast<std::uint16_t>(param))
                   : static_cast<std::int32_t>(param & 0xFFFFu);
}

std::uint32_t bits(std::uint32_t value, unsigned low, unsigned count) {
  return (value >> low) & ((1u << count) - 1u);
}

// `precision_bit`: where the element size stands in the precision register: 2 for IFM and IFM2, 1 for OFM.
FeatureMap decode_map(const RegisterFile& r, const MapCodes& codes, unsigned precision_bit) {
  FeatureMap map;
  map.region = static_cast<std::uint8_t>(r.param(codes.region) & 7u);
  for (unsigned tile = 0; tile < 4; ++tile)
    map.base[tile] = r.address(static_cast<Code>(static_cast<unsigned>(codes.base0) + tile));
  map.stride_x = r.signed_address(codes.stride_x);
  map.stride_y = r.signed_address(codes.stride_y);
  map.stride_c = r.signed_address(codes.stride_c);
  map.width0 = r.param(codes.width0) + 1;
  map.height0 = r.param(codes.height0) + 1;
  map.height1 = r.param(codes.height1) + 1;
  const std::uint32_t precision = r.param(codes.precision);
  map.is_signed = bits(precision, 0, 1) != 0;
  map.element_bits = static_cast<std::uint8_t>(8u << bits(precision, precision_bit, 2));
  map.layout = bits(precision, 6, 2) == 1 ? Layout::Nhcwb16 : Layout::Nhwc;
  map.zero_point = number(r.param(codes.zero_point), map.is_signed);
  return map;
}

Kernel decode_kernel(const RegisterFile& r) {
  Kernel kernel;
  const std::uint32_t stride = r.param(Code::SET_KERNEL_STRIDE);
  // Bits 6 and 9 "and up" carry the high bits of the strides (ethos-u55 spec 3).
  kernel.stride_x = (bits(stride, 6, 3) << 1 | bits(stride, 0, 1)) + 1;
  kernel.stride_y = (bits(stride, 9, 3) << 1 | bits(stride, 1, 1)) + 1;
  kernel.part_kernel_first = bits(stride, 2, 1) != 0;
  kernel.dilation_x = bits(stride, 3, 1) + 1;
  kernel.dilation_y = bits(stride, 4, 1) + 1;
  kernel.decomposed_4x4 = bits(stride, 5, 1) != 0;
  kernel.width_m1 = r.param(Code::SET_KERNEL_WIDTH_M1);
  kernel.height_m1 = r.param(Code::SET_KERNEL_HEIGHT_M1);
  kernel.width = kernel.width_m1 / kernel.dilation_x + 1;
  kernel.height = kernel.height_m1 / kernel.dilation_y + 1;
  kernel.pad_top = bits(r.param(Code::SET_IFM_PAD_TOP), 0, 7);
  kernel.pad_left = bits(r.param(Code::SET_IFM_PAD_LEFT), 0, 7);
  kernel.pad_right = bits(r.param(Code::SET_IFM_PAD_RIGHT), 0, 8);
  kernel.pad_bottom = bits(r.param(Code::SET_IFM_PAD_BOTTOM), 0, 8);
  return kernel;
}

// The IFM's extent is no register (ethos-u55 spec 3); 0 where the padding swallows everything.
std::uint32_t input_extent(std::uint32_t out, std::uint32_t stride, std::uint32_t kernel_m1,
                           std::uint32_t pad, Upscale upscale) {
  const std::int64_t extent = (std::int64_t{out} - 1) * stride + kernel_m1 + 1 - std::int64_t{pad};
  if (extent <= 0) return 0;
  return static_cast<std::uint32_t>(upscale == Upscale::None ? extent : (extent + 1) / 2);
}

void derive_ifm(Operation& op, const RegisterFile& r) {
  op.ifm.depth = r.param(Code::SET_IFM_DEPTH_M1) + 1;
  if (op.kind == OperationKind::Elementwise) {
    op.ifm.height = op.ofm.height;
    op.ifm.width = op.ofm.width;
    op.ifm.depth = op.ofm.depth;
    return;
  }
  const Kernel& k = op.kernel;
  op.ifm.height = input_extent(op.ofm.height, k.stride_y, k.height_m1, k.pad_top + k.pad_bottom, op.upscale);
  op.ifm.width = input_extent(op.ofm.width, k.stride_x, k.width_m1, k.pad_left + k.pad_right, op.upscale);
}

void decode_second_operand(Operation& op, const RegisterFile& r) {
  if (op.kind != OperationKind::Elementwise || is_unary(op.elementwise)) return;
  op.ifm2 = decode_map(r, kIfm2, 2);
  const std::uint32_t broadcast = r.param(Code::SET_IFM2_BROADCAST);
  op.broadcast_h = bits(broadcast, 0, 1) != 0;
  op.broadcast_w = bits(broadcast, 1, 1) != 0;
  op.broadcast_c = bits(broadcast, 2, 1) != 0;
  op.swap_operands = bits(broadcast, 6, 1) != 0;
  op.has_scalar = bits(broadcast, 7, 1) != 0;
  op.has_ifm2 = !op.has_scalar;
  op.ifm2.height = op.broadcast_h ? 1 : op.ofm.height;
  op.ifm2.width = op.broadcast_w ? 1 : op.ofm.width;
  op.ifm2.depth = op.broadcast_c ? 1 : op.ofm.depth;
  op.scalar = number(r.param(Code::SET_IFM2_SCALAR), op.ifm2.is_signed);
}

void decode_scaling(Operation& op, const RegisterFile& r) {
  const std::uint32_t ifm_precision = r.param(Code::SET_IFM_PRECISION);
  const std::uint32_t ofm_precision = r.param(Code::SET_OFM_PRECISION);
  op.ifm_scale_mode = static_cast<std::uint8_t>(bits(ifm_precision, 8, 2));
  op.ifm_rounding = static_cast<Rounding>(bits(ifm_precision, 14, 2));
  op.rounding = static_cast<Rounding>(bits(ofm_precision, 14, 2));
  op.global_scale = bits(ofm_precision, 8, 1) != 0;
  op.ofm_scale = {r.payload(Code::SET_OFM_SCALE), bits(r.param(Code::SET_OFM_SCALE), 0, 6)};
  op.opa_scale = {r.payload(Code::SET_OPA_SCALE), bits(r.param(Code::SET_OPA_SCALE), 0, 6)};
  op.opb_scale = r.payload(Code::SET_OPB_SCALE) & 0xFFFFu;
  const std::uint32_t activation = r.param(Code::SET_ACTIVATION);
  op.activation.function = static_cast<std::uint8_t>(bits(activation, 0, 5));
  op.activation.clip_range = static_cast<std::uint8_t>(bits(activation, 12, 3));
  op.activation.min = number(r.param(Code::SET_ACTIVATION_MIN), op.ofm.is_signed);
  op.activation.max = number(r.param(Code::SET_ACTIVATION_MAX), op.ofm.is_signed);
}

void decode_kernel_operation(Operation& op, const RegisterFile& r) {
  op.ofm = decode_map(r, kOfm, 1);
  op.ofm.height = r.param(Code::SET_OFM_HEIGHT_M1) + 1;
  op.ofm.width = r.param(Code::SET_OFM_WIDTH_M1) + 1;
  op.ofm.depth = r.param(Code::SET_OFM_DEPTH_M1) + 1;
  op.kernel = decode_kernel(r);
  op.upscale = static_cast<Upscale>(bits(r.param(Code::SET_IFM_UPSCALE), 0, 2));
  op.ifm = decode_map(r, kIfm, 2);
  derive_ifm(op, r);
  decode_second_operand(op, r);
  decode_scaling(op, r);
  if (op.uses_weights())
    op.weights = {static_cast<std::uint8_t>(r.param(Code::SET_WEIGHT_REGION) & 7u),
                  r.address(Code::SET_WEIGHT_BASE), r.payload(Code::SET_WEIGHT_LENGTH)};
  if (op.uses_scales())
    op.scales = {static_cast<std::uint8_t>(r.param(Code::SET_SCALE_REGION) & 7u),
                 r.address(Code::SET_SCALE_BASE), r.payload(Code::SET_SCALE_LENGTH) & 0xFFFFFu};
  op.block_height = bits(r.param(Code::SET_OFM_BLK_HEIGHT_M1), 0, 5) + 1;
  op.block_width = bits(r.param(Code::SET_OFM_BLK_WIDTH_M1), 0, 6) + 1;
  op.block_depth = bits(r.param(Code::SET_OFM_BLK_DEPTH_M1), 0, 7) + 1;
  op.ib_end = bits(r.param(Code::SET_IFM_IB_END), 0, 6);
  op.ab_start = bits(r.param(Code::SET_AB_START), 0, 6);
  op.ifm2_ib_start = bits(r.param(Code::SET_IFM2_IB_START), 0, 6);
  op.acc_format = static_cast<AccFormat>(bits(r.param(Code::SET_ACC_FORMAT), 0, 2));
  op.blockdep = bits(r.param(Code::SET_BLOCKDEP), 0, 2);
}

Dma decode_dma(const RegisterFile& r) {
  const std::uint32_t source = r.param(Code::SET_DMA0_SRC_REGION);
  const std::uint32_t destination = r.param(Code::SET_DMA0_DST_REGION);
  Dma dma;
  dma.source_region = static_cast<std::uint8_t>(bits(source, 0, 3));
  dma.source_internal = bits(source, 8, 1) != 0;
  dma.source_stride_mode = static_cast<std::uint8_t>(bits(source, 9, 2));
  dma.destination_region = static_cast<std::uint8_t>(bits(destination, 0, 3));
  dma.destination_internal = bits(destination, 8, 1) != 0;
  dma.destination_stride_mode = static_cast<std::uint8_t>(bits(destination, 9, 2));
  dma.source = r.address(Code::SET_DMA0_SRC);
  dma.destination = r.address(Code::SET_DMA0_DST);
  dma.length = r.address(Code::SET_DMA0_LEN);
  return dma;
}

std::optional<OperationKind> operation_kind(Code code) {
  switch (code) {
    case Code::OP_STOP:
      return OperationKind::Stop;
    case Code::OP_IRQ:
      return OperationKind::Irq;
    case Code::OP_CONV:
      return OperationKind::Conv;
    case Code::OP_DEPTHWISE:
      return OperationKind::Depthwise;
    case Code::OP_POOL:
      return OperationKind::Pool;
    case Code::OP_ELEMENTWISE:
      return OperationKind::Elementwise;
    case Code::OP_DMA_START:
      return OperationKind::DmaStart;
    case Code::OP_DMA_WAIT:
      return OperationKind::DmaWait;
    case Code::OP_KERNEL_WAIT:
      return OperationKind::KernelWait;
    case Code::OP_PMU_MASK:
      return OperationKind::PmuMask;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view to_string(OperationKind kind) {
  constexpr std::string_view kNames[] = {"stop",        "irq",       "conv",     "depthwise",   "pool",
                                         "elementwise", "dma_start", "dma_wait", "kernel_wait", "pmu_mask"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::int64_t FeatureMap::address(std::uint32_t y, std::uint32_t x, std::uint32_t c) const {
  std::size_t tile = 0;
  if (x >= width0) {
    x -= width0;
    tile = y >= height1 ? 3 : 1;
    if (tile == 3) y -= height1;
  } else if (y >= height0) {
    tile = 2;
    y -= height0;
  }
  // Unsigned: strides are 40 bits and coordinates 17, so hostile products stay below 2^58; sums may wrap.
  auto at = static_cast<std::uint64_t>(base[tile]) +
            static_cast<std::uint64_t>(static_cast<std::int64_t>(y) * stride_y);
  if (layout == Layout::Nhwc)
    at += static_cast<std::uint64_t>(static_cast<std::int64_t>(x) * stride_x) +
          std::uint64_t{c} * element_bytes();
  else
    at += std::uint64_t{x} * 16u * element_bytes() +
          static_cast<std::uint64_t>(static_cast<std::int64_t>(c / 16u) * stride_c) +
          std::uint64_t{c % 16u} * element_bytes();
  return static_cast<std::int64_t>(at);
}

std::size_t RegisterFile::slot(Code code) {
  const auto value = static_cast<std::size_t>(code);
  return value < 0x400 ? value - 0x100 : 0x90 + (value - 0x400);
}

void RegisterFile::write(const Command& command) {
  writes_[slot(command.kind->code)] = {static_cast<std::uint32_t>(command.word), command.param(),
                                       command.word1};
}

std::uint64_t RegisterFile::address(Code code) const {
  const RegisterWrite& write = (*this)[code];
  return (static_cast<std::uint64_t>(write.param & 0xFFu) << 32) | write.payload;
}

std::int64_t RegisterFile::signed_address(Code code) const {
  return static_cast<std::int64_t>(address(code) << 24) >> 24;
}

Operation decode_operation(const RegisterFile& registers, const Command& command) {
  Operation op;
  op.kind = operation_kind(command.kind->code).value_or(OperationKind::Stop);
  op.word = command.word;
  op.param = command.param();
  switch (op.kind) {
    case OperationKind::Pool:
      op.pooling = static_cast<PoolingMode>(bits(op.param, 0, 3));
      break;
    case OperationKind::Elementwise:
      op.elementwise = static_cast<ElementwiseMode>(bits(op.param, 0, 6));
      break;
    case OperationKind::DmaStart:
      op.dma = decode_dma(registers);
      break;
    case OperationKind::DmaWait:
      op.wait = bits(op.param, 0, 4);
      break;
    case OperationKind::KernelWait:
      op.wait = bits(op.param, 0, 2);
      break;
    default:
      break;
  }
  if (is_kernel(op.kind)) decode_kernel_operation(op, registers);
  return op;
}

std::optional<Operation> OperationReader::next() {
  writes_ = 0;
  while (position_ < words_.size()) {
    const Command command = decode_command(words_, position_);
    position_ += command.words;
    if (command.kind == nullptr || command.truncated) continue;
    if (!command.kind->is_operation()) {
      registers_.write(command);
      ++writes_;
      continue;
    }
    Operation op = decode_operation(registers_, command);
    op.index = count_++;
    return op;
  }
  return std::nullopt;
}

}  // namespace npubin::ethosu
