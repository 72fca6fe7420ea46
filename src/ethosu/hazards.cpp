#include "ethosu/hazards.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/block_dependency.h"

namespace npubin::ethosu {
namespace {

constexpr std::size_t kKernelQueue = 2;
constexpr std::size_t kTransferQueue = 1;

template <class T>
void keep_newest(std::vector<T>& queue, std::size_t count) {
  if (queue.size() > count) queue.erase(queue.begin(), queue.end() - static_cast<std::ptrdiff_t>(count));
}

std::string space_name(std::uint8_t space) {
  return space == kShramSpace ? "SHRAM" : fmt::format("region {}", space);
}

}  // namespace

Hazards::Unfinished Hazards::kernel_accesses(const Operation& op) const {
  Unfinished out{op.word, {}};
  auto add_map = [&out](const FeatureMap& map, bool write, const char* name) {
    const MapExtents used = extents(map);
    for (std::size_t i = 0; i < used.count; ++i) out.accesses.push_back({used.tiles[i], write, name});
  };
  add_map(op.ifm, false, "IFM");
  if (op.has_ifm2) add_map(op.ifm2, false, "IFM2");
  if (op.uses_weights()) out.accesses.push_back({extent(op.weights), false, "weights"});
  if (op.uses_scales()) out.accesses.push_back({extent(op.scales), false, "scales"});
  if (const auto table = table_extent(op, context_.job.accelerator.value_or(Accelerator::U55_256)))
    out.accesses.push_back({*table, false, "table"});
  add_map(op.ofm, true, "OFM");
  return out;
}

Hazards::Unfinished Hazards::dma_accesses(const Operation& op) {
  return {op.word,
          {{source_extent(op.dma), false, "the transfer's source"},
           {destination_extent(op.dma), true, "the transfer's destination"}}};
}

void Hazards::compare(const Operation& op, const Unfinished& now, const std::vector<Unfinished>& earlier,
                      bool earlier_is_dma) {
  for (const Unfinished& other : earlier)
    for (const Access& a : now.accesses)
      for (const Access& b : other.accesses) {
        if ((!a.write && !b.write) || !a.extent.overlaps(b.extent)) continue;
        context_.error(
            op, earlier_is_dma ? (a.write ? "ETU-0602" : "ETU-0601") : (a.write ? "ETU-0603" : "ETU-0604"),
            fmt::format("{} ({}, {}..{}) {} what the {} at word {} may still {} ({}..{})", a.name,
                        space_name(a.extent.space), a.extent.begin, a.extent.end,
                        a.write ? "overwrites" : "reads", earlier_is_dma ? "transfer" : "kernel", other.word,
                        b.write ? "write" : "read", b.extent.begin, b.extent.end),
            earlier_is_dma ? "a DMA_WAIT is missing before it, or allows too many"
                           : "a KERNEL_WAIT is missing before it, or allows too many");
        return;
      }
}

void Hazards::check_block_dependency(const Operation& op) {
  // What a map with overlapping tiles leaves where is reported already, and not to be reasoned about.
  if (!previous_ || tiles_overlap(previous_->ofm)) return;
  const auto allowed = safe_block_dependency(*previous_, op);
  if (op.blockdep <= allowed) return;
  context_.error(op, "ETU-0605",
                 fmt::format("BLOCKDEP {} lets the kernel read blocks that the kernel at word {} has not "
                             "written yet; at most {} is "
                             "safe{}",
                             op.blockdep, previous_->word, allowed, context_.written_at(Code::SET_BLOCKDEP)));
}

void Hazards::step(const Operation& op) {
  if (op.kind == OperationKind::DmaWait) keep_newest(transfers_, op.wait);
  if (op.kind == OperationKind::KernelWait) {
    keep_newest(kernels_, op.wait);
    if (op.wait == 0) previous_.reset();
  }
  if (op.kind == OperationKind::DmaStart) {
    Unfinished now = dma_accesses(op);
    compare(op, now, kernels_, false);
    transfers_.push_back(std::move(now));
    keep_newest(transfers_, kTransferQueue);
  }
  if (!is_kernel(op.kind)) return;
  Unfinished now = kernel_accesses(op);
  compare(op, now, transfers_, true);
  check_block_dependency(op);
  kernels_.push_back(std::move(now));
  keep_newest(kernels_, kKernelQueue);
  previous_ = op;
}

}  // namespace npubin::ethosu
