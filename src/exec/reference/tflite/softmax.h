// What SOFTMAX and LOG_SOFTMAX of codes share. tflite spec 4.
#pragma once

#include <cstdint>
#include <span>

#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::tflite {

inline constexpr int kSoftmaxBits = 5;  // differences are Q5, the sum is Q12

struct SoftmaxScaling {
  SoftmaxScaling(double scale, double beta);
  Multiplier multiplier;
  std::int32_t smallest_difference;  // below it the exponential is 0

  std::int32_t scaled(std::int32_t difference) const {
    return srdhm(shift_left(difference, std::max(multiplier.shift, 0)), multiplier.mantissa);
  }
};

template <class T>
std::int32_t sum_of_exponentials(std::span<const T> in, std::int32_t largest, const SoftmaxScaling& scaling) {
  std::int32_t sum = 0;
  for (T q : in) {
    const std::int32_t d = q - largest;
    if (d >= scaling.smallest_difference)
      sum = wrap32(std::int64_t{sum} + rdp(exp_on_negative(scaling.scaled(d), kSoftmaxBits), 12));
  }
  return sum;
}

}  // namespace npubin::exec::tflite
