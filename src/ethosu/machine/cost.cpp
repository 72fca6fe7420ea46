#include "ethosu/machine/cost.h"

#include <algorithm>
#include <numeric>

#include "ethosu/describe_operation.h"
#include "ethosu/machine/step.h"
#include "ethosu/weight_stream.h"
#include "ethosu/weights/geometry.h"
#include "ethosu/weights/order.h"

namespace npubin::ethosu {
namespace {

struct MicroBlock {
  std::uint32_t height, width, depth;
};
MicroBlock micro_block(Accelerator accelerator) {
  switch (accelerator) {
    case Accelerator::U55_32:
      return {1, 1, 4};
    case Accelerator::U55_64:
      return {1, 1, 8};
    case Accelerator::U55_128:
      return {1, 2, 8};
    case Accelerator::U55_256:
      return {2, 2, 8};
  }
  return {2, 2, 8};
}

// Micro-blocks along one direction, block by block: the last block and the last micro-block are partly idle.
std::uint64_t micro_blocks(std::uint64_t extent, std::uint64_t block, std::uint64_t micro) {
  block = std::max<std::uint64_t>(block, 1);
  const auto up = [micro](std::uint64_t size) { return (size + micro - 1) / micro; };
  return extent / block * up(block) + up(extent % block);
}

std::uint64_t window_cycles(const Operation& operation, Accelerator accelerator) {
  const MicroBlock micro = micro_block(accelerator);
  const std::uint64_t outputs = micro_blocks(operation.ofm.height, operation.block_height, micro.height) *
                                micro_blocks(operation.ofm.width, operation.block_width, micro.width) *
                                micro_blocks(operation.ofm.depth, operation.block_depth, micro.depth);
  if (operation.kind == OperationKind::Conv || operation.kind == OperationKind::Depthwise) {
    // Steps of the weight stream for one micro-block of outputs: the stream of one such block.
    WeightGeometry geometry = weight_geometry(operation, accelerator);
    geometry.ofm_depth = micro.depth;
    geometry.ofm_block_depth = micro.depth;
    const std::uint64_t inputs = geometry.depthwise ? 1 : kInputMicroBlock;
    return outputs * (stream_elements(geometry).value_or(0) / micro.depth / inputs);
  }
  const std::uint64_t taps = std::uint64_t{operation.kernel.height} * operation.kernel.width;
  const std::uint64_t inputs = operation.pooling == PoolingMode::ReduceSum
                                   ? (operation.ifm.depth + kInputMicroBlock - 1) / kInputMicroBlock
                                   : 1;
  return outputs * taps * inputs;
}

std::uint64_t bytes_of(const FeatureMap& map) {
  return std::uint64_t{map.height} * map.width * map.depth * map.element_bytes();
}

}  // namespace

std::uint64_t OperationCost::all_read() const {
  return std::accumulate(read.begin(), read.end(), std::uint64_t{0});
}

std::uint64_t OperationCost::all_written() const {
  return std::accumulate(written.begin(), written.end(), std::uint64_t{0});
}

OperationCost estimate(const Operation& operation, Accelerator accelerator) {
  OperationCost cost;
  if (operation.kind == OperationKind::DmaStart) {
    cost.read[operation.dma.source_internal ? 8 : operation.dma.source_region] = operation.dma.length;
    cost.written[operation.dma.destination_internal ? 8 : operation.dma.destination_region] =
        operation.dma.length;
    return cost;
  }
  if (!is_kernel(operation.kind)) return cost;
  cost.macs = mac_count(operation);
  cost.work = work_of(operation);
  cost.read[operation.ifm.region] += bytes_of(operation.ifm);
  if (operation.has_ifm2) cost.read[operation.ifm2.region] += bytes_of(operation.ifm2);
  if (operation.uses_weights()) cost.read[operation.weights.region] += operation.weights.length;
  if (operation.uses_scales()) cost.read[operation.scales.region] += operation.scales.length;
  cost.written[operation.ofm.region] += bytes_of(operation.ofm);
  if (operation.kind == OperationKind::Elementwise) {
    const std::uint64_t lanes =
        std::max<std::uint64_t>(output_micro_block(accelerator) * 8 / operation.ifm.element_bits, 1);
    cost.cycles = (cost.work + lanes - 1) / lanes;
    cost.utilisation =
        cost.cycles == 0 ? 0 : static_cast<double>(cost.work) / static_cast<double>(cost.cycles * lanes);
    return cost;
  }
  cost.cycles = window_cycles(operation, accelerator);
  const auto offered = static_cast<double>(cost.cycles) * static_cast<double>(accelerator);
  cost.utilisation = cost.cycles == 0 ? 0 : std::min(1.0, static_cast<double>(cost.work) / offered);
  return cost;
}

}  // namespace npubin::ethosu
