// What a command stream can see: regions of memory and the internal SHRAM.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ethosu/job.h"
#include "npubin/result.h"

namespace npubin::ethosu {

inline constexpr std::size_t kRegionCount = 8;           // BASEP0..7
inline constexpr std::uint32_t kShramBytes = 48 * 1024;  // of the largest configuration

// Regions keep their contents between executions, so several operators of one file can share them.
class Memory {
 public:
  Memory() = default;
  Memory(Memory&&) = default;
  Memory& operator=(Memory&&) = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Regions with their initial contents, zero elsewhere. Read-only regions are not copied. Error: two regions
  // of one index, an index above 7, initial contents of another size than the region, or more than `limit`
  // bytes.
  static Result<Memory> create(std::span<const Region> regions, std::uint64_t limit = std::uint64_t{8} << 30);

  // Makes region `alias` the same memory as region `of`, whatever it was before. Precondition: writable(of).
  void share(std::uint32_t alias, std::uint32_t of);

  bool has(std::uint32_t region) const { return region < kRegionCount && maps_[region].present; }
  bool writable(std::uint32_t region) const { return has(region) && maps_[region].writable; }
  std::uint64_t size(std::uint32_t region) const { return has(region) ? maps_[region].bytes.size() : 0; }
  const std::string& role(std::uint32_t region) const { return maps_[region].role; }

  // Precondition: has(region).
  ByteSpan region(std::uint32_t region) const;
  // Precondition: writable(region).
  std::span<std::byte> writable_region(std::uint32_t region);

  // `size` bytes at `offset`. Error (Malformed ETU-5002): no such region, or not inside it.
  Result<ByteSpan> read(std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                        std::string_view what) const;
  // Also an error: a read-only region (ETU-5003).
  Result<std::span<std::byte>> write(std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                                     std::string_view what);

  std::span<std::byte> shram() { return shram_; }
  ByteSpan shram() const { return shram_; }

 private:
  struct Map {
    bool present = false, writable = false;
    Bytes shared;                  // read-only contents
    std::vector<std::byte> owned;  // the others'
    std::span<std::byte> bytes_to_write;
    ByteSpan bytes;
    std::string role;
  };
  std::array<Map, kRegionCount> maps_;
  std::vector<std::byte> shram_ = std::vector<std::byte>(kShramBytes);
};

}  // namespace npubin::ethosu
