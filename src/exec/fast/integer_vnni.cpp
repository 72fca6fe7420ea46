// AVX-512 VNNI forms of the 8-bit kernels. vpdpbusd multiplies unsigned bytes (sources: codes + 128; `start`
// takes the 128 back) with signed ones (weights) and does not saturate: sums wrap as the reference's do.
#include "exec/fast/integer_kernels.h"

#if defined(__x86_64__)
#include "exec/fast/vnni-inl.h"

namespace npubin::exec::fast {
namespace {

constexpr std::size_t kMostPanels = kPanelsTogether;

// round(x * scale), halves away from zero: Arm NN's rules where nothing is in doubt.
NPUBIN_VNNI_INLINE __m512i rounded_real(__m512i x, const Requantization& r, std::size_t place) {
  __m512 real = _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_loadu_ps(r.real_scale.data() + place));
  // What is far outside the codes must not leave the range of the conversion.
  real = _mm512_min_ps(_mm512_max_ps(real, _mm512_set1_ps(-65536.0f)), _mm512_set1_ps(65536.0f));
  const __m512 sign = _mm512_and_ps(real, _mm512_set1_ps(-0.0f));
  // The largest float below a half: adding a half itself would lift 0.49999997 over the edge.
  const __m512 half = _mm512_or_ps(sign, _mm512_set1_ps(0.49999997f));
  return _mm512_cvttps_epi32(_mm512_add_ps(real, half));
}

// The same where the reference's float32 sums may differ. What is far above the codes must not leave the
// range of the conversion; below it, INT_MIN is as good as any.
NPUBIN_VNNI_INLINE __m512 scaled_real(__m512i x, const Requantization& r, std::size_t place) {
  const __m512 real = _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_loadu_ps(r.real_scale.data() + place));
  return _mm512_min_ps(real, _mm512_set1_ps(65536.0f));
}
// Above a half: in doubt.
NPUBIN_VNNI_INLINE __m512 distance(__m512 real, const Requantization& r, std::size_t place) {
  return _mm512_add_ps(_mm512_abs_ps(_mm512_reduce_ps(real, 0)), _mm512_loadu_ps(r.doubt.data() + place));
}

// mul(x, m, s) of tflite spec 2.
NPUBIN_VNNI_INLINE __m512i rounded_exactly(__m512i x, const Requantization& r, std::size_t place) {
  x = _mm512_sllv_epi32(x, _mm512_loadu_si512(r.left_shift.data() + place));
  x = high_product(x, _mm512_loadu_si512(r.mantissa.data() + place));
  return divided(x, _mm512_loadu_si512(r.right_shift.data() + place));
}

// The same in float32; `doubt` grows to the largest distance from an integer.
NPUBIN_VNNI_INLINE __m512i rounded_quickly(__m512i x, const Requantization& r, std::size_t place,
                                           __m512& doubt) {
  const __m512 sum = _mm512_cvtepi32_ps(x);
  const __m512i offset = _mm512_ternarylogic_epi32(_mm512_castps_si512(sum), _mm512_set1_epi32(INT32_MIN),
                                                   _mm512_loadu_si512(r.offset.data() + place), 0xEA);
  const __m512 real =
      _mm512_fmadd_ps(sum, _mm512_loadu_ps(r.scale.data() + place), _mm512_castsi512_ps(offset));
  doubt = _mm512_range_ps(doubt, _mm512_reduce_ps(real, 0), 0x0B);  // the larger absolute value
  return _mm512_cvtps_epi32(real);
}

// Four vectors of codes without zero point, cut to the output's range and packed within 128-bit lanes: lane j
// of the result holds elements 4j..4j+3 of each vector in turn.
NPUBIN_VNNI_INLINE __m512i packed(const __m512i (&codes)[4], const Requantization& r) {
  const __m512i zero = _mm512_set1_epi16(static_cast<std::int16_t>(r.zero_point));
  const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(codes[0], codes[1]), zero);
  const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(codes[2], codes[3]), zero);
  const __m512i bytes = _mm512_packs_epi16(low, high);
  return _mm512_min_epi8(_mm512_max_epi8(bytes, _mm512_set1_epi8(static_cast<char>(r.low))),
                         _mm512_set1_epi8(static_cast<char>(r.high)));
}

// Which outputs the lanes of four vectors of sums stand for.
template <int Panels>
struct InPanels {  // panel after panel, pixel after pixel
  std::size_t first, step, end;
  std::size_t operator()(std::size_t vector, std::size_t lane) const {
    return first + vector / Panels * step + vector % Panels * 16 + lane;
  }
};
struct Interleaved {
  std::size_t first, end;
  std::size_t operator()(std::size_t vector, std::size_t lane) const {
    return first + interleaved_place(vector, lane);
  }
};

template <int Vectors, int Panels, class Outputs>
NPUBIN_VNNI __attribute__((noinline)) void note_doubts(const __m512i (&sums)[4], const Requantization& r,
                                                       std::size_t place, Outputs outputs, Doubts& doubts) {
  const __m512 low = _mm512_set1_ps(static_cast<float>(r.low - r.zero_point) - 1);
  const __m512 high = _mm512_set1_ps(static_cast<float>(r.high - r.zero_point) + 1);
  for (std::size_t n = 0; n < Vectors; ++n) {
    const std::size_t at = place + n % Panels * 16;
    const __m512 real = scaled_real(sums[n], r, at);
    unsigned mask = _mm512_cmp_ps_mask(distance(real, r, at), _mm512_set1_ps(0.5f), _CMP_GT_OQ) &
                    _mm512_cmp_ps_mask(real, low, _CMP_GT_OQ) & _mm512_cmp_ps_mask(real, high, _CMP_LT_OQ);
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t output = outputs(n, static_cast<std::size_t>(__builtin_ctz(mask)));
      if (output < outputs.end) doubts.add(output);
    }
  }
}

// `Vectors` vectors of sums at places `place`, `place` + 16, ... of `Panels` panels, then again from `place`
// on.
template <int Vectors, int Panels, class Outputs>
NPUBIN_VNNI_INLINE __m512i requantized(__m512i (&sums)[4], const Requantization& r, std::size_t place,
                                       Outputs outputs, Doubts* doubts) {
  if (r.quick) {
    __m512 doubt = _mm512_setzero_ps();
    __m512i codes[4];
    for (std::size_t n = 0; n < 4; ++n)
      codes[n] =
          n < Vectors ? rounded_quickly(sums[n], r, place + n % Panels * 16, doubt) : _mm512_setzero_si512();
    if (_mm512_cmp_ps_mask(doubt, _mm512_set1_ps(0.5f - kDoubt), _CMP_GT_OQ) == 0) [[likely]]
      return packed(codes, r);
  } else if (doubts != nullptr) {
    __m512 most = _mm512_setzero_ps();
    __m512i codes[4];
    for (std::size_t n = 0; n < 4; ++n) {
      codes[n] = _mm512_setzero_si512();
      if (n >= Vectors) continue;
      const __m512 real = scaled_real(sums[n], r, place + n % Panels * 16);
      most = _mm512_max_ps(most, distance(real, r, place + n % Panels * 16));
      codes[n] = _mm512_cvtps_epi32(real);
    }
    if (_mm512_cmp_ps_mask(most, _mm512_set1_ps(0.5f), _CMP_GT_OQ) != 0) [[unlikely]] {
      const __m512i copies[4] = {sums[0], sums[1], sums[2], sums[3]};  // so that the sums stay in registers
      note_doubts<Vectors, Panels>(copies, r, place, outputs, *doubts);
    }
    return packed(codes, r);
  }
  for (std::size_t n = 0; n < Vectors; ++n) {
    const std::size_t at = place + n % Panels * 16;
    sums[n] = r.real_scale.empty() ? rounded_exactly(sums[n], r, at) : rounded_real(sums[n], r, at);
  }
  for (std::size_t n = Vectors; n < 4; ++n) sums[n] = _mm512_setzero_si512();
  return packed(sums, r);
}

// Codes of one pixel of 1, 2 or more panels, the `k`th in the vector.
template <int Panels>
NPUBIN_VNNI_INLINE void store_pixel(__m512i codes, int k, __mmask64 mask, std::int8_t* out) {
  if constexpr (Panels == 1) {
    const __m128i part = k == 0   ? _mm512_castsi512_si128(codes)
                         : k == 1 ? _mm512_extracti32x4_epi32(codes, 1)
                         : k == 2 ? _mm512_extracti32x4_epi32(codes, 2)
                                  : _mm512_extracti32x4_epi32(codes, 3);
    _mm_mask_storeu_epi8(out, static_cast<__mmask16>(mask), part);
  } else if constexpr (Panels == 2) {
    const __m256i part = k == 0 ? _mm512_castsi512_si256(codes) : _mm512_extracti64x4_epi64(codes, 1);
    _mm256_mask_storeu_epi8(out, static_cast<__mmask32>(mask), part);
  } else {
    _mm512_mask_storeu_epi8(out, mask, codes);
  }
}

// `Pixels` pixels from `pixel` on times `Panels` panels in registers.
template <int Pixels, int Panels>
NPUBIN_VNNI void tile(const IntegerProduct& product, const ProductCall& call, std::size_t pixel,
                      std::size_t panel) {
  const std::size_t panel_bytes = product.segments * product.depth * kPanel;
  const std::int8_t* weights = product.weights.data() + panel * panel_bytes;
  __m512i sums[Pixels][Panels];
  for (int n = 0; n < Panels; ++n) {
    const __m512i start =
        _mm512_loadu_si512(product.start.data() + (panel + static_cast<std::size_t>(n)) * kPanel);
    for (int m = 0; m < Pixels; ++m) sums[m][n] = start;
  }
  for (std::size_t s = 0; s < product.segments; ++s) {
    const std::uint8_t* source = call.segments[s] + pixel * call.step;
    for (std::size_t k = 0; k < product.depth; k += 4, source += 4, weights += 4 * kPanel) {
      __m512i w[Panels];
      for (int n = 0; n < Panels; ++n)
        w[n] = _mm512_loadu_si512(weights + static_cast<std::size_t>(n) * panel_bytes);
      for (int m = 0; m < Pixels; ++m) {
        std::int32_t quad;
        std::memcpy(&quad, source + static_cast<std::size_t>(m) * call.step, 4);
        const __m512i x = _mm512_set1_epi32(quad);
        for (int n = 0; n < Panels; ++n) sums[m][n] = _mm512_dpbusd_epi32(sums[m][n], x, w[n]);
      }
    }
  }
  const std::size_t channel = panel * kPanel;
  const __mmask64 mask = first_bytes(std::min(Panels * kPanel, product.outputs - channel));
  // Pixels whose codes fill a vector are packed together.
  constexpr int kTogether = Panels > 2 ? 1 : 4 / Panels, kVectors = kTogether * Panels;
  for (int m = 0; m < Pixels; m += kTogether) {
    const std::size_t output = (pixel + static_cast<std::size_t>(m)) * product.outputs + channel;
    __m512i group[4];
    for (int n = 0; n < 4; ++n)
      group[n] = n < kVectors && m + n / Panels < Pixels
                     ? sums[std::min(m + n / Panels, Pixels - 1)][n % Panels]
                     : _mm512_setzero_si512();
    const __m512i codes = in_order(
        requantized<kVectors, Panels>(group, product.requantization, channel,
                                      InPanels<Panels>{output, product.outputs, SIZE_MAX}, call.doubts));
    for (int k = 0; k < kTogether && m + k < Pixels; ++k)
      store_pixel<Panels>(codes, k, mask, call.out + output + static_cast<std::size_t>(k) * product.outputs);
  }
}

using Tile = void (*)(const IntegerProduct&, const ProductCall&, std::size_t, std::size_t);

// Pixels at a time, by panels: as many sums as leave registers for weights.
constexpr std::size_t kMostPixels[] = {12, 8, 6, 6};
constexpr Tile kTiles[kMostPanels][12] = {
    {tile<1, 1>, tile<2, 1>, tile<3, 1>, tile<4, 1>, tile<5, 1>, tile<6, 1>, tile<7, 1>, tile<8, 1>,
     tile<9, 1>, tile<10, 1>, tile<11, 1>, tile<12, 1>},
    {tile<1, 2>, tile<2, 2>, tile<3, 2>, tile<4, 2>, tile<5, 2>, tile<6, 2>, tile<7, 2>, tile<8, 2>,
     tile<9, 2>, tile<10, 2>, tile<11, 2>, tile<12, 2>},
    {tile<1, 3>, tile<2, 3>, tile<3, 3>, tile<4, 3>, tile<5, 3>, tile<6, 3>, tile<7, 3>, tile<8, 3>},
    {tile<1, 4>, tile<2, 4>, tile<3, 4>, tile<4, 4>, tile<5, 4>, tile<6, 4>}};

void run_product(const IntegerProduct& product, const ProductCall& call) {
  for (std::size_t panel = call.first_panel; panel < call.last_panel; panel += kMostPanels) {
    const std::size_t wide = std::min(kMostPanels, call.last_panel - panel) - 1;
    for (std::size_t p = 0; p < call.pixels; p += kMostPixels[wide]) {
      const std::size_t here = std::min(kMostPixels[wide], call.pixels - p);
      if (call.doubts != nullptr) call.doubts->make_room();
      kTiles[wide][here - 1](product, call, p, panel);
    }
  }
}

// Four taps, interleaved two by two, to each of 64 sums.
NPUBIN_VNNI_INLINE void add_quad(__m512i low01, __m512i high01, __m512i low23, __m512i high23,
                                 const std::int8_t* weights, __m512i (&sums)[4]) {
  const __m512i groups[4] = {_mm512_unpacklo_epi16(low01, low23), _mm512_unpackhi_epi16(low01, low23),
                             _mm512_unpacklo_epi16(high01, high23), _mm512_unpackhi_epi16(high01, high23)};
  for (int g = 0; g < 4; ++g)
    sums[g] = _mm512_dpbusd_epi32(sums[g], groups[g], _mm512_loadu_si512(weights + g * 64));
}

// 64 outputs from byte `at` of every tap on. Taps: how many where that is known, else 0.
template <std::size_t Taps>
NPUBIN_VNNI_INLINE __m512i depthwise_block(const IntegerDepthwise& d, const std::uint8_t* const* sources,
                                           std::size_t at, std::size_t block, std::size_t count,
                                           Doubts* doubts) {
  const std::size_t taps = Taps != 0 ? Taps : d.taps, quads = (taps + 3) / 4;
  const std::int8_t* weights = d.quads.data() + block * quads * 256;
  const std::int32_t* start = d.start_blocks.data() + block * 64;
  __m512i sums[4];
  for (int g = 0; g < 4; ++g) sums[g] = _mm512_loadu_si512(start + g * 16);
  const std::size_t whole = taps % 4 == 1 ? taps / 4 : quads;
  for (std::size_t q = 0; q < whole; ++q, weights += 256) {
    __m512i x[4];
    for (std::size_t b = 0; b < 4; ++b)  // beyond the last: weights of 0
      x[b] = _mm512_loadu_si512(sources[std::min(q * 4 + b, taps - 1)] + at);
    add_quad(_mm512_unpacklo_epi8(x[0], x[1]), _mm512_unpackhi_epi8(x[0], x[1]),
             _mm512_unpacklo_epi8(x[2], x[3]), _mm512_unpackhi_epi8(x[2], x[3]), weights, sums);
  }
  if (whole < quads) {  // one tap alone, as in windows of 3 x 3 and 5 x 5
    const __m512i zero = _mm512_setzero_si512(), x = _mm512_loadu_si512(sources[taps - 1] + at);
    add_quad(_mm512_unpacklo_epi8(x, zero), _mm512_unpackhi_epi8(x, zero), zero, zero, weights, sums);
  }
  // Packing within 128-bit lanes undoes the interleaving.
  return requantized<4, 4>(sums, d.requantization_blocks, block * 64, Interleaved{at, count}, doubts);
}

template <std::size_t Taps>
NPUBIN_VNNI void depthwise_row(const IntegerDepthwise& depthwise, const std::uint8_t* const* taps,
                               std::size_t count, std::int8_t* out, Doubts* doubts) {
  std::size_t block = 0;
  for (std::size_t i = 0; i < count; i += 64) {
    if (doubts != nullptr) doubts->make_room();
    const __m512i codes = depthwise_block<Taps>(depthwise, taps, i, block, count, doubts);
    _mm512_mask_storeu_epi8(out + i, first_bytes(count - i), codes);
    if (++block == depthwise.blocks) block = 0;
  }
}

void run_depthwise(const IntegerDepthwise& depthwise, const std::uint8_t* const* taps, std::size_t count,
                   std::int8_t* out, Doubts* doubts) {
  (depthwise.taps == 9 ? depthwise_row<9> : depthwise_row<0>)(depthwise, taps, count, out, doubts);
}

NPUBIN_VNNI void flip(const std::int8_t* from, std::size_t from_step, std::uint8_t* to, std::size_t to_step,
                      std::size_t size, std::size_t pixels) {
  const __m512i top = _mm512_set1_epi8(static_cast<char>(0x80));
  for (std::size_t p = 0; p < pixels; ++p, from += from_step, to += to_step)
    for (std::size_t i = 0; i < size; i += 64) {
      const __mmask64 mask = first_bytes(size - i);
      _mm512_mask_storeu_epi8(to + i, mask, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, from + i), top));
    }
}

}  // namespace

const IntegerKernels* vnni_kernels() {
  static constexpr IntegerKernels kKernels{"VNNI", true,     run_product,     run_depthwise,
                                           flip,   vnni_add, vnni_add_quickly};
  return &kKernels;
}

}  // namespace npubin::exec::fast
#else

namespace npubin::exec::fast {
const IntegerKernels* vnni_kernels() {
  return nullptr;
}
}  // namespace npubin::exec::fast
#endif
