// Where the descriptions of two files part: over their trees, whatever the format.
#pragma once

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

// Fields in `ignore` (paths without positions, such as "hef.header.checksum") are left out with all below
// them. Lists of objects that have names are matched by name, others by position.
std::vector<DescriptionDifference> diff_descriptions(const Node& left, const Node& right,
                                                     const std::vector<std::string>& ignore = {});

}  // namespace npubin
