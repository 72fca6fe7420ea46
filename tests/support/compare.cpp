#include "support/compare.h"

#include <cmath>

#include <fmt/format.h>

namespace npubin::test {
namespace {

bool one_byte(DType type) {
  return type == DType::U8 || type == DType::Bool;
}

}  // namespace

std::string difference(const Tensor& got, const Tensor& want, const Tolerance& tolerance) {
  // NumPy files of the references keep booleans as bytes.
  if (got.type() != want.type() && !(one_byte(got.type()) && one_byte(want.type())))
    return fmt::format("type {} instead of {}", to_string(got.type()), to_string(want.type()));
  if (got.shape() != want.shape())
    return fmt::format("shape {} instead of {}", to_string(got.shape()), to_string(want.shape()));
  Tensor a = got, b = want;
  a.set_quantization({});
  b.set_quantization({});
  const double steps = is_float(want.type()) ? 0 : tolerance.steps;
  std::int64_t differing = 0, worst_at = 0;
  double worst = 0;
  for (std::int64_t i = 0; i < want.count(); ++i) {
    const double x = a.real(i), y = b.real(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double distance = std::abs(x - y);
    if (distance <= std::max(steps, tolerance.absolute + tolerance.relative * std::abs(y))) continue;
    if (differing++ == 0 || distance > worst) {
      worst = distance;
      worst_at = i;
    }
  }
  if (differing == 0) return {};
  return fmt::format("{} of {} elements differ, most at {}: {} instead of {}", differing, want.count(),
                     worst_at, a.real(worst_at), b.real(worst_at));
}

}  // namespace npubin::test
