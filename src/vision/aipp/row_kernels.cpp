#include "vision/aipp/row_kernels.h"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision/aipp/row_kernels.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace npubin::aipp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Conversions between float and half round as IEEE says only where the machine has them.
#undef NPUBIN_NATIVE_HALF
#undef NPUBIN_PAIR_PRODUCTS
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)) || (HWY_ARCH_ARM_A64)
#define NPUBIN_NATIVE_HALF 1
#else
#define NPUBIN_NATIVE_HALF 0
#endif
// x86 multiplies pairs of neighbouring 16-bit lanes and adds the two products in their 32-bit lane.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#define NPUBIN_PAIR_PRODUCTS 1
#else
#define NPUBIN_PAIR_PRODUCTS 0
#endif

using D8 = hn::ScalableTag<std::uint8_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using DF = hn::ScalableTag<float>;
using Quarter8 = hn::Rebind<std::uint8_t, D32>;  // as many bytes as there are 32-bit lanes
using Half16 = hn::Rebind<std::uint16_t, DF>;
using HalfFloat = hn::Rebind<hwy::float16_t, DF>;
using VI = hn::Vec<D32>;
using VF = hn::Vec<DF>;

HWY_INLINE VI load_pixels(const std::uint8_t* in) {
  return hn::PromoteTo(D32(), hn::LoadU(Quarter8(), in));
}

void SplitPixels3(const std::uint8_t* HWY_RESTRICT in, std::size_t n, std::uint8_t* const planes[3]) {
  const D8 d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<D8> a, b, c;
    hn::LoadInterleaved3(d, in + 3 * i, a, b, c);
    hn::StoreU(a, d, planes[0] + i);
    hn::StoreU(b, d, planes[1] + i);
    hn::StoreU(c, d, planes[2] + i);
  }
  for (; i < n; ++i)
    for (std::size_t c = 0; c < 3; ++c) planes[c][i] = in[3 * i + c];
}

void SplitPixels4(const std::uint8_t* HWY_RESTRICT in, std::size_t n, std::uint8_t* const planes[4]) {
  const D8 d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<D8> a, b, c, e;
    hn::LoadInterleaved4(d, in + 4 * i, a, b, c, e);
    hn::StoreU(a, d, planes[0] + i);
    hn::StoreU(b, d, planes[1] + i);
    hn::StoreU(c, d, planes[2] + i);
    hn::StoreU(e, d, planes[3] + i);
  }
  for (; i < n; ++i)
    for (std::size_t c = 0; c < 4; ++c) planes[c][i] = in[4 * i + c];
}

void SpreadChroma(const std::uint8_t* HWY_RESTRICT in, std::size_t pairs, std::uint8_t* HWY_RESTRICT first,
                  std::uint8_t* HWY_RESTRICT second) {
  const D8 d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    hn::Vec<D8> u, v;
    hn::LoadInterleaved2(d, in + 2 * i, u, v);
    hn::StoreInterleaved2(u, u, d, first + 2 * i);
    hn::StoreInterleaved2(v, v, d, second + 2 * i);
  }
  for (; i < pairs; ++i) {
    first[2 * i] = first[2 * i + 1] = in[2 * i];
    second[2 * i] = second[2 * i + 1] = in[2 * i + 1];
  }
}

void SplitYuyv(const std::uint8_t* HWY_RESTRICT in, std::size_t pairs, std::uint8_t* HWY_RESTRICT y,
               std::uint8_t* HWY_RESTRICT u, std::uint8_t* HWY_RESTRICT v) {
  const D8 d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    hn::Vec<D8> y0, u0, y1, v0;
    hn::LoadInterleaved4(d, in + 4 * i, y0, u0, y1, v0);
    hn::StoreInterleaved2(y0, y1, d, y + 2 * i);
    hn::StoreInterleaved2(u0, u0, d, u + 2 * i);
    hn::StoreInterleaved2(v0, v0, d, v + 2 * i);
  }
  for (; i < pairs; ++i) {
    y[2 * i] = in[4 * i];
    y[2 * i + 1] = in[4 * i + 2];
    u[2 * i] = u[2 * i + 1] = in[4 * i + 1];
    v[2 * i] = v[2 * i + 1] = in[4 * i + 3];
  }
}

// One row of the matrix, ready for pairs of 16-bit products.
struct MatrixRow {
  VI first_two, third, constant;
};

HWY_INLINE MatrixRow matrix_row(const Conversion& conversion, std::size_t row) {
  const auto& cells = conversion.cells[row];
  const D32 d;
  const auto low = static_cast<std::uint32_t>(static_cast<std::uint16_t>(cells[0]));
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint16_t>(cells[1])) << 16;
#if NPUBIN_PAIR_PRODUCTS
  return {hn::Set(d, std::bit_cast<std::int32_t>(low | high)),
          hn::Set(d, static_cast<std::int32_t>(static_cast<std::uint16_t>(cells[2]))),
          hn::Set(d, conversion.constants[row])};
#else
  (void)low;
  (void)high;
  return {hn::Set(d, cells[0]), hn::Set(d, cells[2]), hn::Set(d, conversion.constants[row])};
#endif
}

// Pixels as pairs (a, b) and (c, 0) of 16-bit lanes where pairwise products exist, else as 32-bit lanes.
struct PixelPairs {
  VI first_two, third, second;
};

HWY_INLINE PixelPairs load_pairs(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c) {
  const VI va = load_pixels(a);
  const VI vb = load_pixels(b);
#if NPUBIN_PAIR_PRODUCTS
  return {hn::Or(va, hn::ShiftLeft<16>(vb)), load_pixels(c), vb};
#else
  return {va, load_pixels(c), vb};
#endif
}

// clip((m0 a + m1 b + m2 c + constant) >> 8), exact: the sum stays below 2^25.
HWY_INLINE VI convert(const PixelPairs& pixels, const MatrixRow& row, std::int32_t second_cell) {
  const D32 d;
#if NPUBIN_PAIR_PRODUCTS
  (void)second_cell;
  const hn::Repartition<std::int16_t, D32> d16;
  VI unused = hn::Zero(d);
  VI sum = hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, pixels.first_two),
                                         hn::BitCast(d16, row.first_two), row.constant, unused);
  sum = hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, pixels.third), hn::BitCast(d16, row.third), sum,
                                      unused);
#else
  VI sum = hn::Add(row.constant, hn::Mul(pixels.first_two, row.first_two));
  sum = hn::Add(sum, hn::Mul(pixels.second, hn::Set(d, second_cell)));
  sum = hn::Add(sum, hn::Mul(pixels.third, row.third));
#endif
  return hn::Min(hn::Max(hn::ShiftRight<8>(sum), hn::Zero(d)), hn::Set(d, 255));
}

void ConvertRow(const Conversion& conversion, const std::uint8_t* const in[3], std::size_t n,
                std::uint8_t* const out[3]) {
  const std::size_t lanes = hn::Lanes(D32());
  const MatrixRow rows[3] = {matrix_row(conversion, 0), matrix_row(conversion, 1), matrix_row(conversion, 2)};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const PixelPairs pixels = load_pairs(in[0] + i, in[1] + i, in[2] + i);
    for (std::size_t c = 0; c < 3; ++c)
      hn::StoreU(hn::DemoteTo(Quarter8(), convert(pixels, rows[c], conversion.cells[c][1])), Quarter8(),
                 out[c] + i);
  }
  for (; i < n; ++i) {
    const std::int32_t a = in[0][i], b = in[1][i], c = in[2][i];
    for (int row = 0; row < 3; ++row) out[row][i] = conversion.of(row, a, b, c);
  }
}

struct NormaliseVectors {
  VF mean, min, var_reci;
};

HWY_INLINE NormaliseVectors normalise_vectors(const Normalisation& n) {
  const DF d;
  return {hn::Set(d, static_cast<float>(n.mean)), hn::Set(d, n.min), hn::Set(d, n.var_reci)};
}

#if NPUBIN_NATIVE_HALF
HWY_INLINE hn::Vec<Half16> to_half(VF value) {
  return hn::BitCast(Half16(), hn::DemoteTo(HalfFloat(), value));
}
HWY_INLINE VF from_half(hn::Vec<Half16> value) {
  return hn::PromoteTo(DF(), hn::BitCast(HalfFloat(), value));
}
#endif

// px - mean is exact in half here (see vector_fits); each further step rounds to half once, as float holds
// the exact difference and product closely enough for that (24 >= 2 * 11 + 2 bits).
HWY_INLINE VF normalise(VI pixels, const NormaliseVectors& v, bool half_steps) {
  const VF difference = hn::Sub(hn::Sub(hn::ConvertTo(DF(), pixels), v.mean), v.min);
#if NPUBIN_NATIVE_HALF
  if (half_steps) return hn::Mul(from_half(to_half(difference)), v.var_reci);
#endif
  (void)half_steps;
  return hn::Mul(difference, v.var_reci);
}

void NormaliseToHalf(const Normalisation& n, const TableHalf& table, const std::uint8_t* HWY_RESTRICT in,
                     std::size_t count, std::uint16_t* HWY_RESTRICT out, bool stream) {
  std::size_t i = 0;
#if NPUBIN_NATIVE_HALF
  const std::size_t lanes = hn::Lanes(DF());
  const NormaliseVectors v = normalise_vectors(n);
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % (2 * lanes) == 0;
  if (stream && aligned)
    for (; i + lanes <= count; i += lanes)
      hn::Stream(to_half(normalise(load_pixels(in + i), v, n.half_steps)), Half16(), out + i);
  else
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(to_half(normalise(load_pixels(in + i), v, n.half_steps)), Half16(), out + i);
#endif
  (void)n;
  (void)stream;
  for (; i < count; ++i) out[i] = table[in[i]];
}

void NormaliseToSingle(const Normalisation& n, const TableSingle& table, const std::uint8_t* HWY_RESTRICT in,
                       std::size_t count, float* HWY_RESTRICT out, bool stream) {
  std::size_t i = 0;
  if (NPUBIN_NATIVE_HALF || !n.half_steps) {
    const DF d;
    const std::size_t lanes = hn::Lanes(d);
    const NormaliseVectors v = normalise_vectors(n);
    const bool aligned = reinterpret_cast<std::uintptr_t>(out) % (4 * lanes) == 0;
    for (; i + lanes <= count; i += lanes) {
      VF value = normalise(load_pixels(in + i), v, n.half_steps);
#if NPUBIN_NATIVE_HALF
      if (n.half_steps) value = from_half(to_half(value));
#endif
      if (stream && aligned)
        hn::Stream(value, d, out + i);
      else
        hn::StoreU(value, d, out + i);
    }
  }
  for (; i < count; ++i) out[i] = table[in[i]];
}

void ConvertAndNormalise(const ConvertedRows& rows, std::size_t n) {
  const Plan& plan = *rows.plan;
  const Conversion& conversion = plan.conversion;
  std::size_t i = 0;
#if NPUBIN_NATIVE_HALF
  const std::size_t lanes = hn::Lanes(DF());
  const bool half_steps = plan.normalisation[0].half_steps;
  const MatrixRow matrix[3] = {matrix_row(conversion, 0), matrix_row(conversion, 1),
                               matrix_row(conversion, 2)};
  const NormaliseVectors v[3] = {normalise_vectors(plan.normalisation[0]),
                                 normalise_vectors(plan.normalisation[1]),
                                 normalise_vectors(plan.normalisation[2])};
  bool stream = rows.stream;
  for (const std::uint16_t* out : rows.out)
    stream = stream && reinterpret_cast<std::uintptr_t>(out) % (2 * lanes) == 0;
  for (; i + lanes <= n; i += lanes) {
    const PixelPairs pixels = load_pairs(rows.in[0] + i, rows.in[1] + i, rows.in[2] + i);
    for (std::size_t c = 0; c < 3; ++c) {
      const VI level = convert(pixels, matrix[c], conversion.cells[c][1]);
      const auto half = to_half(normalise(level, v[c], half_steps));
      if (stream)
        hn::Stream(half, Half16(), rows.out[c] + i);
      else
        hn::StoreU(half, Half16(), rows.out[c] + i);
    }
  }
#endif
  for (; i < n; ++i) {
    const std::int32_t a = rows.in[0][i], b = rows.in[1][i], c = rows.in[2][i];
    for (int row = 0; row < 3; ++row)
      rows.out[row][i] = plan.half_tables[static_cast<std::size_t>(row)][conversion.of(row, a, b, c)];
  }
}

#if NPUBIN_NATIVE_HALF && NPUBIN_PAIR_PRODUCTS
// One channel of a semi-planar row: cells for (first, second) chroma and for the even and the odd pixel of a
// pair.
struct PairCells {
  VI chroma, even, odd, constant;
  VF offset, var_reci;
};

HWY_INLINE PairCells pair_cells(const Plan& plan, std::size_t row) {
  const D32 d;
  const auto& cells = plan.conversion.cells[row];
  const auto bits = [&](std::size_t i) { return std::uint32_t{static_cast<std::uint16_t>(cells[i])}; };
  const std::size_t first = plan.settings.swap_rb_uv ? 2 : 1;
  const Normalisation& n = plan.normalisation[row];
  return {hn::Set(d, std::bit_cast<std::int32_t>(bits(first) | bits(3 - first) << 16)),
          hn::Set(d, static_cast<std::int32_t>(bits(0))),
          hn::Set(d, std::bit_cast<std::int32_t>(bits(0) << 16)),
          hn::Set(d, plan.conversion.constants[row]),
          hn::Set(DF(), static_cast<float>(n.mean) + n.min),
          hn::Set(DF(), n.var_reci)};
}

HWY_INLINE hn::Vec<Half16> finished(VI sum, const PairCells& cells, bool half_steps) {
  const D32 d;
  const VI level = hn::Min(hn::Max(hn::ShiftRight<8>(sum), hn::Zero(d)), hn::Set(d, 255));
  VF value = hn::Sub(hn::ConvertTo(DF(), level), cells.offset);
  if (half_steps) value = from_half(to_half(value));
  return to_half(hn::Mul(value, cells.var_reci));
}

// Two pixels share a chroma pair, so its products are made once for both.
template <bool kHalfSteps, bool kStream>
std::size_t semi_planar_loop(const SemiPlanarRows& rows, std::size_t n) {
  const D32 d;
  const hn::Repartition<std::int16_t, D32> d16;
  const hn::Repartition<std::uint16_t, D32> du16;
  const hn::RebindToUnsigned<D32> du32;
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  const std::size_t step = hn::Lanes(d16);
  const PairCells cells[3] = {pair_cells(*rows.plan, 0), pair_cells(*rows.plan, 1),
                              pair_cells(*rows.plan, 2)};
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    const auto luma = hn::PromoteTo(d16, hn::LoadU(d8, rows.luma + i));
    const auto chroma = hn::PromoteTo(d16, hn::LoadU(d8, rows.chroma + i));
    for (std::size_t c = 0; c < 3; ++c) {
      VI unused = hn::Zero(d);
      const VI shared = hn::ReorderWidenMulAccumulate(d, chroma, hn::BitCast(d16, cells[c].chroma),
                                                      cells[c].constant, unused);
      const VI even = hn::ReorderWidenMulAccumulate(d, luma, hn::BitCast(d16, cells[c].even), shared, unused);
      const VI odd = hn::ReorderWidenMulAccumulate(d, luma, hn::BitCast(d16, cells[c].odd), shared, unused);
      const auto low = hn::PromoteTo(du32, finished(even, cells[c], kHalfSteps));
      const auto high = hn::PromoteTo(du32, finished(odd, cells[c], kHalfSteps));
      const auto both = hn::BitCast(du16, hn::Or(low, hn::ShiftLeft<16>(high)));
      if (kStream)
        hn::Stream(both, du16, rows.out[c] + i);
      else
        hn::StoreU(both, du16, rows.out[c] + i);
    }
  }
  return i;
}
#endif

// How many pixels were done, from the left.
std::size_t ConvertSemiPlanar(const SemiPlanarRows& rows, std::size_t n) {
#if NPUBIN_NATIVE_HALF && NPUBIN_PAIR_PRODUCTS
  const bool half_steps = rows.plan->normalisation[0].half_steps;
  bool stream = rows.stream;
  for (const std::uint16_t* out : rows.out)
    stream = stream && reinterpret_cast<std::uintptr_t>(out) % (4 * hn::Lanes(D32())) == 0;
  if (half_steps)
    return stream ? semi_planar_loop<true, true>(rows, n) : semi_planar_loop<true, false>(rows, n);
  return stream ? semi_planar_loop<false, true>(rows, n) : semi_planar_loop<false, false>(rows, n);
#else
  (void)rows;
  (void)n;
  return 0;
#endif
}

template <class T>
void JoinPlanes3(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, const T* HWY_RESTRICT c, std::size_t n,
                 T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreInterleaved3(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i), d, out + 3 * i);
  for (; i < n; ++i) {
    out[3 * i] = a[i];
    out[3 * i + 1] = b[i];
    out[3 * i + 2] = c[i];
  }
}

void JoinPlanes(const std::byte* const planes[3], std::size_t n, std::size_t element_size, std::byte* out) {
  const auto join = [&]<class T>(T) {
    JoinPlanes3(reinterpret_cast<const T*>(planes[0]), reinterpret_cast<const T*>(planes[1]),
                reinterpret_cast<const T*>(planes[2]), n, reinterpret_cast<T*>(out));
  };
  if (element_size == 1) join(std::uint8_t{});
  if (element_size == 2) join(std::uint16_t{});
  if (element_size == 4) join(std::uint32_t{});
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::aipp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::aipp {
namespace {

// px - mean must be exact in half for the vector code; a mean beyond the legal 0 to 255 goes by table.
bool vector_fits(const Normalisation& n) {
  return n.mean >= -1024 && n.mean <= 1024;
}

// mean + min as one float: the difference from a pixel is then the same exact number, rounded once.
bool offset_fits(const Normalisation& n) {
  const double sum = static_cast<double>(n.mean) + static_cast<double>(n.min);
  return vector_fits(n) && static_cast<double>(static_cast<float>(sum)) == sum;
}

HWY_EXPORT(SplitPixels3);
HWY_EXPORT(SplitPixels4);
HWY_EXPORT(SpreadChroma);
HWY_EXPORT(SplitYuyv);
HWY_EXPORT(ConvertRow);
HWY_EXPORT(NormaliseToHalf);
HWY_EXPORT(NormaliseToSingle);
HWY_EXPORT(ConvertAndNormalise);
HWY_EXPORT(ConvertSemiPlanar);
HWY_EXPORT(JoinPlanes);

}  // namespace

void split_pixels3(const std::uint8_t* in, std::size_t n, std::uint8_t* const planes[3]) {
  HWY_DYNAMIC_DISPATCH(SplitPixels3)(in, n, planes);
}
void split_pixels4(const std::uint8_t* in, std::size_t n, std::uint8_t* const planes[4]) {
  HWY_DYNAMIC_DISPATCH(SplitPixels4)(in, n, planes);
}
void spread_chroma(const std::uint8_t* in, std::size_t pairs, std::uint8_t* first, std::uint8_t* second) {
  HWY_DYNAMIC_DISPATCH(SpreadChroma)(in, pairs, first, second);
}
void split_yuyv(const std::uint8_t* in, std::size_t pairs, std::uint8_t* y, std::uint8_t* u,
                std::uint8_t* v) {
  HWY_DYNAMIC_DISPATCH(SplitYuyv)(in, pairs, y, u, v);
}
void convert_row(const Conversion& conversion, const std::uint8_t* const in[3], std::size_t n,
                 std::uint8_t* const out[3]) {
  HWY_DYNAMIC_DISPATCH(ConvertRow)(conversion, in, n, out);
}
void normalise_to_half(const Normalisation& normalisation, const TableHalf& table, const std::uint8_t* in,
                       std::size_t n, std::uint16_t* out, bool stream) {
  if (vector_fits(normalisation)) {
    HWY_DYNAMIC_DISPATCH(NormaliseToHalf)(normalisation, table, in, n, out, stream);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = table[in[i]];
}
void normalise_to_single(const Normalisation& normalisation, const TableSingle& table, const std::uint8_t* in,
                         std::size_t n, float* out, bool stream) {
  if (vector_fits(normalisation)) {
    HWY_DYNAMIC_DISPATCH(NormaliseToSingle)(normalisation, table, in, n, out, stream);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = table[in[i]];
}
void convert_and_normalise(const ConvertedRows& rows, std::size_t n) {
  const auto& normalisation = rows.plan->normalisation;
  if (vector_fits(normalisation[0]) && vector_fits(normalisation[1]) && vector_fits(normalisation[2])) {
    HWY_DYNAMIC_DISPATCH(ConvertAndNormalise)(rows, n);
    return;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c)
      rows.out[c][i] = rows.plan->half_tables[static_cast<std::size_t>(c)][rows.plan->conversion.of(
          c, rows.in[0][i], rows.in[1][i], rows.in[2][i])];
}
bool convert_semi_planar(const SemiPlanarRows& rows, std::size_t n) {
  const Plan& plan = *rows.plan;
  for (std::size_t c = 0; c < 3; ++c)
    if (!offset_fits(plan.normalisation[c])) return false;
  std::size_t i = HWY_DYNAMIC_DISPATCH(ConvertSemiPlanar)(rows, n);
  if (i == 0) return false;
  const std::size_t u = plan.settings.swap_rb_uv ? 1 : 0;
  for (; i < n; ++i) {
    const std::uint8_t* pair = rows.chroma + (i & ~std::size_t{1});
    for (int c = 0; c < 3; ++c)
      rows.out[c][i] = plan.half_tables[static_cast<std::size_t>(c)]
                                       [plan.conversion.of(c, rows.luma[i], pair[u], pair[1 - u])];
  }
  return true;
}
void join_planes3(const std::byte* const planes[3], std::size_t n, std::size_t element_size, std::byte* out) {
  HWY_DYNAMIC_DISPATCH(JoinPlanes)(planes, n, element_size, out);
}
void finish_streaming() {
  hwy::FlushStream();
}

}  // namespace npubin::aipp
#endif  // HWY_ONCE
