#include "ethosu/machine/step.h"

#include <fmt/format.h>

#include "npubin/bytes.h"

namespace npubin::ethosu {
namespace {

bool same_places(const FeatureMap& a, const FeatureMap& b) {
  return a.base == b.base && a.stride_x == b.stride_x && a.stride_y == b.stride_y &&
         a.stride_c == b.stride_c && a.width0 == b.width0 && a.height0 == b.height0 &&
         a.height1 == b.height1 && a.height == b.height && a.width == b.width && a.depth == b.depth &&
         a.element_bits == b.element_bits && a.layout == b.layout;
}

// An operation reads its whole input before it writes, as far as this model is concerned. Element-wise ones
// may run in place.
void protect(MapReader& input, const MapWriter& output, bool elementwise) {
  const FeatureMap& ofm = output.map();
  if (input.base() != output.base() || !address_range(input.map()).overlaps(address_range(ofm))) return;
  if (elementwise && same_places(input.map(), ofm)) return;
  input.snapshot();
}

}  // namespace

Result<Step> Step::prepare(const Operation& operation, Memory& memory, Accelerator accelerator, int threads,
                           bool reference) {
  const bool elementwise = operation.kind == OperationKind::Elementwise;
  FeatureMap ifm = operation.ifm;
  // One input channel per output channel, whatever IFM_DEPTH says.
  if (operation.kind == OperationKind::Depthwise ||
      (operation.kind == OperationKind::Pool && operation.pooling != PoolingMode::ReduceSum))
    ifm.depth = operation.ofm.depth;
  NPUBIN_TRY(MapReader input, MapReader::create(ifm, memory, "IFM"));
  NPUBIN_TRY(MapWriter output, MapWriter::create(operation.ofm, memory));
  NPUBIN_TRY(OutputStage stage, OutputStage::create(operation, memory, accelerator));
  MapReader second;
  if (operation.has_ifm2) {
    NPUBIN_TRY(second, MapReader::create(operation.ifm2, memory, "IFM2"));
    protect(second, output, elementwise);
  }
  protect(input, output, elementwise);
  return Step{operation,       memory,           accelerator,       threads,
              reference,       std::move(input), std::move(second), std::move(output),
              std::move(stage)};
}

Result<ChannelScales> ChannelScales::read(const Operation& operation, const Memory& memory) {
  constexpr std::size_t kRecord = 10;
  const std::size_t channels = operation.ofm.depth;
  if (operation.scales.length < channels * kRecord)
    return malformed({},
                     fmt::format("{} bytes of scales are too few for {} output channels, which take {}",
                                 operation.scales.length, channels, channels * kRecord),
                     "", "ETU-5005");
  NPUBIN_TRY(const ByteSpan records, memory.read(operation.scales.region, operation.scales.address,
                                                 channels * kRecord, "the scale table"));
  ChannelScales out;
  out.bias.reserve(channels);
  out.scaling.reserve(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::byte* record = records.data() + c * kRecord;
    const std::uint64_t low = load<std::uint32_t>(record);
    const std::uint64_t high = static_cast<std::uint8_t>(record[4]);
    out.bias.push_back(static_cast<std::int64_t>((high << 32 | low) << 24) >> 24);
    out.scaling.push_back(
        {load<std::uint32_t>(record + 5), static_cast<std::uint32_t>(record[9]) & 63u, operation.rounding});
  }
  return out;
}

std::uint64_t work_of(const Operation& operation) {
  const FeatureMap& ofm = operation.ofm;
  const std::uint64_t outputs = std::uint64_t{ofm.height} * ofm.width * ofm.depth;  // below 2^51
  const std::uint64_t taps = std::uint64_t{operation.kernel.height} * operation.kernel.width;
  const auto product = [](std::uint64_t a, std::uint64_t b) {
    return checked_mul(a, b).value_or(UINT64_MAX);
  };
  switch (operation.kind) {
    case OperationKind::Conv:
      return product(product(outputs, taps), operation.ifm.depth);
    case OperationKind::Depthwise:
      return product(outputs, taps);
    case OperationKind::Pool:
      return product(product(outputs, taps),
                     operation.pooling == PoolingMode::ReduceSum ? operation.ifm.depth : 1);
    case OperationKind::Elementwise:
      return outputs;
    default:
      return 0;
  }
}

}  // namespace npubin::ethosu
