// Where the descriptions of two files part: over their trees, whatever the format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/describe.h"

namespace npubin {

struct DescriptionDifference {
  std::string path;   // "hef.network_groups[alpha].ops[yolo].score_threshold"
  Datum left, right;  // null where a side has nothing
  bool only_left = false, only_right = false;
};

// Where things lie in the file, which moves without any change of meaning.
enum class Places : std::uint8_t { Compare, Ignore };

// Fields in `ignore` (paths without positions, such as "hef.header.checksum") are left out with all below
// them. Lists of objects that have names are matched by name, others by position. With Places::Ignore, texts
// that differ only in "at 0x1f4" are equal.
std::vector<DescriptionDifference> diff_descriptions(const Node& left, const Node& right,
                                                     const std::vector<std::string>& ignore = {},
                                                     Places places = Places::Compare);

}  // namespace npubin
