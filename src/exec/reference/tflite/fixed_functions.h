// Functions on fixed-point numbers: raw int32 with k integer bits and 31-k fraction bits (Qk). tflite spec 7.
#pragma once

#include <cstdint>

namespace npubin::exec::tflite {

// exp(a) for a <= 0 in Qk, 0 <= k <= 5; result in Q0.
std::int32_t exp_on_negative(std::int32_t a, int integer_bits);
// 1/(1+a) and (1-a)/(1+a) for a in [0,1], Q0 to Q0.
std::int32_t one_over_one_plus(std::int32_t a);
std::int32_t one_minus_over_one_plus(std::int32_t a);
// Any a in Qk; result in Q0.
std::int32_t fixed_logistic(std::int32_t a, int integer_bits);
std::int32_t fixed_tanh(std::int32_t a, int integer_bits);

// 1/x = value 2^-bits_over_unit for x > 0 in Qk; value in Q0.
struct Reciprocal {
  std::int32_t value;
  int bits_over_unit;
};
Reciprocal reciprocal(std::int32_t x, int integer_bits);

// 1/sqrt(n) as mantissa and (left) shift.
struct InverseSqrt {
  std::int32_t mantissa;
  int shift;
};
InverseSqrt inverse_sqrt(std::int32_t n);

// Natural logarithm of z >= 1 in Q12; result in Q5.
std::int32_t fixed_log(std::int32_t z);

// Leading zeros; 32 for 0.
int leading_zeros(std::uint32_t x);
// Redundant sign bits: how far x may be shifted left without changing its sign.
int sign_headroom(std::int32_t x);

}  // namespace npubin::exec::tflite
