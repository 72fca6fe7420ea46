// The vector kernels in every form that this machine runs.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace npubin::test {

// check() once for each instruction set; afterwards the choice is the machine's again.
template <class Check>
void on_every_instruction_set(Check check) {
  struct Restore {
    ~Restore() { hwy::SetSupportedTargetsForTest(0); }
  } restore;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
}

}  // namespace npubin::test
