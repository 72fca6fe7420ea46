// The parts of a blob, taken apart and put together again: `unpack`, `pack DIR`, `pack --descriptor`.
//
// parts.json (schema npubin.parts/1, docs/npub.md) names the command stream and the regions; contents stand
// in files beside it or in the JSON itself. With every offset given, the same bytes come out again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/npub/document.h"
#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::npub {

struct RegionPart {
  std::uint32_t role = 0, flags = 0, size = 0;
  Bytes data;                                // `size` bytes where baked
  std::optional<std::uint32_t> data_offset;  // nothing: the next free place
};

struct Parts {
  std::uint32_t accel = 256;
  std::uint32_t alignment = 16;  // of the stream and the baked regions; the original generator's is 1
  Bytes stream;
  std::optional<std::uint32_t> stream_offset;  // nothing: behind the table
  std::vector<RegionPart> regions;
  struct Fill {
    std::uint32_t offset = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<Fill> fills;                   // bytes that belong to no part
  std::optional<std::uint32_t> total_bytes;  // nothing: the end of the last part
};

// Lays the parts out and computes the checksum. Error (Usage): more than 8 regions, an empty stream, more
// than 4 GB; parts that do not fit total_bytes.
Result<std::vector<std::byte>> assemble_blob(const Parts& parts);

// Reads parts.json; `folder` is where its files lie. Error: Malformed with the JSON's path, Io.
Result<Parts> read_parts(std::string_view json, const std::string& source, const std::string& folder);

struct NamedBytes {
  std::string name;
  Bytes bytes;
};
// parts.json and the files it names: stream.bin, region0.bin, .... Error: Malformed where the device's loader
// would refuse the file.
Result<std::vector<NamedBytes>> take_apart(const Document& document);

}  // namespace npubin::npub
