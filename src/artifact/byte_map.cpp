#include "npubin/byte_map.h"

#include <algorithm>
#include <iterator>

#include "artifact/gaps.h"

namespace npubin {

void ByteMap::add(std::uint64_t offset, std::uint64_t size, std::string name, std::string note) {
  spans_.push_back({offset, size, std::move(name), std::move(note), false});
}

void ByteMap::finish(std::uint64_t file_size) {
  // Outer spans first where several begin at one place.
  auto by_place = [](const MapSpan& a, const MapSpan& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.size > b.size;
  };
  std::vector<MapSpan> unexplained = gaps_of(spans_, file_size);
  spans_.insert(spans_.end(), std::make_move_iterator(unexplained.begin()),
                std::make_move_iterator(unexplained.end()));
  std::stable_sort(spans_.begin(), spans_.end(), by_place);
}

std::uint64_t ByteMap::unexplained_bytes() const {
  std::uint64_t total = 0;
  for (const MapSpan& span : spans_)
    if (span.unexplained) total += span.size;
  return total;
}

}  // namespace npubin
