// AVX-512 forms of ADD of 8-bit codes.
#if defined(__x86_64__)
#include "exec/fast/vnni-inl.h"

namespace npubin::exec::fast {
namespace {

NPUBIN_VNNI_INLINE __m512i widened(const std::int8_t* codes, __mmask16 mask, std::int32_t zero_point) {
  const __m512i x = _mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(mask, codes));
  return _mm512_slli_epi32(_mm512_sub_epi32(x, _mm512_set1_epi32(zero_point)), 20);
}

NPUBIN_VNNI_INLINE __m512i rescaled(__m512i x, std::int32_t mantissa, int right) {
  return divided(high_product(x, _mm512_set1_epi32(mantissa)), _mm512_set1_epi32(right));
}

NPUBIN_VNNI_INLINE __m512i added(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                                 __mmask16 mask) {
  const __m512i left = rescaled(widened(a, mask, add.zero_a), add.mantissa_a, add.right_a);
  const __m512i right = rescaled(widened(b, mask, add.zero_b), add.mantissa_b, add.right_b);
  const __m512i code = rescaled(_mm512_add_epi32(left, right), add.mantissa_out, add.right_out);
  return _mm512_add_epi32(code, _mm512_set1_epi32(add.zero_out));
}

NPUBIN_VNNI_INLINE __m512 real_of(const std::int8_t* codes, __mmask16 mask) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(mask, codes)));
}

NPUBIN_VNNI_INLINE void store_codes(const IntegerAdd& add, std::int8_t* out, __mmask16 mask, __m512i codes) {
  const __m128i low = _mm_set1_epi8(static_cast<char>(add.low)),
                high = _mm_set1_epi8(static_cast<char>(add.high));
  _mm_mask_storeu_epi8(out, mask, _mm_min_epi8(_mm_max_epi8(_mm512_cvtsepi32_epi8(codes), low), high));
}

NPUBIN_VNNI_INLINE __m512 quick_sum(const IntegerAdd& add, __m512 left, __m512 right) {
  const __m512 constant = _mm512_set1_ps(add.constant);
  return _mm512_fmadd_ps(left, _mm512_set1_ps(add.factor_a),
                         _mm512_fmadd_ps(right, _mm512_set1_ps(add.factor_b), constant));
}

// At most 16 codes.
NPUBIN_VNNI_INLINE void add_few_quickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                                        std::int8_t* out, std::size_t count) {
  const auto mask = static_cast<__mmask16>(first_bytes(count));
  const __m512 real = quick_sum(add, real_of(a, mask), real_of(b, mask));
  const __m512 sure = _mm512_set1_ps(0.5f - add.doubt);
  __m512i codes = _mm512_cvtps_epi32(real);
  if (add.doubt > 0 && _mm512_cmp_ps_mask(_mm512_abs_ps(_mm512_reduce_ps(real, 0)), sure, _CMP_GT_OQ) != 0)
      [[unlikely]]
    codes = added(add, a, b, mask);
  store_codes(add, out, mask, codes);
}

// 64 codes; false, and nothing stored, where one of them is in doubt.
template <bool Doubts>
NPUBIN_VNNI_INLINE bool add_many_quickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                                         std::int8_t* out) {
  __m512 most = _mm512_setzero_ps();
  __m512i codes[4];
  for (int n = 0; n < 4; ++n) {
    const __m512 real = quick_sum(add, real_of(a + n * 16, 0xFFFF), real_of(b + n * 16, 0xFFFF));
    if (Doubts) most = _mm512_range_ps(most, _mm512_reduce_ps(real, 0), 0x0B);  // the larger absolute value
    codes[n] = _mm512_cvtps_epi32(real);
  }
  if (Doubts && _mm512_cmp_ps_mask(most, _mm512_set1_ps(0.5f - add.doubt), _CMP_GT_OQ) != 0) [[unlikely]]
    return false;
  const __m512i bytes =
      _mm512_packs_epi16(_mm512_packs_epi32(codes[0], codes[1]), _mm512_packs_epi32(codes[2], codes[3]));
  const __m512i cut = _mm512_min_epi8(_mm512_max_epi8(bytes, _mm512_set1_epi8(static_cast<char>(add.low))),
                                      _mm512_set1_epi8(static_cast<char>(add.high)));
  _mm512_storeu_si512(out, in_order(cut));
  return true;
}

}  // namespace

NPUBIN_VNNI void vnni_add(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                          std::size_t count) {
  for (std::size_t i = 0; i < count; i += 16) {
    const auto mask = static_cast<__mmask16>(first_bytes(count - i));
    store_codes(add, out + i, mask, added(add, a + i, b + i, mask));
  }
}

NPUBIN_VNNI void vnni_add_quickly(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                                  std::int8_t* out, std::size_t count) {
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    if (add.doubt > 0 ? add_many_quickly<true>(add, a + i, b + i, out + i)
                      : add_many_quickly<false>(add, a + i, b + i, out + i)) [[likely]]
      continue;
    for (std::size_t k = i; k < i + 64; k += 16) add_few_quickly(add, a + k, b + k, out + k, 16);
  }
  for (; i < count; i += 16) add_few_quickly(add, a + i, b + i, out + i, count - i);
}

}  // namespace npubin::exec::fast
#endif
