// What every post-processing operator asks of its configuration and its feature maps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "npubin/result.h"
#include "vision/detection_operator.h"

namespace npubin::vision {

// Error (Malformed): no classes, more than 65535 of them, an image without size, a background class that does
// not exist.
Result<void> check_operator(const OperatorConfig& config);
// Error (Malformed): an empty map, fewer than `features` features, padding smaller than the map, a scale or
// zero point that is not a usable number, more than 2^31 elements.
Result<void> check_map(const FeatureMap& map, std::uint64_t features, std::string_view what);
// Error (Malformed): other height or width than `other`, or other element width.
Result<void> check_same_grid(const FeatureMap& map, const FeatureMap& other, std::string_view what);

// The class id that is reported for each class of the feature maps, kNoClass for the background. Classes
// behind the background move up by one; HailoRT knows the background only as first or last class.
inline constexpr std::uint32_t kNoClass = 0xFFFFFFFF;
std::vector<std::uint32_t> reported_ids(const OperatorConfig& config);

// A code of a feature map as a real number.
template <class T>
class MapReader {
 public:
  MapReader(const FeatureMap& map, const std::byte* data)
      : codes_(reinterpret_cast<const T*>(data)), map_(map) {}
  // The row of `width` codes of one feature.
  const T* row(std::size_t y, std::size_t feature) const {
    return codes_ + y * map_.row_stride() + feature * map_.channel_stride();
  }
  float real(std::size_t y, std::size_t x, std::size_t feature) const {
    return dequantize(row(y, feature)[x], map_.quantization);
  }

 private:
  const T* codes_;
  const FeatureMap& map_;
};

inline std::uint32_t max_code(const FeatureMap& map) {
  return map.wide ? 0xFFFF : 0xFF;
}
// The least code of the map whose value reaches the threshold.
inline std::uint32_t least_code(const FeatureMap& map, float threshold) {
  return least_code_reaching(threshold, map.quantization, max_code(map));
}

}  // namespace npubin::vision
