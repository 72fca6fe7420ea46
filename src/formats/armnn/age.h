// The ages of the Arm NN schema: the releases between which it changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "npubin/tensor.h"

namespace npubin::armnn {

// Shapes are plain vectors: the overloads of this namespace must not hide theirs.
using npubin::to_string;

// Seed is the schema of 2019-03-07, between 19.02 and 19.05. The last two stand for groups of releases within
// which it is not known here which one brought what (armnn spec 2).
enum class Age : std::uint8_t {
  V1902,
  Seed,
  V1905,
  V1908,
  V1911,
  V2002,
  V2005,
  V2008,
  V2011,
  V2102,
  V2105,
  V2108,
  V2111,  // 21.11 ... 23.x
  V2402,  // 24.x
};
inline constexpr int kAgeCount = 14;
inline constexpr Age kNewestAge = Age::V2402;

// "19.02", "seed (2019-03-07)", ..., "21.11-23.x", "24.x"
std::string_view to_string(Age age);
// The age whose schema a release wrote: "19.02", "20.08", "22.05", "seed". Empty for what is no release.
std::optional<Age> age_of_release(std::string_view release);

// The ages a file can have been written at, both ends included.
struct AgeRange {
  Age first = Age::V1902;
  Age last = kNewestAge;

  bool contains(Age age) const { return first <= age && age <= last; }
  bool contradictory() const { return first > last; }
  bool operator==(const AgeRange&) const = default;
};
// "20.08", or "19.02 ... 19.11"
std::string to_string(const AgeRange& range);

}  // namespace npubin::armnn
