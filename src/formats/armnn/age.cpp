#include "formats/armnn/age.h"

#include <array>
#include <cctype>

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

constexpr std::array<std::string_view, kAgeCount> kNames{"19.02",      "seed (2019-03-07)",
                                                         "19.05",      "19.08",
                                                         "19.11",      "20.02",
                                                         "20.05",      "20.08",
                                                         "20.11",      "21.02",
                                                         "21.05",      "21.08",
                                                         "21.11-23.x", "24.x"};

// The first release of each age, as year * 100 + month.
constexpr std::array<int, kAgeCount> kFirstRelease{1902, 1903, 1905, 1908, 1911, 2002, 2005,
                                                   2008, 2011, 2102, 2105, 2108, 2111, 2402};

}  // namespace

std::string_view to_string(Age age) {
  return kNames[static_cast<std::size_t>(age)];
}

std::optional<Age> age_of_release(std::string_view release) {
  if (release == "seed") return Age::Seed;
  auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(release[i])) != 0; };
  if (release.size() != 5 || release[2] != '.' || !digit(0) || !digit(1) || !digit(3) || !digit(4))
    return std::nullopt;
  const int month = (release[3] - '0') * 10 + (release[4] - '0');
  const int number = ((release[0] - '0') * 10 + (release[1] - '0')) * 100 + month;
  // Arm NN is released in February, May, August and November; nothing later than 24.x is known here.
  if (number < kFirstRelease[0] || number >= 2500 || month % 3 != 2 || month > 11) return std::nullopt;
  Age age = Age::V1902;
  for (int i = 0; i < kAgeCount; ++i)
    if (kFirstRelease[static_cast<std::size_t>(i)] <= number) age = static_cast<Age>(i);
  return age;
}

std::string to_string(const AgeRange& range) {
  if (range.first == range.last) return std::string(to_string(range.first));
  return fmt::format("{} ... {}", to_string(range.first), to_string(range.last));
}

}  // namespace npubin::armnn
