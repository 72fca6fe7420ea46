// The container's constants and raw structures (npub spec 1).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "npubin/bytes.h"

namespace npubin::npub {

constexpr std::uint32_t kMagic = 0x3155504E;  // bytes "NPU1"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeaderBytes = 32;
constexpr std::uint32_t kDescriptorBytes = 16;
constexpr std::uint32_t kMaxRegions = 8;   // BASEP0..7
constexpr std::uint32_t kArenaAlign = 16;  // of each run-time region's offset
constexpr std::uint32_t kFlagBaked = 1;

enum Role : std::uint32_t { kWeights = 0, kScratch = 1, kInput = 2, kOutput = 3, kOther = 4 };
// "weights", ...; "unknown" for any other number.
std::string_view role_name(std::uint32_t role);

struct Header {
  std::uint32_t magic = kMagic, version = kVersion, total_bytes = 0, region_count = 0;
  std::uint32_t cmd_offset = 0, cmd_bytes = 0, accel = 0, checksum = 0;
};

struct RegionDescriptor {
  std::uint32_t role = 0, flags = 0, size = 0, data_offset = 0;

  bool baked() const { return (flags & kFlagBaked) != 0; }
};

// Precondition: the bytes are there.
Header load_header(const std::byte* from);
void store_header(std::byte* to, const Header& header);
RegionDescriptor load_descriptor(const std::byte* from);
void store_descriptor(std::byte* to, const RegionDescriptor& descriptor);

// FNV-1a, 32 bits.
std::uint32_t fnv1a(ByteSpan data);

// (used + 15) & ~15 and so on over the run-time regions: bytes that the arena must have, padding included.
struct ArenaPlace {
  std::uint32_t region = 0;
  std::uint64_t offset = 0, size = 0;
};

}  // namespace npubin::npub
