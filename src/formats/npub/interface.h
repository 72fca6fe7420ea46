// Where a job's inputs and outputs lie: what .npub has no place for (npub spec 2).
//
// Kept as JSON: beside the blob as NAME.npub.json, or inside it in a trailing region. The schema is
// documented in docs/npub.md; the plainer form {"region_of_io", "inputs": [{name, offset, shape}], ...} is
// read too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ethosu/job.h"
#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::npub {

struct Interface {
  std::string model, compiler;  // may be empty
  std::string source;           // where it was read: a file name, "the trailing region"
  std::vector<ethosu::Binding> inputs, outputs;
};

// Error (Malformed): no JSON, or a member of another type than the schema says; names the member.
Result<Interface> read_interface(std::string_view json, const std::string& source);

// What else the sidecar says of the blob.
struct SidecarFacts {
  std::string accelerator;  // "ethos-u55-256"
  std::string payload;      // "raw", "cop1"
  struct Region {
    std::uint32_t index = 0;
    std::string role;
    bool baked = false;
    std::uint64_t size = 0;
  };
  std::vector<Region> regions;
};
// Schema npubin.npub/1, the same bytes for the same contents.
std::string write_interface(const Interface& interface, const SidecarFacts& facts);

// The trailing region: an 8-byte tag, a u32 length, and the JSON; padded with zeros to a multiple of 16.
std::vector<std::byte> to_trailing_region(const std::string& json);
// The JSON inside a region, or nothing where the tag is not there or the length leaves the region.
std::optional<std::string_view> from_trailing_region(const Bytes& region);

}  // namespace npubin::npub
