// Chips and releases: what the numbers in a header mean (hef spec 1 to 3).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace npubin::hef {

// Which line of HailoRT serves a chip: 4.x the Hailo-8 family, 5.x Hailo-10H, 12L and the 15 family.
enum class ChipFamily : std::uint8_t { Unknown, Hailo8, Hailo15 };

struct Architecture {
  std::uint32_t number;
  std::string_view name;  // as in the schema, without its prefix
  ChipFamily family;
  std::vector<std::string_view> devices;  // HailoRT's names of the chips that take the file
  bool multi_layout;                      // contexts lie in partial core ops or partial groups
};
const Architecture* find_architecture(std::uint32_t number);

// A chip as the user names it.
struct Target {
  std::string_view name;    // "hailo8l"
  std::string_view title;   // "Hailo-8L"
  std::string_view device;  // HailoRT's name
  ChipFamily family;
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);
std::string_view title_of_device(std::string_view device);

struct Release {
  int major_number = 0;
  int minor_number = 0;
  auto operator<=>(const Release&) const = default;
};
std::string to_string(const Release& release);
// "4.20", "4.20.0", "5.2": a release that npubin knows; empty otherwise.
std::optional<Release> parse_release(std::string_view text);
std::string known_releases();
// The releases that serve a family, oldest first.
std::vector<Release> releases_of(ChipFamily family);
// The first release of the family's line that reads a header version.
Release first_release_of_header(std::uint32_t version);

struct ExtensionInfo {
  std::uint32_t index;
  std::string_view name;
  std::string_view meaning;
  Release since;   // first release that accepts it; {0,0}: from the beginning of what npubin knows
  bool mandatory;  // HailoRT accepts it in the mandatory list
};
const ExtensionInfo* find_extension(std::uint32_t index);

constexpr std::uint32_t kExtNetFlow = 13;
constexpr std::uint32_t kExtNmsBurst = 19;
constexpr std::uint32_t kExtScalePerFeature = 25;
constexpr std::uint32_t kExtPeriphInHailort = 26;
constexpr std::uint32_t kExtConfigChannels = 34;
constexpr std::uint32_t kExtStrictVersion = 35;
constexpr std::uint32_t kOptionalVariableBatch = 8;
constexpr std::uint32_t kOptionalHwPadding = 11;

}  // namespace npubin::hef
