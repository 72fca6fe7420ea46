// Reading and writing feature maps: layouts, tiles and element types.
#pragma once

#include <cstdint>
#include <vector>

#include "ethosu/machine/memory.h"
#include "ethosu/operation.h"
#include "npubin/result.h"

namespace npubin::ethosu {

// The lowest and one past the highest byte that a feature map touches in its region.
struct AddressRange {
  std::int64_t begin = 0, end = 0;
  bool overlaps(const AddressRange& other) const { return begin < other.end && other.begin < end; }
};
// Precondition: height, width and depth are not zero.
AddressRange address_range(const FeatureMap& map);

// A feature map that was found to lie inside its memory; `base` is the region's first byte.
class MapReader {
 public:
  MapReader() = default;
  MapReader(MapReader&&) = default;
  MapReader& operator=(MapReader&&) = default;
  MapReader(const MapReader&) = delete;
  MapReader& operator=(const MapReader&) = delete;
  // Error: not inside the region.
  static Result<MapReader> create(const FeatureMap& map, const Memory& memory, std::string_view what);

  const FeatureMap& map() const { return map_; }
  const std::byte* base() const { return base_; }
  // Reads from a copy of the touched bytes from now on: for an input that the output overwrites.
  void snapshot();

  // out[i * stride + c] = element(y, x0 + i, c) - zero point, for i < count and c < depth of the map. T is
  // int16_t (8 and 16 bit; a difference beyond 16 bits must be excluded by the caller), int32_t or int64_t.
  template <class T>
  void read_row(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride, T* out) const;
  // The same for channel c alone: out[i].
  std::int64_t read(std::uint32_t y, std::uint32_t x, std::uint32_t c) const;
  // 8-bit elements as unsigned codes, i.e. signed ones + 128.
  void read_row_biased(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride,
                       std::uint8_t* out) const;

 private:
  FeatureMap map_;
  const std::byte* base_ = nullptr;
  std::vector<std::byte> copy_;
};

class MapWriter {
 public:
  MapWriter() = default;
  // Error: not inside the region, read-only, or more elements than the region has bytes for (a map that
  // overlaps itself, which bounds the work of an operation by the memory's size).
  static Result<MapWriter> create(const FeatureMap& map, Memory& memory);

  const FeatureMap& map() const { return map_; }
  const std::byte* base() const { return base_; }
  // element(y, x0 + i, c) = values[i * stride + c] for c0 <= c < c0 + channels, wrapped to the element type.
  template <class T>
  void write_row(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride,
                 const T* values) const;

 private:
  FeatureMap map_;
  std::byte* base_ = nullptr;
};

}  // namespace npubin::ethosu
