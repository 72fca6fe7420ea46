// Files of which only so much can make sense: text, listings, parameter blocks.
#pragma once

#include <string>

#include "npubin/bytes.h"

namespace npubin {

// What text files (labels, JSON, configs, listings) are given at most: far above any real one.
constexpr std::uint64_t kMostTextBytes = std::uint64_t{16} << 20;

// Bytes::open() of a file of at most `most` bytes. Error: Io.
Result<Bytes> open_bounded(const std::string& path, std::uint64_t most = kMostTextBytes);

}  // namespace npubin
