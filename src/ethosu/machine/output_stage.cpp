#include "ethosu/machine/output_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "npubin/bytes.h"

namespace npubin::ethosu {
namespace {

struct ClipRange {
  std::int32_t minimum, maximum;
};

// By ACTIVATION bits 14:12 and the OFM's type.
ClipRange clip_range(const Operation& operation) {
  switch (operation.activation.clip_range) {
    case 2:
      return {0, 255};
    case 3:
      return {-128, 127};
    case 5:
      return {-32768, 32767};
    default:
      break;
  }
  if (operation.ofm.element_bits == 8)
    return operation.ofm.is_signed ? ClipRange{-128, 127} : ClipRange{0, 255};
  if (operation.ofm.element_bits == 16)
    return operation.ofm.is_signed ? ClipRange{-32768, 32767} : ClipRange{0, 65535};
  return {INT32_MIN, INT32_MAX};
}

}  // namespace

Result<OutputStage> OutputStage::create(const Operation& operation, const Memory& memory,
                                        Accelerator accelerator) {
  OutputStage stage;
  const Activation& activation = operation.activation;
  stage.zero_point_ = operation.ofm.zero_point;
  const ClipRange clip = clip_range(operation);
  stage.minimum_ = std::max(activation.min, clip.minimum);
  stage.maximum_ = std::min(activation.max, clip.maximum);
  if (activation.function == 0) {
    stage.kind_ = operation.ofm.element_bits == 32 ? Kind::Raw : Kind::Clamp;
  } else if (activation.function == 3 || activation.function == 4) {
    if (operation.ofm.element_bits != 16 || !operation.ofm.is_signed)
      return refused(
          fmt::format("TANH and SIGMOID are known for signed 16-bit OFMs only, this one has {} bits",
                      operation.ofm.element_bits),
          "", {}, "ETU-5012");
    stage.kind_ = activation.function == 3 ? Kind::Tanh : Kind::Sigmoid;
  } else if (activation.uses_table()) {
    NPUBIN_CHECK(stage.load_table(operation, memory, accelerator));
  } else {
    return refused(fmt::format("activation function {} is not known", activation.function), "", {},
                   "ETU-5012");
  }
  if (stage.kind_ != Kind::Raw && stage.minimum_ > stage.maximum_)
    return refused(
        fmt::format("the clamp {}..{} is empty for an OFM of this type", activation.min, activation.max), "",
        {}, "ETU-5012");
  return stage;
}

Result<void> OutputStage::load_table(const Operation& operation, const Memory& memory,
                                     Accelerator accelerator) {
  const Configuration& hardware = configuration(accelerator);
  const std::uint32_t at = hardware.table_base + operation.activation.table() * 256;
  const std::uint32_t bits = operation.ofm.element_bits;
  const std::uint32_t entries = bits == 16 ? 512 : 256, entry_bytes = bits == 8 ? 1 : 4;
  if (at + entries * entry_bytes > hardware.shram_bytes)
    return malformed({},
                     fmt::format("table {} of {} bytes at {:#x} ends beyond the {:#x} bytes of SHRAM of {}",
                                 operation.activation.table(), entries * entry_bytes, at,
                                 hardware.shram_bytes, hardware.name),
                     "", "ETU-5004");
  // The index is the clamped value, so the clamp must be that of the table.
  const bool indexed_as_signed = operation.activation.clip_range == 3 ||
                                 operation.activation.clip_range == 5 ||
                                 (operation.activation.clip_range == 0 && operation.ofm.is_signed);
  if ((bits == 16 && !operation.ofm.is_signed) ||
      minimum_ < (indexed_as_signed ? -128 : 0) * (bits == 16 ? 256 : 1) ||
      maximum_ > (bits == 16          ? 32767
                  : indexed_as_signed ? 127
                                      : 255))
    return refused(
        fmt::format("a table is looked up by values {}..{} of a {}-bit OFM", minimum_, maximum_, bits),
        "known are 8-bit indices, and signed 16-bit ones for a 16-bit OFM", {}, "ETU-5012");
  kind_ = bits == 16 ? Kind::Interpolated : Kind::Table;
  table_origin_ = indexed_as_signed ? -128 : 0;
  const std::byte* from = memory.shram().data() + at;
  table_.resize(entries);
  for (std::uint32_t i = 0; i < entries; ++i)
    table_[i] =
        entry_bytes == 4 ? load<std::int32_t>(from + std::size_t{4} * i) : static_cast<std::uint8_t>(from[i]);
  return {};
}

}  // namespace npubin::ethosu
