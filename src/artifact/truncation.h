// Files that are read although their end is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace npubin {

// A file that ends before what it announces itself.
struct Truncation {
  std::uint64_t size = 0;      // bytes that are there: where it ends
  std::uint64_t expected = 0;  // bytes that there should be; above `size`
  std::string announced_by;    // what says so: "by header.total_bytes"
};

// An Artifact that can tell.
class TruncationSource {
 public:
  virtual ~TruncationSource() = default;
  virtual std::optional<Truncation> truncation() const = 0;
};

}  // namespace npubin
