// What the device's loader says to a blob (npub spec 1): its checks in its order, with its codes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/npub/layout.h"

namespace npubin::npub {

enum class LoaderStatus : std::uint32_t {
  Ok = 0,
  NoMem = 0x102,
  InvalidArg = 0x103,
  InvalidSize = 0x105,
  OutOfRange = 0x208,
  ChecksumMismatch = 0x502,
  NullPointer = 0x504,
};
std::string_view to_string(LoaderStatus status);  // "invalid_size", ...

struct LoaderVerdict {
  LoaderStatus status = LoaderStatus::Ok;
  const char* code = "";     // diagnostic: "NPB-0101"
  std::uint64_t offset = 0;  // of the field concerned
  std::string field;         // "total_bytes", "regions[2].data_offset"
  std::string message;
  std::string hint;
};

// `arena_bytes`: what the device provides for run-time regions; nothing: enough.
LoaderVerdict run_loader(ByteSpan blob, std::optional<std::uint64_t> arena_bytes = std::nullopt);

}  // namespace npubin::npub
