// Which bytes an operation touches: extents of feature maps, streams, tables and transfers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ethosu/job.h"
#include "ethosu/operation.h"

namespace npubin::ethosu {

// Regions 0..7, and the internal memory as a space of its own.
constexpr std::uint8_t kShramSpace = 8;

// Bytes [begin, end) of a space. Negative addresses occur in broken streams.
struct Extent {
  std::uint8_t space = 0;
  std::int64_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  bool overlaps(const Extent& other) const {
    return space == other.space && begin < other.end && other.begin < end;
  }
};

// One extent per tile that the map uses, from its first to its last byte; gaps inside belong to it.
struct MapExtents {
  std::array<Extent, 4> tiles;
  std::size_t count = 0;

  void add(const Extent& extent) {
    if (!extent.empty()) tiles[count++] = extent;
  }
  Extent hull() const;  // all tiles; empty where there are none
};

// A box of elements: half-open ranges.
struct Box {
  std::uint32_t y0 = 0, y1 = 0, x0 = 0, x1 = 0, c0 = 0, c1 = 0;
};

MapExtents extents(const FeatureMap& map);
// The part of a map inside a box, which is clipped to the map.
MapExtents extents(const FeatureMap& map, Box box);

// Whether two tiles of a map lie over each other: no map that makes sense does that.
bool tiles_overlap(const FeatureMap& map);

Extent extent(const Stream& stream);
Extent source_extent(const Dma& dma);
Extent destination_extent(const Dma& dma);
// The look-up table of an operation in SHRAM; nothing where it uses none.
std::optional<Extent> table_extent(const Operation& op, Accelerator accelerator);

}  // namespace npubin::ethosu
