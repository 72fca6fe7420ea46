#include "graph/nearest.h"

#include <algorithm>
#include <cmath>

namespace npubin::graph {
namespace {

float armnn_position(float index, float scale, const ResizeAttributes& a) {
  const float at = a.half_pixel_centers ? (index + 0.5f) * scale - 0.5f : index * scale;
  return std::floor(at);
}

float tflite_position(float index, float scale, const ResizeAttributes& a) {
  const float at = (index + (a.half_pixel_centers ? 0.5f : 0.0f)) * scale;
  return a.align_corners ? std::round(at) : std::floor(at);
}

}  // namespace

std::vector<std::int64_t> nearest_indices(std::int64_t in, std::int64_t out,
                                          const ResizeAttributes& attributes, Rules rules) {
  const bool corners = attributes.align_corners && out > 1;
  const float scale = static_cast<float>(corners ? in - 1 : in) / static_cast<float>(corners ? out - 1 : out);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(out));
  for (std::int64_t o = 0; o < out; ++o) {
    const auto index = static_cast<float>(o);
    const float at = rules == Rules::ArmNn ? armnn_position(index, scale, attributes)
                                           : tflite_position(index, scale, attributes);
    indices[static_cast<std::size_t>(o)] = std::clamp(static_cast<std::int64_t>(at), std::int64_t{0}, in - 1);
  }
  return indices;
}

}  // namespace npubin::graph
