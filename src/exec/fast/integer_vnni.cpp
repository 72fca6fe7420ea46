// AVX-512 VNNI forms of the 8-bit kernels. Sources are read as unsigned bytes (codes + 128), which is what
// the instruction wants; `start` takes the 128 back. vpdpbusd does not saturate: sums wrap as the reference's
// do.
#include "exec/fast/integer_kernels.h"

#if defined(__x86_64__)
// g++ 12's header makes "undefined" vectors by initialising a variable with itself, and warns of that when
// inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#define NPUBIN_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define NPUBIN_VNNI_INLINE NPUBIN_VNNI __attribute__((always_inline)) inline

namespace npubin::exec::fast {
namespace {

constexpr std::size_t kMostPixels = 6, kMostPanels = 4;

// round(x * scale), halves away from zero, plus the zero point, within the range: Arm NN's rules.
NPUBIN_VNNI_INLINE __m512i requantize_real(__m512i x, const Requantization& r, std::size_t channel) {
  __m512 real = _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_loadu_ps(r.scale.data() + channel));
  // What is far outside the codes must not leave the range of the conversion.
  real = _mm512_min_ps(_mm512_max_ps(real, _mm512_set1_ps(-65536.0f)), _mm512_set1_ps(65536.0f));
  const __m512 sign = _mm512_and_ps(real, _mm512_set1_ps(-0.0f));
  // The largest float below a half: adding a half itself would lift 0.49999997 over the edge.
  const __m512 half = _mm512_or_ps(sign, _mm512_set1_ps(0.49999997f));
  const __m512i code =
      _mm512_add_epi32(_mm512_cvttps_epi32(_mm512_add_ps(real, half)), _mm512_set1_epi32(r.zero_point));
  return _mm512_min_epi32(_mm512_max_epi32(code, _mm512_set1_epi32(r.low)), _mm512_set1_epi32(r.high));
}

// mul(x, m, s) of tflite spec 2 on 16 lanes, plus the output's zero point, within its range.
NPUBIN_VNNI_INLINE __m512i requantize(__m512i x, const Requantization& r, std::size_t channel) {
  if (!r.scale.empty()) return requantize_real(x, r, channel);
  const __m512i mantissa = _mm512_loadu_si512(r.mantissa.data() + channel);
  const __m512i left = _mm512_loadu_si512(r.left_shift.data() + channel);
  const __m512i right = _mm512_loadu_si512(r.right_shift.data() + channel);
  x = _mm512_sllv_epi32(x, left);
  const __m512i half = _mm512_set1_epi64(std::int64_t{1} << 30);
  const __m512i even = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epi32(x, mantissa), half), 31);
  const __m512i odd_product = _mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(mantissa, 32));
  const __m512i odd = _mm512_slli_epi64(_mm512_add_epi64(odd_product, half), 1);
  const __m512i high = _mm512_mask_blend_epi32(0xAAAA, even, odd);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
  const __m512i dropped = _mm512_and_si512(high, mask);
  // (mask >> 1) + (x < 0)
  const __m512i threshold = _mm512_add_epi32(_mm512_srli_epi32(mask, 1), _mm512_srli_epi32(high, 31));
  __m512i code = _mm512_srav_epi32(high, right);
  code = _mm512_mask_add_epi32(code, _mm512_cmpgt_epi32_mask(dropped, threshold), code, one);
  code = _mm512_add_epi32(code, _mm512_set1_epi32(r.zero_point));
  return _mm512_min_epi32(_mm512_max_epi32(code, _mm512_set1_epi32(r.low)), _mm512_set1_epi32(r.high));
}

// `Pixels` pixels times `Panels` panels in registers.
template <int Pixels, int Panels>
NPUBIN_VNNI void tile(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t panel,
                      std::int8_t* out) {
  const std::size_t panel_bytes = product.segments * product.depth * kPanel;
  const std::int8_t* weights = product.weights.data() + panel * panel_bytes;
  __m512i sums[Pixels][Panels];
  for (int n = 0; n < Panels; ++n) {
    const __m512i start =
        _mm512_loadu_si512(product.start.data() + (panel + static_cast<std::size_t>(n)) * kPanel);
    for (int m = 0; m < Pixels; ++m) sums[m][n] = start;
  }
  const __m512i flip = _mm512_set1_epi8(static_cast<char>(0x80));
  for (std::size_t s = 0; s < product.segments; ++s) {
    const std::int8_t* source[Pixels];
    for (int m = 0; m < Pixels; ++m) source[m] = rows[static_cast<std::size_t>(m) * product.segments + s];
    for (std::size_t k = 0; k < product.depth; k += 4, weights += 4 * kPanel) {
      __m512i w[Panels];
      for (int n = 0; n < Panels; ++n)
        w[n] = _mm512_loadu_si512(weights + static_cast<std::size_t>(n) * panel_bytes);
      for (int m = 0; m < Pixels; ++m) {
        std::int32_t quad;
        std::memcpy(&quad, source[m] + k, 4);
        const __m512i x = _mm512_xor_si512(_mm512_set1_epi32(quad), flip);
        for (int n = 0; n < Panels; ++n) sums[m][n] = _mm512_dpbusd_epi32(sums[m][n], x, w[n]);
      }
    }
  }
  for (int n = 0; n < Panels; ++n) {
    const std::size_t channel = (panel + static_cast<std::size_t>(n)) * kPanel;
    const std::size_t here = std::min(kPanel, product.outputs - channel);
    const auto mask = static_cast<__mmask16>((1u << here) - 1u);
    for (int m = 0; m < Pixels; ++m) {
      const __m512i code = requantize(sums[m][n], product.requantization, channel);
      _mm_mask_storeu_epi8(out + static_cast<std::size_t>(m) * product.outputs + channel, mask,
                           _mm512_cvtsepi32_epi8(code));
    }
  }
}

// RDP(SRDHM(x, m), right) on 16 lanes, one multiplier for all.
NPUBIN_VNNI_INLINE __m512i rescale(__m512i x, std::int32_t mantissa, int right) {
  const __m512i m = _mm512_set1_epi64(mantissa);
  const __m512i half = _mm512_set1_epi64(std::int64_t{1} << 30);
  const __m512i even = _mm512_srli_epi64(_mm512_add_epi64(_mm512_mul_epi32(x, m), half), 31);
  const __m512i odd =
      _mm512_slli_epi64(_mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(x, 32), m), half), 1);
  const __m512i high = _mm512_mask_blend_epi32(0xAAAA, even, odd);
  const std::int32_t mask = static_cast<std::int32_t>((1u << right) - 1u);
  const __m512i dropped = _mm512_and_si512(high, _mm512_set1_epi32(mask));
  const __m512i threshold = _mm512_add_epi32(_mm512_set1_epi32(mask >> 1), _mm512_srli_epi32(high, 31));
  const __m512i code = _mm512_srav_epi32(high, _mm512_set1_epi32(right));
  return _mm512_mask_add_epi32(code, _mm512_cmpgt_epi32_mask(dropped, threshold), code, _mm512_set1_epi32(1));
}

NPUBIN_VNNI_INLINE __m512i widened(const std::int8_t* codes, __mmask16 mask, std::int32_t zero_point) {
  const __m512i x = _mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(mask, codes));
  return _mm512_slli_epi32(_mm512_sub_epi32(x, _mm512_set1_epi32(zero_point)), 20);
}

using Tile = void (*)(const IntegerProduct&, const std::int8_t* const*, std::size_t, std::int8_t*);
constexpr Tile kTiles[kMostPixels][kMostPanels] = {
    {tile<1, 1>, tile<1, 2>, tile<1, 3>, tile<1, 4>}, {tile<2, 1>, tile<2, 2>, tile<2, 3>, tile<2, 4>},
    {tile<3, 1>, tile<3, 2>, tile<3, 3>, tile<3, 4>}, {tile<4, 1>, tile<4, 2>, tile<4, 3>, tile<4, 4>},
    {tile<5, 1>, tile<5, 2>, tile<5, 3>, tile<5, 4>}, {tile<6, 1>, tile<6, 2>, tile<6, 3>, tile<6, 4>}};

// 64 channels (or `here` of them) of one pixel.
NPUBIN_VNNI void depthwise_block(const IntegerDepthwise& d, const std::int8_t* const* rows, std::size_t block,
                                 std::size_t here, std::int8_t* out) {
  const auto mask = static_cast<__mmask64>(here == 64 ? ~0ull : (1ull << here) - 1);
  const __m512i flip = _mm512_set1_epi8(static_cast<char>(0x80));
  const std::size_t quads = (d.taps + 3) / 4;
  const std::int8_t* weights = d.quads.data() + block * quads * 256;
  const std::int32_t* start = d.start_blocks.data() + block * 64;
  __m512i sums[4];
  for (int g = 0; g < 4; ++g) sums[g] = _mm512_loadu_si512(start + g * 16);
  for (std::size_t q = 0; q < quads; ++q, weights += 256) {
    __m512i x[4];
    for (std::size_t b = 0; b < 4; ++b) {
      const std::size_t tap = std::min(q * 4 + b, d.taps - 1);  // beyond the last tap the weights are 0
      x[b] = _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, rows[tap] + block * 64), flip);
    }
    const __m512i low01 = _mm512_unpacklo_epi8(x[0], x[1]), high01 = _mm512_unpackhi_epi8(x[0], x[1]);
    const __m512i low23 = _mm512_unpacklo_epi8(x[2], x[3]), high23 = _mm512_unpackhi_epi8(x[2], x[3]);
    const __m512i groups[4] = {_mm512_unpacklo_epi16(low01, low23), _mm512_unpackhi_epi16(low01, low23),
                               _mm512_unpacklo_epi16(high01, high23), _mm512_unpackhi_epi16(high01, high23)};
    for (int g = 0; g < 4; ++g)
      sums[g] = _mm512_dpbusd_epi32(sums[g], groups[g], _mm512_loadu_si512(weights + g * 64));
  }
  for (std::size_t g = 0; g < 4; ++g)
    sums[g] = requantize(sums[g], d.requantization_blocks, block * 64 + g * 16);
  // Packing within 128-bit lanes undoes the interleaving.
  const __m512i low = _mm512_packs_epi32(sums[0], sums[1]), high = _mm512_packs_epi32(sums[2], sums[3]);
  _mm512_mask_storeu_epi8(out + block * 64, mask, _mm512_packs_epi16(low, high));
}

}  // namespace

void run_product_vnni(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t pixels,
                      std::int8_t* out) {
  const std::size_t panels = (product.outputs + kPanel - 1) / kPanel;
  for (std::size_t p = 0; p < pixels; p += kMostPixels) {
    const std::size_t here = std::min(kMostPixels, pixels - p);
    for (std::size_t panel = 0; panel < panels; panel += kMostPanels)
      kTiles[here - 1][std::min(kMostPanels, panels - panel) - 1](product, rows + p * product.segments, panel,
                                                                  out + p * product.outputs);
  }
}

void run_depthwise_vnni(const IntegerDepthwise& depthwise, const std::int8_t* const* rows, std::size_t pixels,
                        std::int8_t* out) {
  for (std::size_t p = 0; p < pixels; ++p, rows += depthwise.taps, out += depthwise.channels)
    for (std::size_t c = 0; c < depthwise.channels; c += 64)
      depthwise_block(depthwise, rows, c / 64, std::min<std::size_t>(64, depthwise.channels - c), out);
}

NPUBIN_VNNI void run_add_vnni(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b,
                              std::int8_t* out, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 16) {
    const std::size_t here = std::min<std::size_t>(16, count - i);
    const auto mask = static_cast<__mmask16>((1u << here) - 1u);
    const __m512i left = rescale(widened(a + i, mask, add.zero_a), add.mantissa_a, add.right_a);
    const __m512i right = rescale(widened(b + i, mask, add.zero_b), add.mantissa_b, add.right_b);
    __m512i code = rescale(_mm512_add_epi32(left, right), add.mantissa_out, add.right_out);
    code = _mm512_add_epi32(code, _mm512_set1_epi32(add.zero_out));
    code = _mm512_min_epi32(_mm512_max_epi32(code, _mm512_set1_epi32(add.low)), _mm512_set1_epi32(add.high));
    _mm_mask_storeu_epi8(out + i, mask, _mm512_cvtsepi32_epi8(code));
  }
}

}  // namespace npubin::exec::fast
#else

namespace npubin::exec::fast {
void run_product_vnni(const IntegerProduct& product, const std::int8_t* const* rows, std::size_t pixels,
                      std::int8_t* out) {
  run_product_generic(product, rows, pixels, out);
}
void run_depthwise_vnni(const IntegerDepthwise& depthwise, const std::int8_t* const* rows, std::size_t pixels,
                        std::int8_t* out) {
  run_depthwise_generic(depthwise, rows, pixels, out);
}
void run_add_vnni(const IntegerAdd& add, const std::int8_t* a, const std::int8_t* b, std::int8_t* out,
                  std::size_t count) {
  run_add_generic(add, a, b, out, count);
}
}  // namespace npubin::exec::fast
#endif
