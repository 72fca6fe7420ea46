#include "artifact/gaps.h"

#include <algorithm>
#include <utility>

namespace npubin {

std::vector<MapSpan> gaps_of(const std::vector<MapSpan>& spans, std::uint64_t file_size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // begin, end
  places.reserve(spans.size() + 1);
  for (const MapSpan& span : spans) places.emplace_back(span.offset, span.offset + span.size);
  std::sort(places.begin(), places.end());
  places.emplace_back(file_size, file_size);
  std::vector<MapSpan> out;
  std::uint64_t covered = 0;
  for (const auto& [begin, end] : places) {
    if (begin > covered) out.push_back({covered, begin - covered, "unexplained", {}, true});
    covered = std::max(covered, end);
  }
  return out;
}

}  // namespace npubin
