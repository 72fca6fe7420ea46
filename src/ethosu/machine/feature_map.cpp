#include "ethosu/machine/feature_map.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "npubin/bytes.h"

namespace npubin::ethosu {
namespace {

// Adds the span of `count` steps of `stride` to a range.
void extend(AddressRange& range, std::int64_t stride, std::int64_t steps) {
  const std::int64_t reach = stride * steps;
  (reach < 0 ? range.begin : range.end) += reach;
}

// One tile of `height` x `width` elements.
AddressRange tile_range(const FeatureMap& map, std::size_t tile, std::int64_t height, std::int64_t width) {
  const std::int64_t element = map.element_bytes(), depth = map.depth;
  const auto base = static_cast<std::int64_t>(map.base[tile]);
  AddressRange range{base, base};
  extend(range, map.stride_y, height - 1);
  if (map.layout == Layout::Nhwc) {
    extend(range, map.stride_x, width - 1);
    range.end += depth * element;
    return range;
  }
  extend(range, 16 * element, width - 1);
  // Bricks: all but the last are full; the last full one and the last one bound the reach.
  const std::int64_t bricks = (depth + 15) / 16, last = depth - (bricks - 1) * 16;
  std::int64_t low = 0, high = std::min<std::int64_t>(depth, 16) * element;
  for (const std::int64_t brick : {bricks - 2, bricks - 1}) {
    if (brick <= 0) continue;
    const std::int64_t at = brick * map.stride_c;
    low = std::min(low, at);
    high = std::max(high, at + (brick == bricks - 1 ? last : 16) * element);
  }
  return {range.begin + low, range.end + high};
}

// Where the elements of one row lie: left and right of width0.
struct Row {
  std::int64_t left = 0, right = 0;  // of x = 0 in the tile
};
Row row_of(const FeatureMap& map, std::uint32_t y) {
  const bool lower_left = y >= map.height0, lower_right = y >= map.height1;
  const std::int64_t left_y = lower_left ? y - map.height0 : y, right_y = lower_right ? y - map.height1 : y;
  return {static_cast<std::int64_t>(map.base[lower_left ? 2 : 0]) + left_y * map.stride_y,
          static_cast<std::int64_t>(map.base[lower_right ? 3 : 1]) + right_y * map.stride_y};
}
std::int64_t step_x(const FeatureMap& map) {
  return map.layout == Layout::Nhwc ? map.stride_x : 16 * static_cast<std::int64_t>(map.element_bytes());
}

// Calls visit(offset of the first channel, index of the element in the row, channels, first channel) for
// every contiguous run of a row.
template <class Visit>
void for_each_run(const FeatureMap& map, std::uint32_t y, std::uint32_t x0, std::uint32_t count,
                  Visit&& visit) {
  const Row row = row_of(map, y);
  const std::int64_t step = step_x(map);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t x = x0 + i;
    const std::int64_t at =
        x >= map.width0 ? row.right + std::int64_t{x - map.width0} * step : row.left + std::int64_t{x} * step;
    if (map.layout == Layout::Nhwc) {
      visit(at, i, map.depth, 0u);
      continue;
    }
    for (std::uint32_t c = 0; c < map.depth; c += 16)
      visit(at + std::int64_t{c / 16} * map.stride_c, i, std::min(map.depth - c, 16u), c);
  }
}

// Whether a row of elements is one run of bytes.
bool is_contiguous(const FeatureMap& map, std::uint32_t x0, std::uint32_t count, std::size_t stride) {
  const auto pixel = static_cast<std::int64_t>(map.depth) * map.element_bytes();
  return stride == map.depth && step_x(map) == pixel && (map.layout == Layout::Nhwc || map.depth == 16) &&
         (x0 >= map.width0 || x0 + count <= map.width0);
}

template <class From, class To>
void convert(const std::byte* from, std::size_t count, std::int32_t zero_point, To* to) {
  From values[64];
  while (count > 0) {
    const std::size_t part = std::min<std::size_t>(count, 64);
    std::memcpy(values, from, part * sizeof(From));
    for (std::size_t i = 0; i < part; ++i)
      to[i] = static_cast<To>(static_cast<std::int64_t>(values[i]) - zero_point);
    from += part * sizeof(From);
    to += part;
    count -= part;
  }
}

template <class To>
void convert_elements(const FeatureMap& map, const std::byte* from, std::size_t count, To* to) {
  switch (map.element_bits) {
    case 8:
      return map.is_signed ? convert<std::int8_t>(from, count, map.zero_point, to)
                           : convert<std::uint8_t>(from, count, map.zero_point, to);
    case 16:
      return map.is_signed ? convert<std::int16_t>(from, count, map.zero_point, to)
                           : convert<std::uint16_t>(from, count, map.zero_point, to);
    default:
      return map.is_signed ? convert<std::int32_t>(from, count, map.zero_point, to)
                           : convert<std::uint32_t>(from, count, map.zero_point, to);
  }
}

template <class To, class From>
void narrow(const From* values, std::size_t count, std::byte* to) {
  To out[64];
  while (count > 0) {
    const std::size_t part = std::min<std::size_t>(count, 64);
    for (std::size_t i = 0; i < part; ++i) out[i] = static_cast<To>(values[i]);
    std::memcpy(to, out, part * sizeof(To));
    values += part;
    to += part * sizeof(To);
    count -= part;
  }
}

// The same bits for signed and unsigned elements.
template <class From>
void narrow_elements(const FeatureMap& map, const From* values, std::size_t count, std::byte* to) {
  switch (map.element_bits) {
    case 8:
      return narrow<std::uint8_t>(values, count, to);
    case 16:
      return narrow<std::uint16_t>(values, count, to);
    default:
      return narrow<std::uint32_t>(values, count, to);
  }
}

Result<AddressRange> checked_range(const FeatureMap& map, const Memory& memory, std::string_view what) {
  if (!memory.has(map.region))
    return malformed({},
                     fmt::format("the {} lies in region {}, which the job does not have", what, map.region),
                     "", "ETU-5002");
  const AddressRange range = address_range(map);
  const auto size = static_cast<std::int64_t>(memory.size(map.region));
  if (range.begin < 0 || range.end > size)
    return malformed({},
                     fmt::format("the {} takes bytes {}..{} of region {}, which has {}", what, range.begin,
                                 range.end, map.region, size),
                     "", "ETU-5002");
  return range;
}

}  // namespace

AddressRange address_range(const FeatureMap& map) {
  const std::int64_t height = map.height, width = map.width;
  const std::int64_t left = std::min<std::int64_t>(width, map.width0), right = width - left;
  AddressRange all{INT64_MAX, INT64_MIN};
  const auto add = [&](std::size_t tile, std::int64_t rows, std::int64_t columns) {
    if (rows <= 0 || columns <= 0) return;
    const AddressRange range = tile_range(map, tile, rows, columns);
    all.begin = std::min(all.begin, range.begin);
    all.end = std::max(all.end, range.end);
  };
  add(0, std::min<std::int64_t>(height, map.height0), left);
  add(2, height - map.height0, left);
  add(1, std::min<std::int64_t>(height, map.height1), right);
  add(3, height - map.height1, right);
  return all;
}

Result<MapReader> MapReader::create(const FeatureMap& map, const Memory& memory, std::string_view what) {
  NPUBIN_CHECK(checked_range(map, memory, what));
  // Strides of zero read the same bytes again and again; within reason that is somebody's broadcast.
  constexpr std::uint64_t kAgain = 64;
  const std::uint64_t plane = std::uint64_t{map.height} * map.width;
  const auto bytes = checked_mul(plane, std::uint64_t{map.depth} * map.element_bytes());
  if (!bytes || *bytes > memory.size(map.region) * kAgain)
    return malformed(
        {},
        fmt::format("the {} has {} x {} x {} elements, far more than region {} holds in {} bytes", what,
                    map.height, map.width, map.depth, map.region, memory.size(map.region)),
        "its strides make it overlap itself", "ETU-5002");
  MapReader reader;
  reader.map_ = map;
  reader.base_ = memory.region(map.region).data();
  return reader;
}

void MapReader::snapshot() {
  const AddressRange range = address_range(map_);
  copy_.assign(base_ + range.begin, base_ + range.end);
  for (std::uint64_t& base : map_.base) base -= static_cast<std::uint64_t>(range.begin);
  base_ = copy_.data();
}

template <class T>
void MapReader::read_row(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride,
                         T* out) const {
  if (count > 0 && is_contiguous(map_, x0, count, stride)) {
    const Row row = row_of(map_, y);
    const std::int64_t at = x0 >= map_.width0 ? row.right + std::int64_t{x0 - map_.width0} * step_x(map_)
                                              : row.left + std::int64_t{x0} * step_x(map_);
    return convert_elements(map_, base_ + at, std::size_t{count} * map_.depth, out);
  }
  for_each_run(map_, y, x0, count,
               [&](std::int64_t at, std::uint32_t i, std::uint32_t channels, std::uint32_t c) {
                 convert_elements(map_, base_ + at, channels, out + i * stride + c);
               });
}
template void MapReader::read_row(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                  std::int16_t*) const;
template void MapReader::read_row(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                  std::int32_t*) const;
template void MapReader::read_row(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                  std::int64_t*) const;

std::int64_t MapReader::read(std::uint32_t y, std::uint32_t x, std::uint32_t c) const {
  std::int64_t value = 0;
  convert_elements(map_, base_ + map_.address(y, x, c), 1, &value);
  return value;
}

void MapReader::read_row_biased(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride,
                                std::uint8_t* out) const {
  const auto flip = static_cast<std::uint8_t>(map_.is_signed ? 0x80 : 0);
  const auto copy = [flip](const std::byte* from, std::size_t bytes, std::uint8_t* to) {
    std::memcpy(to, from, bytes);
    if (flip != 0)
      for (std::size_t i = 0; i < bytes; ++i) to[i] ^= flip;
  };
  if (count > 0 && is_contiguous(map_, x0, count, stride)) {
    const Row row = row_of(map_, y);
    const std::int64_t at = x0 >= map_.width0 ? row.right + std::int64_t{x0 - map_.width0} * step_x(map_)
                                              : row.left + std::int64_t{x0} * step_x(map_);
    return copy(base_ + at, std::size_t{count} * map_.depth, out);
  }
  for_each_run(map_, y, x0, count,
               [&](std::int64_t at, std::uint32_t i, std::uint32_t channels, std::uint32_t c) {
                 copy(base_ + at, channels, out + i * stride + c);
               });
}

Result<MapWriter> MapWriter::create(const FeatureMap& map, Memory& memory) {
  NPUBIN_CHECK(checked_range(map, memory, "OFM"));
  if (!memory.writable(map.region))
    return malformed({},
                     fmt::format("the OFM would be written to region {} ({}), which is read-only", map.region,
                                 memory.role(map.region)),
                     "", "ETU-5003");
  const std::uint64_t size = memory.size(map.region);
  const std::uint64_t plane = std::uint64_t{map.height} * map.width;  // each below 2^17
  if (plane > size || plane * map.depth > size || plane * map.depth * map.element_bytes() > size)
    return malformed({},
                     fmt::format("the OFM has {} x {} x {} elements, more than region {} holds in {} bytes",
                                 map.height, map.width, map.depth, map.region, size),
                     "its strides make it overlap itself", "ETU-5002");
  MapWriter writer;
  writer.map_ = map;
  writer.base_ = memory.writable_region(map.region).data();
  return writer;
}

template <class T>
void MapWriter::write_row(std::uint32_t y, std::uint32_t x0, std::uint32_t count, std::size_t stride,
                          const T* values) const {
  for_each_run(map_, y, x0, count,
               [&](std::int64_t at, std::uint32_t i, std::uint32_t channels, std::uint32_t c) {
                 narrow_elements(map_, values + i * stride + c, channels, base_ + at);
               });
}
template void MapWriter::write_row(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                   const std::int32_t*) const;
template void MapWriter::write_row(std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                   const std::int64_t*) const;

}  // namespace npubin::ethosu
