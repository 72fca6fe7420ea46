#include "ethosu/machine/memory.h"

#include <fmt/format.h>

namespace npubin::ethosu {

Result<Memory> Memory::create(std::span<const Region> regions, std::uint64_t limit) {
  Memory memory;
  std::uint64_t total = 0;
  for (const Region& region : regions) {
    if (region.index >= kRegionCount)
      return malformed({}, fmt::format("region {}: an Ethos-U55 has base pointers 0 to 7", region.index), "",
                       "ETU-5001");
    Map& map = memory.maps_[region.index];
    if (map.present)
      return malformed({}, fmt::format("region {} is given twice", region.index), "", "ETU-5001");
    if (region.initial.size() != 0 && region.initial.size() != region.size)
      return malformed({},
                       fmt::format("region {} has {} bytes, its contents {}", region.index, region.size,
                                   region.initial.size()),
                       "", "ETU-5001");
    total += region.size;
    if (total > limit || region.size > limit)
      return refused(fmt::format("region {} makes {} bytes of memory in all; at most {} are provided",
                                 region.index, total, limit),
                     "", {}, "ETU-5001");
    map.present = true;
    map.role = region.role;
    map.writable = !region.read_only;
    if (map.writable) {
      map.owned.resize(static_cast<std::size_t>(region.size));
      if (region.initial.size() != 0)
        std::copy_n(region.initial.data(), region.initial.size(), map.owned.data());
      map.bytes = map.owned;
      map.bytes_to_write = map.owned;
    } else if (region.initial.size() == 0) {
      map.owned.resize(static_cast<std::size_t>(region.size));
      map.bytes = map.owned;
    } else {
      map.shared = region.initial;
      map.bytes = map.shared.span();
    }
  }
  return memory;
}

ByteSpan Memory::region(std::uint32_t region) const {
  return maps_[region].bytes;
}

std::span<std::byte> Memory::writable_region(std::uint32_t region) {
  return maps_[region].bytes_to_write;
}

void Memory::share(std::uint32_t alias, std::uint32_t of) {
  Map& map = maps_[alias];
  map.owned = {};
  map.present = map.writable = true;
  map.bytes = maps_[of].bytes;
  map.bytes_to_write = maps_[of].bytes_to_write;
}

Result<ByteSpan> Memory::read(std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                              std::string_view what) const {
  if (!has(region))
    return malformed({}, fmt::format("{} lies in region {}, which the job does not have", what, region), "",
                     "ETU-5002");
  const std::uint64_t available = maps_[region].bytes.size();
  if (offset > available || size > available - offset)
    return malformed({},
                     fmt::format("{} is {:#x}..{:#x} of region {}, which has {:#x} bytes", what, offset,
                                 offset + size, region, available),
                     "", "ETU-5002");
  return maps_[region].bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

Result<std::span<std::byte>> Memory::write(std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                                           std::string_view what) {
  NPUBIN_CHECK(read(region, offset, size, what));
  if (!maps_[region].writable)
    return malformed({},
                     fmt::format("{} would be written to region {} ({}), which is read-only", what, region,
                                 maps_[region].role),
                     "", "ETU-5003");
  return maps_[region].bytes_to_write.subspan(static_cast<std::size_t>(offset),
                                              static_cast<std::size_t>(size));
}

}  // namespace npubin::ethosu
