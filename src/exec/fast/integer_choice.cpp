// Which form of the 8-bit kernels runs: the best that the machine has and NPUBIN_MAX_ISA (none, sse2, sse4,
// avx2, avx512; for tests and comparisons) allows.
#include <cstdlib>
#include <string_view>

#include "exec/fast/integer_kernels.h"

namespace npubin::exec::fast {

namespace {

std::string_view limit() {
  const char* text = std::getenv("NPUBIN_MAX_ISA");
  return text != nullptr ? text : "avx512";
}

bool has_avx512_vnni() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

}  // namespace

const IntegerKernels& integer_kernels() {
  if (limit() == "none") return generic_kernels();
  const IntegerKernels* vnni = limit() == "avx512" && has_avx512_vnni() ? vnni_kernels() : nullptr;
  return vnni != nullptr ? *vnni : *highway_kernels(limit());
}

}  // namespace npubin::exec::fast
