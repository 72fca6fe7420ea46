#include "ethosu/copies.h"

#include <iterator>

namespace npubin::ethosu {

void Copies::record(const Dma& dma, std::size_t operation) {
  const Extent to = destination_extent(dma);
  if (to.empty()) return;
  Extent from = source_extent(dma);
  if (const auto earlier = origin(from)) from = earlier->bytes;
  auto& space = spaces_[to.space];
  // Cut what is overwritten: at most one copy reaches in from the left, and others begin inside.
  auto at = space.lower_bound(to.begin);
  if (at != space.begin()) {
    auto left = std::prev(at);
    if (left->second.end > to.begin) {
      Copy rest = left->second;
      left->second.end = to.begin;
      if (rest.end > to.end) {
        rest.source_begin += to.end - left->first;
        space.emplace(to.end, rest);
      }
    }
  }
  while (at != space.end() && at->first < to.end) {
    if (at->second.end > to.end) {
      Copy rest = at->second;
      rest.source_begin += to.end - at->first;
      space.emplace(to.end, rest);
    }
    at = space.erase(at);
  }
  space[to.begin] = {to.end, from.space, from.begin, operation};
}

std::optional<Copies::Origin> Copies::origin(const Extent& wanted) const {
  if (wanted.empty() || wanted.space > kShramSpace) return std::nullopt;
  const auto& space = spaces_[wanted.space];
  auto at = space.upper_bound(wanted.begin);
  if (at == space.begin()) return std::nullopt;
  --at;
  if (at->second.end < wanted.end) return std::nullopt;
  const std::int64_t begin = at->second.source_begin + (wanted.begin - at->first);
  return Origin{{at->second.source_space, begin, begin + (wanted.end - wanted.begin)}, at->second.operation};
}

std::optional<Bytes> bytes_at(const Job& job, const Copies& copies, const Extent& wanted) {
  Extent at = wanted;
  if (const auto origin = copies.origin(wanted)) at = origin->bytes;
  for (const Region& region : job.regions) {
    if (region.index != at.space || at.begin < 0 || at.empty()) continue;
    if (static_cast<std::uint64_t>(at.end) > region.initial.size()) continue;
    return region.initial.slice(static_cast<std::size_t>(at.begin),
                                static_cast<std::size_t>(at.end - at.begin));
  }
  return std::nullopt;
}

}  // namespace npubin::ethosu
