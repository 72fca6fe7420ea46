// Where the contents of two files part: their parts of one name against each other, byte by byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "npubin/artifact.h"

namespace npubin {

struct ContentDifference {
  std::string name;
  bool only_left = false, only_right = false;
  bool constant = false;
  std::uint64_t left_bytes = 0, right_bytes = 0;  // sizes
  std::uint64_t differing_bytes = 0;              // what one side has more counts as differing
  std::uint64_t first = 0;                        // offset in the part of the first byte that differs
  // Where both sides have the same known type and size.
  std::optional<DType> type;
  std::uint64_t elements = 0, differing_elements = 0;
  double largest_change = 0;          // NaN against a number: NaN
  std::string left_text, right_text;  // the value itself where there is one element only
};

// The n-th part of a name on one side against the n-th on the other, in the order of the left file; what only
// the right one has follows.
std::vector<ContentDifference> diff_contents(const std::vector<ContentPart>& left,
                                             const std::vector<ContentPart>& right);

// "8 of 4608 bytes differ, the first at +0x40 (2 of 1152 f32, by at most 0.5)"
std::string to_text(const ContentDifference& difference);

}  // namespace npubin
