// How far two tensors are apart, in real numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::exec {

// Differences are of real numbers: quantised codes are decoded first, each side with its own scale.
struct Difference {
  std::string name;
  Shape shape;
  std::int64_t count = 0;       // elements
  std::int64_t differing = 0;   // elements whose real values are not equal (NaN equals NaN)
  double largest = 0;           // largest absolute difference; infinity where only one side is finite
  std::int64_t largest_at = 0;  // its flat index
  double left = 0, right = 0;   // the two values there
  double mean = 0;              // mean absolute difference
  double range = 0;             // largest magnitude of the left side
  double signal_to_noise = 0;   // 10 log10(sum left^2 / sum difference^2), dB; infinity where equal
  // Elements by |difference| / range: equal, below 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, and above.
  static constexpr std::array<double, 6> kBounds{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
  std::array<std::int64_t, kBounds.size() + 2> histogram{};

  double relative() const { return range > 0 ? largest / range : largest; }
  double relative_mean() const { return range > 0 ? mean / range : mean; }
};

NPUBIN_API std::string histogram_label(std::size_t bucket);

// Error (Usage): the shapes hold different numbers of elements.
NPUBIN_API Result<Difference> difference(std::string name, const Tensor& left, const Tensor& right);

}  // namespace npubin::exec
