#include "ethosu/machine/memory_check.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace npubin::ethosu {
namespace {

// Calls visit(first byte, one past the last) for each contiguous piece of a map that lies in memory.
template <class Visit>
void for_each_piece(const FeatureMap& map, Visit&& visit) {
  const std::uint32_t step = map.layout == Layout::Nhwc ? map.depth : 16;
  for (std::uint32_t y = 0; y < map.height; ++y)
    for (std::uint32_t x = 0; x < map.width; ++x)
      for (std::uint32_t c = 0; c < map.depth; c += step) {
        const std::int64_t at = map.address(y, x, c);
        visit(at, at + std::int64_t{std::min(step, map.depth - c)} * map.element_bytes());
      }
}

bool same_elements(const FeatureMap& a, const FeatureMap& b) {
  return a.base == b.base && a.stride_x == b.stride_x && a.stride_y == b.stride_y &&
         a.stride_c == b.stride_c && a.element_bits == b.element_bits && a.layout == b.layout &&
         a.width0 == b.width0 && a.height0 == b.height0 && a.height1 == b.height1;
}

}  // namespace

MemoryCheck::MemoryCheck(const Memory& memory, std::span<const Region> regions, Accelerator accelerator,
                         std::uint64_t stream_offset, Diagnostics& out)
    : accelerator_(accelerator), stream_offset_(stream_offset), out_(out) {
  for (std::uint32_t i = 0; i < kRegionCount; ++i)
    written_[i].resize(static_cast<std::size_t>(memory.size(i)));
  written_[kShramSpace].resize(kShramBytes);
  for (const Region& region : regions)
    if (region.index < kRegionCount && region.initial.size() != 0)
      written_[region.index].assign(written_[region.index].size(), true);
}

void MemoryCheck::written(std::uint32_t region, std::uint64_t offset, std::uint64_t size) {
  mark({static_cast<std::uint8_t>(region), static_cast<std::int64_t>(offset),
        static_cast<std::int64_t>(offset + size)});
}

Location MemoryCheck::place(const Operation& operation) const {
  Location where = Location::at(stream_offset_ + 4 * std::uint64_t{operation.word});
  where.word_offset = operation.word;
  return where;
}

void MemoryCheck::mark(const Extent& extent) {
  auto& bits = written_[extent.space];
  const auto end = std::min(extent.end, static_cast<std::int64_t>(bits.size()));
  for (std::int64_t i = std::max<std::int64_t>(extent.begin, 0); i < end; ++i)
    bits[static_cast<std::size_t>(i)] = true;
}

void MemoryCheck::mark_map(const FeatureMap& map) {
  for_each_piece(map, [&](std::int64_t begin, std::int64_t end) { mark({map.region, begin, end}); });
}

void MemoryCheck::read(const Operation& operation, const Extent& extent, std::string_view what,
                       std::string_view code) {
  const auto& bits = written_[extent.space];
  const auto end = std::min(extent.end, static_cast<std::int64_t>(bits.size()));
  for (std::int64_t i = std::max<std::int64_t>(extent.begin, 0); i < end; ++i) {
    if (bits[static_cast<std::size_t>(i)]) continue;
    const std::string space = extent.space == kShramSpace ? "SHRAM" : fmt::format("region {}", extent.space);
    out_.warn(
        std::string(code), place(operation),
        fmt::format("operation {} ({}) reads {} at {:#x}..{:#x} of {}, of which byte {:#x} was never written",
                    operation.index, describe(operation), what, extent.begin, extent.end, space, i),
        "an operation or a DMA before it is missing, or an address is wrong");
    return;
  }
}

void MemoryCheck::read_map(const Operation& operation, const FeatureMap& map, std::string_view what) {
  const auto& bits = written_[map.region];
  std::optional<std::int64_t> first;
  std::uint64_t count = 0;
  for_each_piece(map, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = std::max<std::int64_t>(begin, 0);
         i < std::min(end, static_cast<std::int64_t>(bits.size())); ++i) {
      if (bits[static_cast<std::size_t>(i)]) continue;
      if (!first) first = i;
      ++count;
    }
  });
  if (!first) return;
  out_.warn(
      "ETU-5101", place(operation),
      fmt::format("operation {} ({}) reads {} bytes of its {} that were never written, the first at {:#x} of "
                  "region {}",
                  operation.index, describe(operation), count, what, *first, map.region),
      "an input was not given, or an operation or a DMA before it is missing");
}

void MemoryCheck::overlap(const Operation& operation, const FeatureMap& input, std::string_view what) {
  if (input.region != operation.ofm.region || same_elements(input, operation.ofm)) return;
  const MapExtents a = extents(input), b = extents(operation.ofm);
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t j = 0; j < b.count; ++j) {
      if (!a.tiles[i].overlaps(b.tiles[j])) continue;
      out_.warn(
          "ETU-5102", place(operation),
          fmt::format(
              "operation {} ({}): its {} at {:#x}..{:#x} and its OFM at {:#x}..{:#x} of region {} overlap",
              operation.index, describe(operation), what, a.tiles[i].begin, a.tiles[i].end, b.tiles[j].begin,
              b.tiles[j].end, input.region),
          "the hardware works block by block and may read what it has overwritten; this model reads "
          "everything "
          "first");
      return;
    }
}

Result<void> MemoryCheck::before(const Operation& operation, const Memory&) {
  if (operation.kind == OperationKind::DmaStart) {
    read(operation, source_extent(operation.dma), "its source", "ETU-5101");
    return {};
  }
  read_map(operation, operation.ifm, "IFM");
  overlap(operation, operation.ifm, "IFM");
  if (operation.has_ifm2) {
    read_map(operation, operation.ifm2, "IFM2");
    overlap(operation, operation.ifm2, "IFM2");
  }
  if (operation.uses_weights()) read(operation, extent(operation.weights), "weights", "ETU-5101");
  if (operation.uses_scales()) read(operation, extent(operation.scales), "scales", "ETU-5101");
  if (const auto table = table_extent(operation, accelerator_))
    read(operation, *table, "a table", "ETU-5103");
  return {};
}

Result<void> MemoryCheck::after(const Operation& operation, const Memory&) {
  if (operation.kind == OperationKind::DmaStart)
    mark(destination_extent(operation.dma));
  else
    mark_map(operation.ofm);
  return {};
}

}  // namespace npubin::ethosu
