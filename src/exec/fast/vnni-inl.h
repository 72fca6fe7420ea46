// What the AVX-512 VNNI forms of the 8-bit kernels share. Only for files that are compiled for x86-64.
#pragma once

// g++ 12's header makes "undefined" vectors by initialising a variable with itself, and warns of that when
// inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#define NPUBIN_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma")))
#define NPUBIN_VNNI_INLINE NPUBIN_VNNI __attribute__((always_inline)) inline

#include "exec/fast/integer_kernels.h"

namespace npubin::exec::fast {

NPUBIN_VNNI_INLINE __mmask64 first_bytes(std::size_t count) {
  return count >= 64 ? ~__mmask64{0} : (__mmask64{1} << count) - 1;
}

// SRDHM(x, mantissa) by tflite spec 2, mantissas by lane.
NPUBIN_VNNI_INLINE __m512i high_product(__m512i x, __m512i mantissa) {
  const __m512i half = _mm512_set1_epi64(std::int64_t{1} << 30);
  const __m512i even = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epi32(x, mantissa), half), 31);
  const __m512i odd_product = _mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(mantissa, 32));
  const __m512i odd = _mm512_slli_epi64(_mm512_add_epi64(odd_product, half), 1);
  return _mm512_mask_blend_epi32(0xAAAA, even, odd);
}

// RDP(x, right): the quotient by a power of two, halves away from zero.
NPUBIN_VNNI_INLINE __m512i divided(__m512i x, __m512i right) {
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
  const __m512i dropped = _mm512_and_si512(x, mask);
  // (mask >> 1) + (x < 0)
  const __m512i threshold = _mm512_add_epi32(_mm512_srli_epi32(mask, 1), _mm512_srli_epi32(x, 31));
  const __m512i quotient = _mm512_srav_epi32(x, right);
  return _mm512_mask_add_epi32(quotient, _mm512_cmpgt_epi32_mask(dropped, threshold), quotient, one);
}

// What packing within 128-bit lanes has left: the first vector's codes first.
NPUBIN_VNNI_INLINE __m512i in_order(__m512i packed_codes) {
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, packed_codes);
}

// ADD; in integer_vnni_add.cpp.
void vnni_add(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
              std::size_t count);
void vnni_add_quickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                      std::size_t count);

}  // namespace npubin::exec::fast
