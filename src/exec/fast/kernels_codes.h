// Element-wise operators of codes by TensorFlow Lite's rules, in integers and to the byte (tflite spec 3 and
// 4), compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {

enum class CodePairOp : std::uint8_t { Add, Sub, Mul, SquaredDifference, Prelu, Equal, Less, LessEqual };

// With mul() as tflite::multiply; every result but a comparison's is cut to [low, high] after `zero_out` is
// added:
//   Add, Sub           mul(mul((x - zero_a) << left_shift, a) +- mul((y - zero_b) << left_shift, b), out)
//   Mul                mul((x - zero_a) * (y - zero_b), out)
//   SquaredDifference  mul(d * d, out), d as Sub
//   Prelu              x >= zero_a ? mul(x - zero_a, a) : mul((x - zero_a) * (y - zero_b), out); y is int8
//   comparisons        of mul((x - zero_a) << left_shift, a) and the like of y; 1 or 0, or `negated`, bytes
struct CodePair {
  CodePairOp op = CodePairOp::Add;
  DType type = DType::I8;  // I8, U8 or I16
  std::int32_t zero_a = 0, zero_b = 0, zero_out = 0, low = 0, high = 0;
  int left_shift = 0;
  tflite::Multiplier a, b, out;
  bool negated = false;
};

// The shifts that the kernels below take.
bool takes_shift(const tflite::Multiplier& multiplier);

// An operand that stays is one element; `out` may be one that does not.
void code_pairs(const CodePair& pair, const void* a, bool a_stays, const void* b, bool b_stays, void* out,
                std::size_t count);

// Of one operand of int16: v = x - zero_in, v >= 0 ? mul(v, rising) : +-mul(v, falling), cut to [low, high]
// after zero_out is added.
struct CodeMap {
  std::int32_t zero_in = 0, zero_out = 0, low = 0, high = 0;
  tflite::Multiplier rising, falling;
  bool negated = false;  // of what is below 0
};
void map_codes(const CodeMap& map, const std::int16_t* in, std::int16_t* out, std::size_t count);
void map_codes(const CodeMap& map, const std::int16_t* in, std::int8_t* out, std::size_t count);

// LOGISTIC and TANH of int16 (tflite spec 4). samples[i]: the sigmoid's, and above 16 bits the way to the
// next. factor * 32768 stays within 32 bits.
struct Squash {
  const std::int32_t* samples;  // 256
  std::int32_t factor;
  int shift;
  bool logistic;
};
void squash_codes(const Squash& squash, const std::int16_t* in, std::int16_t* out, std::size_t count);

// out[i] = mul(sums[i], multiplier) + zero_point, within the type.
void scale_sums(const std::int32_t* sums, std::size_t count, const tflite::Multiplier& multiplier,
                std::int32_t zero_point, std::int8_t* out);

}  // namespace npubin::exec::fast
