// The parts of a file that hold values, by the byte map: what formats without offsets of their own need.
#include <algorithm>
#include <utility>

#include "npubin/artifact.h"

namespace npubin {

Result<std::vector<ContentPart>> Artifact::contents() const {
  NPUBIN_TRY(const ByteMap bytes, map());
  const std::vector<MapSpan>& spans = bytes.spans();
  std::vector<ContentPart> out;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const MapSpan& span = spans[i];
    // Outer spans come first: one that holds another is followed by it.
    const bool outer = i + 1 < spans.size() && spans[i + 1].offset >= span.offset &&
                       spans[i + 1].offset + spans[i + 1].size <= span.offset + span.size;
    if (outer || span.size == 0 || span.name == "padding" || span.offset >= bytes_.size()) continue;
    const std::uint64_t size = std::min<std::uint64_t>(span.size, bytes_.size() - span.offset);
    out.push_back({span.unexplained ? "unexplained" : span.name, span.offset, bytes_.slice(span.offset, size),
                   std::nullopt, true});
  }
  return out;
}

}  // namespace npubin
