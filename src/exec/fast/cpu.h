// Which instruction sets the project's own integer kernels may use.
#pragma once

namespace npubin::exec::fast {

// AVX-512 F, BW, DQ, VL and VNNI are there, and NPUBIN_MAX_ISA (sse4, avx2, avx512; for tests and for
// comparing) does not forbid them.
bool has_avx512_vnni();

}  // namespace npubin::exec::fast
