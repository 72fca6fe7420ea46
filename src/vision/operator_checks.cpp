#include "vision/operator_checks.h"

#include <cmath>

#include <fmt/format.h>

namespace npubin::vision {

Result<void> check_operator(const OperatorConfig& config) {
  if (config.classes == 0 || config.classes > 0xFFFF)
    return malformed({}, fmt::format("the operator has {} classes; 1 to 65535 are possible", config.classes));
  constexpr float kMaxSide = 1 << 20;
  // Written so that a NaN is refused.
  if (!(config.image_height > 0 && config.image_height <= kMaxSide) ||
      !(config.image_width > 0 && config.image_width <= kMaxSide))
    return malformed(
        {}, fmt::format("the operator's picture is {} x {}", config.image_height, config.image_width));
  if (config.background_removal && config.background_index >= config.classes)
    return malformed({}, fmt::format("background class {} of {} classes does not exist",
                                     config.background_index, config.classes));
  return {};
}

Result<void> check_map(const FeatureMap& map, std::uint64_t features, std::string_view what) {
  if (map.height == 0 || map.width == 0 || map.features == 0)
    return malformed({}, fmt::format("{} is empty ({}x{}x{})", what, map.height, map.width, map.features));
  if (map.features < features)
    return malformed({},
                     fmt::format("{} has {} features; the operator reads {}", what, map.features, features));
  if (map.padded_width < map.width || map.padded_features < map.features)
    return malformed({}, fmt::format("{} is padded to {} columns and {} features, less than it has", what,
                                     map.padded_width, map.padded_features));
  const std::uint64_t row = std::uint64_t{map.padded_width} * map.padded_features;
  if (row > (std::uint64_t{1} << 31) || row * map.height > (std::uint64_t{1} << 31))
    return malformed({}, fmt::format("{} has more than 2^31 elements", what));
  const HostQuantization& q = map.quantization;
  if (!std::isfinite(q.scale) || !(q.scale > 0) || !std::isfinite(q.zero_point))
    return malformed(
        {}, fmt::format("{} is quantised with scale {} and zero point {}", what, q.scale, q.zero_point));
  return {};
}

Result<void> check_same_grid(const FeatureMap& map, const FeatureMap& other, std::string_view what) {
  if (map.height != other.height || map.width != other.width)
    return malformed({}, fmt::format("{} is {}x{}; its partner is {}x{}", what, map.height, map.width,
                                     other.height, other.width));
  if (map.wide != other.wide)
    return malformed({}, fmt::format("{} and its partner differ in their element type", what));
  return {};
}

std::vector<std::uint32_t> reported_ids(const OperatorConfig& config) {
  std::vector<std::uint32_t> out(config.classes);
  for (std::uint32_t i = 0; i < config.classes; ++i) {
    const bool behind = config.background_removal && i > config.background_index;
    out[i] = config.background_removal && i == config.background_index ? kNoClass : i - (behind ? 1 : 0);
  }
  return out;
}

}  // namespace npubin::vision
