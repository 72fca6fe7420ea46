// How results are held against references.
#pragma once

#include <string>

#include "npubin/tensor.h"

namespace npubin::test {

struct Tolerance {
  double absolute = 0;  // real units
  double relative = 0;  // of the reference
  double steps = 0;     // codes, for integers
};

// "" where `got` agrees with `want` in type, shape and, within the tolerance, values; else what differs. NaN
// equals NaN, infinities must match, -0 equals +0. With a zero tolerance values must be equal.
std::string difference(const Tensor& got, const Tensor& want, const Tolerance& tolerance);

}  // namespace npubin::test
