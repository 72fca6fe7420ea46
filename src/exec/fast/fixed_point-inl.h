// tflite::multiply in vectors of 32-bit lanes; for files that Highway compiles once for each target, after
// hwy/highway.h.
#if defined(NPUBIN_EXEC_FAST_FIXED_POINT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NPUBIN_EXEC_FAST_FIXED_POINT_INL
#undef NPUBIN_EXEC_FAST_FIXED_POINT_INL
#else
#define NPUBIN_EXEC_FAST_FIXED_POINT_INL
#endif

#include "exec/reference/tflite/fixed_point.h"

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

// srdhm: the high half of twice the product, rounded. 0 <= mantissa.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V DoublingHigh(D d, V x, V mantissa) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, tflite::srdhm(hn::GetLane(x), hn::GetLane(mantissa)));
#else
  const hn::RepartitionToWide<D> d64;
  const hn::RebindToUnsigned<decltype(d64)> du64;
  const auto round = hn::Set(d64, std::int64_t{1} << 30);
  const auto odd_lanes = [&](V v) { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(du64, v))); };
  const auto even = hn::BitCast(du64, hn::Add(hn::MulEven(x, mantissa), round));
  const auto odd = hn::BitCast(du64, hn::Add(hn::MulEven(odd_lanes(x), odd_lanes(mantissa)), round));
  // Bits 31 to 62 of each.
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<1>(odd)), hn::BitCast(d, hn::ShiftRight<31>(even)));
#endif
}

// rdp: divided by 2^exponent, halves away from zero. 0 <= exponent <= 31.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V RoundedShift(D d, V x, int exponent) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto mask = static_cast<std::int32_t>((std::uint32_t{1} << exponent) - 1);
  const auto negative = hn::VecFromMask(d, hn::Lt(x, hn::Zero(d)));  // -1
  const auto threshold = hn::Sub(hn::Set(d, mask >> 1), negative);
  const auto up = hn::VecFromMask(d, hn::Gt(hn::And(x, hn::Set(d, mask)), threshold));
  return hn::Sub(hn::ShiftRightSame(x, exponent), up);
}
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V RoundedShift(D d, V x, V exponent) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto one = hn::Set(d, 1);
  const auto mask = hn::Sub(hn::Shl(one, exponent), one);
  const auto negative = hn::VecFromMask(d, hn::Lt(x, hn::Zero(d)));  // -1
  const auto threshold = hn::Sub(hn::ShiftRight<1>(mask), negative);
  const auto up = hn::VecFromMask(d, hn::Gt(hn::And(x, mask), threshold));
  return hn::Sub(hn::Shr(x, exponent), up);
}

// Shifts from -31 to 31.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> Multiply(D d, hwy::HWY_NAMESPACE::Vec<D> x, tflite::Multiplier m) {
  namespace hn = hwy::HWY_NAMESPACE;
  if (m.shift > 0) return DoublingHigh(d, hn::ShiftLeftSame(x, m.shift), hn::Set(d, m.mantissa));
  return RoundedShift(d, DoublingHigh(d, x, hn::Set(d, m.mantissa)), -m.shift);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#endif
