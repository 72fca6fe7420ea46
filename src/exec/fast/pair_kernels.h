// What is done along a run of an element-wise operator with two or three operands.
#pragma once

#include <cstddef>
#include <functional>

#include "exec/fast/draft.h"

namespace npubin::exec::fast {

// What is done to one run; an operand that stays is one element.
struct Run {
  const std::byte *a, *b, *c;
  bool a_stays, b_stays, c_stays;
  std::byte* out;
  std::size_t count;
};
using RunKernel = std::function<void(const Run&)>;

struct PairKernel {
  RunKernel run;  // empty: there is none
  const char* name = "";
  bool overwrites = false;  // takes an operand's memory for its result
};

// Of a node with two operands, or Select.
PairKernel pair_kernel(const Draft& draft, const DraftNode& entry);
// Of two operands of codes by Arm NN's rules: they are decoded, computed and encoded a few at a time. Takes
// DraftNode::code_range along. Empty where there is none.
RunKernel decoded_pair_kernel(const Draft& draft, const DraftNode& entry);

}  // namespace npubin::exec::fast
