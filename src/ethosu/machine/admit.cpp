// What the machine refuses: modes that no stream has shown, and values without a meaning (ethos-u55 spec 6).
#include <fmt/format.h>

#include "ethosu/machine/input_rows.h"
#include "ethosu/machine/machine.h"

namespace npubin::ethosu {
namespace {

Unexpected unknown(std::string what, std::string why = {}) {
  return refused(std::move(what), std::move(why), {}, "ETU-5010");
}

Result<void> admit_map(const FeatureMap& map, std::uint32_t precision, std::string_view name) {
  if (map.element_bits == 64) return unknown(fmt::format("the {} has 64-bit elements", name));
  if ((precision >> 6 & 3) > 1) return unknown(fmt::format("the {} has layout {}", name, precision >> 6 & 3));
  if (map.height == 0 || map.width == 0 || map.depth == 0)
    return unknown(fmt::format("the {} has {} x {} x {} elements", name, map.height, map.width, map.depth),
                   "the padding takes up the whole input");
  return {};
}

Result<void> admit_rounding(Rounding rounding, std::string_view name) {
  if (rounding == Rounding::Truncate)
    return unknown(fmt::format("{} rounding by truncation", name), "no stream has shown how it works");
  if (static_cast<unsigned>(rounding) > 2)
    return unknown(fmt::format("{} rounding mode {}", name, static_cast<unsigned>(rounding)));
  return {};
}

Result<void> admit_dma(const Dma& dma) {
  if (dma.source_stride_mode != 0 || dma.destination_stride_mode != 0)
    return unknown("a DMA in two or three dimensions", "no stream has shown how it works");
  if (dma.source_internal)
    return unknown("a DMA that reads SHRAM", "what it holds besides tables is not modelled");
  return {};
}

Result<void> admit_elementwise(const Operation& operation, const RegisterFile& registers) {
  const auto mode = static_cast<unsigned>(operation.elementwise);
  if (mode > 9) return unknown(fmt::format("ELEMENTWISE mode {}", mode));
  if (operation.upscale != Upscale::None) return unknown("an upscaled ELEMENTWISE");
  if (operation.has_ifm2)
    NPUBIN_CHECK(admit_map(operation.ifm2, registers.param(Code::SET_IFM2_PRECISION), "IFM2"));
  if (!is_unary(operation.elementwise) && operation.ifm2.element_bits != operation.ifm.element_bits)
    return unknown(fmt::format("ELEMENTWISE on {}-bit and {}-bit operands", operation.ifm.element_bits,
                               operation.ifm2.element_bits));
  if (operation.ifm_scale_mode > 2)
    return unknown(fmt::format("IFM scale mode {}", operation.ifm_scale_mode));
  const bool wide = operation.elementwise == ElementwiseMode::Clz ||
                    operation.elementwise == ElementwiseMode::Shr ||
                    operation.elementwise == ElementwiseMode::Shl;
  if (wide && operation.ifm.element_bits != 32)
    return unknown(fmt::format("{} on {}-bit elements", describe(operation), operation.ifm.element_bits),
                   "CLZ, SHR and SHL are known for 32 bits");
  return {};
}

// CONV, DEPTHWISE, POOL: a window over the input.
Result<void> admit_window(const Operation& operation) {
  const Kernel& kernel = operation.kernel;
  if (kernel.decomposed_4x4) return unknown("kernel decomposition 4x4", "no stream has shown how it works");
  if (kernel.width_m1 % kernel.dilation_x != 0 || kernel.height_m1 % kernel.dilation_y != 0)
    return unknown(
        fmt::format("a dilated kernel that reaches over {} x {}", kernel.height_m1 + 1, kernel.width_m1 + 1));
  if (std::uint64_t{kernel.height} * kernel.width > 65536)
    return unknown(fmt::format("a kernel of {} x {}", kernel.height, kernel.width),
                   "at most 65536 taps are executed");
  if (static_cast<unsigned>(operation.upscale) > 2)
    return unknown(fmt::format("upscaling mode {}", static_cast<unsigned>(operation.upscale)));
  if (operation.kind == OperationKind::Pool) {
    if (static_cast<unsigned>(operation.pooling) > 2)
      return unknown(fmt::format("POOL mode {}", static_cast<unsigned>(operation.pooling)));
    return {};
  }
  if (operation.ifm.element_bits > 16)
    return unknown(fmt::format("{} of {}-bit elements", describe(operation), operation.ifm.element_bits));
  if (operation.global_scale)
    return unknown(fmt::format("{} with the global scale", describe(operation)),
                   "whether the channels' biases still count is not known");
  if (operation.acc_format == AccFormat::F16 || static_cast<unsigned>(operation.acc_format) > 2)
    return unknown(fmt::format("accumulator format {}", static_cast<unsigned>(operation.acc_format)));
  return {};
}

}  // namespace

Result<void> admit(const Operation& operation, const RegisterFile& registers) {
  if (operation.kind == OperationKind::Irq) return unknown("IRQ", "no stream has shown what follows it");
  if (operation.kind == OperationKind::Stop && operation.param != 0xFFFF)
    return unknown(fmt::format("STOP with mask {:#x}", operation.param),
                   "the end of a stream is mask 0xffff");
  if (operation.kind == OperationKind::DmaStart) return admit_dma(operation.dma);
  if (!is_kernel(operation.kind)) return {};
  NPUBIN_CHECK(admit_map(operation.ifm, registers.param(Code::SET_IFM_PRECISION), "IFM"));
  NPUBIN_CHECK(admit_map(operation.ofm, registers.param(Code::SET_OFM_PRECISION), "OFM"));
  NPUBIN_CHECK(admit_rounding(operation.rounding, "OFM"));
  if (operation.ifm_rounding != Rounding::Double)
    return unknown(fmt::format("IFM rounding mode {}", static_cast<unsigned>(operation.ifm_rounding)));
  const unsigned clip = operation.activation.clip_range;
  if (clip == 1 || clip == 4 || clip > 5) return unknown(fmt::format("activation clip range {}", clip));
  return operation.kind == OperationKind::Elementwise ? admit_elementwise(operation, registers)
                                                      : admit_window(operation);
}

}  // namespace npubin::ethosu
