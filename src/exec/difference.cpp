#include "exec/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace npubin::exec {
namespace {

std::size_t bucket_of(double distance, double range) {
  if (distance == 0) return 0;
  const double relative = range > 0 ? distance / range : distance;
  const auto& bounds = Difference::kBounds;
  return 1 +
         static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), relative) - bounds.begin());
}

double distance_of(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

}  // namespace

std::string histogram_label(std::size_t bucket) {
  if (bucket == 0) return "equal";
  if (bucket <= Difference::kBounds.size()) return fmt::format("<{:g}", Difference::kBounds[bucket - 1]);
  return fmt::format(">={:g}", Difference::kBounds.back());
}

Result<Difference> difference(std::string name, const Tensor& left, const Tensor& right) {
  if (left.count() != right.count())
    return usage_error(fmt::format("'{}' has shape {} on one side and {} on the other", name,
                                   to_string(left.shape()), to_string(right.shape())));
  Difference out;
  out.name = std::move(name);
  out.shape = left.shape();
  out.count = left.count();
  for (std::int64_t i = 0; i < out.count; ++i)
    if (const double v = std::abs(left.real(i)); std::isfinite(v)) out.range = std::max(out.range, v);
  double signal = 0, noise = 0, sum = 0;
  for (std::int64_t i = 0; i < out.count; ++i) {
    const double a = left.real(i), b = right.real(i), d = distance_of(a, b);
    ++out.histogram[bucket_of(d, out.range)];
    sum += d;
    noise += d * d;
    if (std::isfinite(a)) signal += a * a;
    if (d == 0) continue;
    ++out.differing;
    if (d > out.largest) {
      out.largest = d;
      out.largest_at = i;
      out.left = a;
      out.right = b;
    }
  }
  out.mean = out.count > 0 ? sum / static_cast<double>(out.count) : 0;
  out.signal_to_noise = noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace npubin::exec
