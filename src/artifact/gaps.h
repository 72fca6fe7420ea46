// What a byte map does not name yet.
#pragma once

#include <vector>

#include "npubin/byte_map.h"

namespace npubin {

// The spans that ByteMap::finish(file_size) would call unexplained, in file order.
std::vector<MapSpan> gaps_of(const std::vector<MapSpan>& spans, std::uint64_t file_size);

}  // namespace npubin
