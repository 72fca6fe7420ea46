#include "formats/npub/parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace npubin::npub {
namespace {

std::uint64_t aligned(std::uint64_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct Layout {
  std::uint64_t stream = 0, total = 0;
  std::vector<std::uint64_t> regions;
};

Layout lay_out(const Parts& parts) {
  Layout out;
  std::uint64_t used = kHeaderBytes + std::uint64_t{kDescriptorBytes} * parts.regions.size();
  const std::uint64_t table_end = used;
  out.stream = parts.stream_offset ? *parts.stream_offset : aligned(used, parts.alignment);
  used = out.stream + parts.stream.size();
  out.total = std::max(table_end, used);
  for (const RegionPart& region : parts.regions) {
    if ((region.flags & kFlagBaked) == 0) {
      out.regions.push_back(region.data_offset.value_or(0));
      continue;
    }
    const std::uint64_t at = region.data_offset ? *region.data_offset : aligned(used, parts.alignment);
    out.regions.push_back(at);
    used = at + region.size;
    out.total = std::max(out.total, used);
  }
  for (const Parts::Fill& fill : parts.fills)
    out.total = std::max(out.total, std::uint64_t{fill.offset} + fill.bytes.size());
  return out;
}

void put(std::vector<std::byte>& blob, std::uint64_t at, ByteSpan bytes) {
  std::copy(bytes.begin(), bytes.end(), blob.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

constexpr std::uint64_t kMaxBlobBytes = std::uint64_t{256} << 20;

Result<std::vector<std::byte>> assemble_blob(const Parts& parts) {
  if (parts.regions.size() > kMaxRegions)
    return usage_error(
        fmt::format("{} regions; the Ethos-U55 has {} base registers", parts.regions.size(), kMaxRegions));
  if (parts.stream.size() == 0) return usage_error("the command stream is empty");
  if (parts.alignment == 0) return usage_error("the alignment is 0");
  const Layout layout = lay_out(parts);
  const std::uint64_t size = layout.total;
  if (size > 0xFFFFFFFFu)
    return usage_error(fmt::format("the blob would have {} bytes; its offsets have 32 bits", size));
  if (size > kMaxBlobBytes)
    return usage_error(fmt::format("the blob would have {} bytes, more than {} for a microcontroller's job",
                                   size, kMaxBlobBytes),
                       "look at the offsets of the parts");
  const std::uint64_t total = parts.total_bytes.value_or(static_cast<std::uint32_t>(size));
  if (total < kHeaderBytes || total > size)
    return usage_error(fmt::format("total_bytes is {}; the parts take {}", total, size));
  std::vector<std::byte> blob(size);
  Header header;
  header.total_bytes = static_cast<std::uint32_t>(total);
  header.region_count = static_cast<std::uint32_t>(parts.regions.size());
  header.cmd_offset = static_cast<std::uint32_t>(layout.stream);
  header.cmd_bytes = static_cast<std::uint32_t>(parts.stream.size());
  header.accel = parts.accel;
  for (const Parts::Fill& fill : parts.fills) put(blob, fill.offset, fill.bytes);
  put(blob, layout.stream, parts.stream.span());
  for (std::size_t i = 0; i < parts.regions.size(); ++i) {
    const RegionPart& region = parts.regions[i];
    store_descriptor(blob.data() + kHeaderBytes + i * kDescriptorBytes,
                     {region.role, region.flags, region.size, static_cast<std::uint32_t>(layout.regions[i])});
    if ((region.flags & kFlagBaked) != 0) put(blob, layout.regions[i], region.data.span());
  }
  header.checksum = fnv1a(ByteSpan(blob).subspan(kHeaderBytes, total - kHeaderBytes));
  store_header(blob.data(), header);
  return blob;
}

}  // namespace npubin::npub
