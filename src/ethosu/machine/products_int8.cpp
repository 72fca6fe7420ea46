// Sums of four 8-bit products: AVX-512 VNNI, which the portable vector library does not reach.
#include <cstring>

#include "ethosu/machine/products.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define NPUBIN_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

namespace npubin::ethosu::products {
namespace {

// Count pixels by Blocks blocks of outputs, all sums in registers.
template <std::size_t Count, std::size_t Blocks>
NPUBIN_VNNI void tile(const std::uint8_t* const* pixels, const std::int8_t* packed, std::size_t quads,
                      std::int32_t* out, std::size_t stride) {
  __m512i sums[Count][Blocks];
  for (std::size_t p = 0; p < Count; ++p)
    for (std::size_t b = 0; b < Blocks; ++b) sums[p][b] = _mm512_setzero_si512();
  for (std::size_t q = 0; q < quads; ++q) {
    __m512i weights[Blocks];
    for (std::size_t b = 0; b < Blocks; ++b) weights[b] = _mm512_loadu_si512(packed + (b * quads + q) * 64);
    for (std::size_t p = 0; p < Count; ++p) {
      std::int32_t four;
      std::memcpy(&four, pixels[p] + 4 * q, 4);
      const __m512i input = _mm512_set1_epi32(four);
      for (std::size_t b = 0; b < Blocks; ++b)
        sums[p][b] = _mm512_dpbusd_epi32(sums[p][b], input, weights[b]);
    }
  }
  for (std::size_t p = 0; p < Count; ++p)
    for (std::size_t b = 0; b < Blocks; ++b) _mm512_storeu_si512(out + p * stride + b * kOutputs, sums[p][b]);
}

template <std::size_t Count>
void all_blocks(const std::uint8_t* const* pixels, const std::int8_t* packed, std::size_t quads,
                std::size_t blocks, std::int32_t* out, std::size_t stride) {
  std::size_t b = 0;
  for (; b + 2 <= blocks; b += 2)
    tile<Count, 2>(pixels, packed + b * quads * 64, quads, out + b * kOutputs, stride);
  if (b < blocks) tile<Count, 1>(pixels, packed + b * quads * 64, quads, out + b * kOutputs, stride);
}

}  // namespace

bool has_int8() {
  static const bool kHas = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
  return kHas;
}

void int8(const std::uint8_t* const* pixels, std::size_t count, const std::int8_t* packed, std::size_t quads,
          std::size_t blocks, std::int32_t* out, std::size_t stride) {
  using Function = void (*)(const std::uint8_t* const*, const std::int8_t*, std::size_t, std::size_t,
                            std::int32_t*, std::size_t);
  constexpr Function kByCount[kPixels] = {all_blocks<1>, all_blocks<2>, all_blocks<3>, all_blocks<4>,
                                          all_blocks<5>, all_blocks<6>, all_blocks<7>, all_blocks<8>};
  kByCount[count - 1](pixels, packed, quads, blocks, out, stride);
}

}  // namespace npubin::ethosu::products

#else

namespace npubin::ethosu::products {

bool has_int8() {
  return false;
}
void int8(const std::uint8_t* const*, std::size_t, const std::int8_t*, std::size_t, std::size_t,
          std::int32_t*, std::size_t) {}

}  // namespace npubin::ethosu::products

#endif
