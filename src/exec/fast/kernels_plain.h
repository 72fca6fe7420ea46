// Element-wise operators of numbers without a scale: integers, truth values, comparisons of float32, choices;
// compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>

#include "npubin/tensor.h"

namespace npubin::exec::fast {

enum class PlainPairOp : std::uint8_t {
  Add,  // these four modulo 2^bits
  Sub,
  Mul,
  SquaredDifference,
  Min,
  Max,
  Equal,  // comparisons give bytes, 1 or 0
  Less,
  LessEqual,
  And,
  Or
};

// The kernel of an operator and the type of its operands; nullptr where there is none. An operand that stays
// is one element; `out` is no operand.
using PlainPairs = void (*)(const void* a, bool a_stays, const void* b, bool b_stays, void* out,
                            std::size_t count);
PlainPairs plain_pairs(PlainPairOp op, DType type);

// bytes[i] = 1 - bytes[i], for truth values.
void negate_bytes(std::uint8_t* bytes, std::size_t count);

// out[i] = condition[i] != 0 ? a[i] : b[i], elements of `size` bytes (1, 2, 4 or 8); `out` is no operand.
struct Choice {
  const std::uint8_t* condition;
  const void *a, *b;
  bool condition_stays, a_stays, b_stays;
};
void choose(const Choice& choice, std::size_t size, void* out, std::size_t count);

}  // namespace npubin::exec::fast
