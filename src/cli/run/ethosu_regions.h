// --region, --dump-region, --watch: places in the regions of a job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ethosu/machine/memory.h"
#include "npubin/result.h"

namespace npubin::cli {

struct RegionPlace {
  std::uint32_t region = 0;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> size;  // nothing: as many bytes as the file, or all up to the region's end
  std::string file;
};

// "N@OFFSET=FILE" or "N=FILE" (--region); "N[@OFFSET:BYTES]=FILE" (--dump-region); numbers decimal or 0x.
// Error: Usage.
Result<RegionPlace> parse_region_input(const std::string& argument);
Result<RegionPlace> parse_region_dump(const std::string& argument);
// "REGION@BEGIN:END": an address range; size = END - BEGIN.
Result<RegionPlace> parse_watch(const std::string& argument);

// Fills a place from its file: raw bytes, or the elements of an .npy. Constants may be overwritten too: it is
// the caller's memory. Error: Io, Usage where the file does not fit.
Result<void> fill_region(ethosu::Memory& memory, const RegionPlace& place);
Result<void> dump_region(const ethosu::Memory& memory, const RegionPlace& place);

}  // namespace npubin::cli
