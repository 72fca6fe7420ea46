#include "ethosu/extent.h"

#include <algorithm>

#include "ethosu/accelerator.h"

namespace npubin::ethosu {
namespace {

// Products of 40-bit strides and 17-bit coordinates stay below 2^58: nothing here can overflow.
struct Range {
  std::int64_t low = 0, high = 0;

  void add_steps(std::uint32_t first, std::uint32_t last, std::int64_t stride) {
    const std::int64_t a = static_cast<std::int64_t>(first) * stride,
                       b = static_cast<std::int64_t>(last) * stride;
    low += std::min(a, b);
    high += std::max(a, b);
  }
};

// Offsets of a box, local to a tile, from the tile's base; `high` is exclusive.
Range offsets(const FeatureMap& map, const Box& box) {
  Range out;
  out.add_steps(box.y0, box.y1 - 1, map.stride_y);
  const auto bytes = static_cast<std::int64_t>(map.element_bytes());
  if (map.layout == Layout::Nhwc) {
    out.add_steps(box.x0, box.x1 - 1, map.stride_x);
    out.low += box.c0 * bytes;
    out.high += box.c1 * bytes;
    return out;
  }
  out.add_steps(box.x0, box.x1 - 1, 16 * bytes);
  const std::uint32_t first_brick = box.c0 / 16, last_brick = (box.c1 - 1) / 16;
  out.add_steps(first_brick, last_brick, map.stride_c);
  // Inside one brick the box is exact; several bricks are taken whole but for the last one's end.
  out.low += first_brick == last_brick ? (box.c0 % 16) * bytes : 0;
  out.high += first_brick == last_brick || map.stride_c >= 0 ? ((box.c1 - 1) % 16 + 1) * bytes : 16 * bytes;
  return out;
}

void add_tile(MapExtents& out, const FeatureMap& map, std::size_t tile, const Box& box) {
  if (box.y0 >= box.y1 || box.x0 >= box.x1 || box.c0 >= box.c1) return;
  const Range range = offsets(map, box);
  const auto base = static_cast<std::int64_t>(map.base[tile]);
  out.add({map.region, base + range.low, base + range.high});
}

}  // namespace

Extent MapExtents::hull() const {
  if (count == 0) return {};
  Extent out = tiles[0];
  for (std::size_t i = 1; i < count; ++i) {
    out.begin = std::min(out.begin, tiles[i].begin);
    out.end = std::max(out.end, tiles[i].end);
  }
  return out;
}

MapExtents extents(const FeatureMap& map) {
  return extents(map, {0, map.height, 0, map.width, 0, map.depth});
}

MapExtents extents(const FeatureMap& map, Box box) {
  box.y1 = std::min(box.y1, map.height);
  box.x1 = std::min(box.x1, map.width);
  box.c1 = std::min(box.c1, map.depth);
  MapExtents out;
  // Columns left of WIDTH0 split at HEIGHT0, those right of it at HEIGHT1 (ethos-u55 spec 3).
  for (const bool right : {false, true}) {
    const std::uint32_t split = right ? map.height1 : map.height0;
    Box part = box;
    if (right) {
      if (box.x1 <= map.width0) break;
      part.x0 = std::max(box.x0, map.width0) - map.width0;
      part.x1 = box.x1 - map.width0;
    } else {
      part.x1 = std::min(box.x1, map.width0);
    }
    Box upper = part, lower = part;
    upper.y1 = std::min(box.y1, split);
    add_tile(out, map, right ? 1 : 0, upper);
    if (box.y1 <= split) continue;
    lower.y0 = std::max(box.y0, split) - split;
    lower.y1 = box.y1 - split;
    add_tile(out, map, right ? 3 : 2, lower);
  }
  return out;
}

bool tiles_overlap(const FeatureMap& map) {
  const MapExtents used = extents(map);
  for (std::size_t i = 0; i < used.count; ++i)
    for (std::size_t j = i + 1; j < used.count; ++j)
      // Tiles left and right of WIDTH0 may interleave row by row; those above each other may not.
      if (used.tiles[i].overlaps(used.tiles[j]) && map.width <= map.width0) return true;
  return false;
}

Extent extent(const Stream& stream) {
  const auto begin = static_cast<std::int64_t>(stream.address);
  return {stream.region, begin, begin + stream.length};
}

Extent source_extent(const Dma& dma) {
  const auto begin = static_cast<std::int64_t>(dma.source);
  return {dma.source_internal ? kShramSpace : dma.source_region, begin,
          begin + static_cast<std::int64_t>(dma.length)};
}

Extent destination_extent(const Dma& dma) {
  const auto begin = static_cast<std::int64_t>(dma.destination);
  return {dma.destination_internal ? kShramSpace : dma.destination_region, begin,
          begin + static_cast<std::int64_t>(dma.length)};
}

std::optional<Extent> table_extent(const Operation& op, Accelerator accelerator) {
  if (!is_kernel(op.kind) || !op.activation.uses_table()) return std::nullopt;
  // 8 bit: 256 bytes; 16 bit: 512 u32; 32 bit: 256 s32 (ethos-u55 spec 4).
  const std::int64_t bytes = op.ofm.element_bits == 8 ? 256 : op.ofm.element_bits == 16 ? 2048 : 1024;
  const std::int64_t begin =
      configuration(accelerator).table_base + 256 * std::int64_t{op.activation.table()};
  return Extent{kShramSpace, begin, begin + bytes};
}

}  // namespace npubin::ethosu
