#include "formats/npub/loader.h"

#include <fmt/format.h>

namespace npubin::npub {
namespace {

LoaderVerdict bad(LoaderStatus status, const char* code, std::uint64_t offset, std::string field,
                  std::string message, std::string hint = {}) {
  return {status, code, offset, std::move(field), std::move(message), std::move(hint)};
}

bool inside(std::uint64_t offset, std::uint64_t size, std::uint64_t total) {
  return offset <= total && size <= total - offset;
}

LoaderVerdict check_header(ByteSpan blob, const Header& h) {
  if (h.magic != kMagic)
    return bad(LoaderStatus::InvalidArg, "NPB-0102", 0, "magic",
               fmt::format("magic is 0x{:08x}, not 0x{:08x} (\"NPU1\")", h.magic, kMagic),
               "this is no .npub, or its beginning is damaged");
  if (h.version != kVersion)
    return bad(LoaderStatus::InvalidArg, "NPB-0103", 4, "version",
               fmt::format("version is {}; the device's loader knows only 1", h.version),
               "pack the model again");
  if (h.total_bytes > blob.size())
    return bad(LoaderStatus::OutOfRange, "NPB-0104", 8, "total_bytes",
               fmt::format("total_bytes is {} where the file has {}", h.total_bytes, blob.size()),
               "the file is cut off: transfer it again");
  if (h.region_count > kMaxRegions)
    return bad(
        LoaderStatus::InvalidArg, "NPB-0105", 12, "region_count",
        fmt::format("region_count is {}; the Ethos-U55 has {} base registers", h.region_count, kMaxRegions));
  if (h.cmd_bytes == 0)
    return bad(LoaderStatus::InvalidSize, "NPB-0106", 20, "cmd_bytes",
               "cmd_bytes is 0: there is no command stream");
  if (!inside(h.cmd_offset, h.cmd_bytes, h.total_bytes))
    return bad(LoaderStatus::OutOfRange, "NPB-0107", 16, "cmd_offset",
               fmt::format("the command stream, {} bytes at 0x{:x}, leaves the {} bytes of the blob",
                           h.cmd_bytes, h.cmd_offset, h.total_bytes));
  const std::uint64_t table = std::uint64_t{h.region_count} * kDescriptorBytes;
  if (!inside(kHeaderBytes, table, h.total_bytes))
    return bad(LoaderStatus::OutOfRange, "NPB-0108", 12, "region_count",
               fmt::format("the table of {} regions ends at 0x{:x}, behind the {} bytes of the blob",
                           h.region_count, kHeaderBytes + table, h.total_bytes));
  return {};
}

LoaderVerdict check_regions(ByteSpan blob, const Header& h, std::optional<std::uint64_t> arena_bytes) {
  std::uint64_t used = 0;
  for (std::uint32_t i = 0; i < h.region_count; ++i) {
    const std::uint64_t at = kHeaderBytes + std::uint64_t{i} * kDescriptorBytes;
    const RegionDescriptor region = load_descriptor(blob.data() + at);
    if (region.baked()) {
      if (!inside(region.data_offset, region.size, h.total_bytes))
        return bad(LoaderStatus::OutOfRange, "NPB-0110", at + 12, fmt::format("regions[{}].data_offset", i),
                   fmt::format("region {} is baked with {} bytes at 0x{:x}, beyond the {} bytes of the blob",
                               i, region.size, region.data_offset, h.total_bytes),
                   "the region's size or offset is wrong, or the blob was cut off");
      continue;
    }
    const std::uint64_t aligned = (used + kArenaAlign - 1) / kArenaAlign * kArenaAlign;
    used = aligned + region.size;
    if (arena_bytes && used > *arena_bytes)
      return bad(LoaderStatus::NoMem, "NPB-0111", at + 8, fmt::format("regions[{}].size", i),
                 fmt::format("region {} needs {} bytes at 0x{:x} of an arena of {} bytes", i, region.size,
                             aligned, *arena_bytes),
                 "provide a larger arena; `npubin inspect` shows how large");
  }
  return {};
}

}  // namespace

std::string_view to_string(LoaderStatus status) {
  switch (status) {
    case LoaderStatus::Ok:
      return "ok";
    case LoaderStatus::NoMem:
      return "no_mem";
    case LoaderStatus::InvalidArg:
      return "invalid_arg";
    case LoaderStatus::InvalidSize:
      return "invalid_size";
    case LoaderStatus::OutOfRange:
      return "out_of_range";
    case LoaderStatus::ChecksumMismatch:
      return "checksum_mismatch";
    case LoaderStatus::NullPointer:
      return "null_pointer";
  }
  return "unknown";
}

LoaderVerdict run_loader(ByteSpan blob, std::optional<std::uint64_t> arena_bytes) {
  if (blob.size() < kHeaderBytes)
    return bad(LoaderStatus::InvalidSize, "NPB-0101", 0, "header",
               fmt::format("the file has {} bytes; the header alone has {}", blob.size(), kHeaderBytes),
               "the file is empty or cut off: transfer it again");
  const Header header = load_header(blob.data());
  if (LoaderVerdict verdict = check_header(blob, header); verdict.status != LoaderStatus::Ok) return verdict;
  const std::uint32_t computed = fnv1a(blob.subspan(kHeaderBytes, header.total_bytes - kHeaderBytes));
  if (computed != header.checksum)
    return bad(LoaderStatus::ChecksumMismatch, "NPB-0109", 28, "checksum",
               fmt::format("checksum is 0x{:08x}, computed 0x{:08x} (FNV-1a over bytes 32..{})",
                           header.checksum, computed, header.total_bytes),
               "the file is damaged behind its header: transfer it again");
  return check_regions(blob, header, arena_bytes);
}

}  // namespace npubin::npub
