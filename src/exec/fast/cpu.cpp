#include "exec/fast/cpu.h"

#include <cstdlib>
#include <string_view>

#include "exec/fast/integer_kernels.h"

namespace npubin::exec::fast {

bool has_avx512_vnni() {
#if defined(__x86_64__)
  const char* limit = std::getenv("NPUBIN_MAX_ISA");
  if (limit != nullptr && std::string_view(limit) != "avx512") return false;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

const IntegerKernels& integer_kernels() {
  const IntegerKernels* vnni = has_avx512_vnni() ? vnni_kernels() : nullptr;
  return vnni != nullptr ? *vnni : generic_kernels();
}

}  // namespace npubin::exec::fast
