#include "formats/npub/layout.h"

namespace npubin::npub {

std::string_view role_name(std::uint32_t role) {
  constexpr std::string_view kNames[] = {"weights", "scratch", "input", "output", "other"};
  return role <= kOther ? kNames[role] : "unknown";
}

Header load_header(const std::byte* from) {
  auto word = [from](std::size_t i) { return load<std::uint32_t>(from + i * 4); };
  return {word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)};
}

void store_header(std::byte* to, const Header& h) {
  const std::uint32_t words[] = {h.magic,      h.version,   h.total_bytes, h.region_count,
                                 h.cmd_offset, h.cmd_bytes, h.accel,       h.checksum};
  for (std::size_t i = 0; i < 8; ++i) store(to + i * 4, words[i]);
}

RegionDescriptor load_descriptor(const std::byte* from) {
  auto word = [from](std::size_t i) { return load<std::uint32_t>(from + i * 4); };
  return {word(0), word(1), word(2), word(3)};
}

void store_descriptor(std::byte* to, const RegionDescriptor& d) {
  const std::uint32_t words[] = {d.role, d.flags, d.size, d.data_offset};
  for (std::size_t i = 0; i < 4; ++i) store(to + i * 4, words[i]);
}

std::uint32_t fnv1a(ByteSpan data) {
  std::uint32_t hash = 0x811C9DC5u;
  for (const std::byte b : data) hash = (hash ^ static_cast<std::uint32_t>(b)) * 0x01000193u;
  return hash;
}

}  // namespace npubin::npub
