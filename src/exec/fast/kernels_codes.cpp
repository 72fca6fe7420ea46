#include "exec/fast/kernels_codes.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_codes.cpp"
// g++ 12 stumbles over SVE beside precompiled headers; one lane cannot be told into even and odd ones.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these three matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "exec/fast/fixed_point-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D32 = hn::ScalableTag<std::int32_t>;
using V32 = hn::Vec<D32>;

// out[i] = f(a[i], b[i]) in 32-bit lanes. Operands that stay are spread over a vector once; the tail goes
// through vectors on the stack.
template <class A, class B, class Out, class F>
HWY_INLINE void Pairs(const A* a, bool a_stays, const B* b, bool b_stays, Out* out, std::size_t count, F f) {
  const D32 d;
  const hn::Rebind<A, D32> da;
  const hn::Rebind<B, D32> db;
  const hn::Rebind<Out, D32> dout;
  constexpr std::size_t kMost = hn::MaxLanes(D32());
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN A left[kMost] = {};
  HWY_ALIGN B right[kMost] = {};
  HWY_ALIGN Out last[kMost] = {};
  for (std::size_t i = 0; i < lanes && a_stays; ++i) left[i] = *a;
  for (std::size_t i = 0; i < lanes && b_stays; ++i) right[i] = *b;
  const A* from_a = a_stays ? left : a;
  const B* from_b = b_stays ? right : b;
  const std::size_t step_a = a_stays ? 0 : lanes, step_b = b_stays ? 0 : lanes;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes, from_a += step_a, from_b += step_b) {
    const auto result =
        f(d, hn::PromoteTo(d, hn::LoadU(da, from_a)), hn::PromoteTo(d, hn::LoadU(db, from_b)));
    hn::StoreU(hn::DemoteTo(dout, result), dout, out + i);
  }
  if (i == count) return;
  if (!a_stays) std::memcpy(left, from_a, (count - i) * sizeof(A));
  if (!b_stays) std::memcpy(right, from_b, (count - i) * sizeof(B));
  const auto result = f(d, hn::PromoteTo(d, hn::Load(da, left)), hn::PromoteTo(d, hn::Load(db, right)));
  hn::Store(hn::DemoteTo(dout, result), dout, last);
  std::memcpy(out + i, last, (count - i) * sizeof(Out));
}

HWY_INLINE V32 Scaled(D32 d, V32 x, std::int32_t zero, int left_shift, tflite::Multiplier m) {
  return Multiply(d, hn::ShiftLeftSame(hn::Sub(x, hn::Set(d, zero)), left_shift), m);
}

// Cut before the zero point is added: the sum might not fit.
HWY_INLINE V32 Code(D32 d, V32 x, const CodePair& p) {
  const auto cut = hn::Min(hn::Max(x, hn::Set(d, p.low - p.zero_out)), hn::Set(d, p.high - p.zero_out));
  return hn::Add(cut, hn::Set(d, p.zero_out));
}

template <class T>
struct Operands {
  const T *a, *b;
  bool a_stays, b_stays;
  std::size_t count;
};

template <class T>
void Sums(const CodePair& p, const Operands<T>& o, T* out) {
  const std::int32_t sign = p.op == CodePairOp::Add ? 0 : -1;
  Pairs(o.a, o.a_stays, o.b, o.b_stays, out, o.count, [&](D32 d, V32 x, V32 y) {
    const auto flip = hn::Set(d, sign);  // (q ^ -1) - -1 = -q
    const auto right = hn::Sub(hn::Xor(Scaled(d, y, p.zero_b, p.left_shift, p.b), flip), flip);
    const auto sum = hn::Add(Scaled(d, x, p.zero_a, p.left_shift, p.a), right);
    return Code(d, Multiply(d, sum, p.out), p);
  });
}

template <class T>
void SquaredDifferences(const CodePair& p, const Operands<T>& o, T* out) {
  Pairs(o.a, o.a_stays, o.b, o.b_stays, out, o.count, [&](D32 d, V32 x, V32 y) {
    const auto difference =
        hn::Sub(Scaled(d, x, p.zero_a, p.left_shift, p.a), Scaled(d, y, p.zero_b, p.left_shift, p.b));
    return Code(d, Multiply(d, hn::Mul(difference, difference), p.out), p);
  });
}

template <class T>
void ProductsOf(const CodePair& p, const Operands<T>& o, T* out) {
  Pairs(o.a, o.a_stays, o.b, o.b_stays, out, o.count, [&](D32 d, V32 x, V32 y) {
    const auto product = hn::Mul(hn::Sub(x, hn::Set(d, p.zero_a)), hn::Sub(y, hn::Set(d, p.zero_b)));
    return Code(d, Multiply(d, product, p.out), p);
  });
}

template <class T>
void Prelus(const CodePair& p, const Operands<T>& o, T* out) {
  const auto* alpha = reinterpret_cast<const std::int8_t*>(o.b);
  Pairs(o.a, o.a_stays, alpha, o.b_stays, out, o.count, [&](D32 d, V32 x, V32 y) {
    const auto value = hn::Sub(x, hn::Set(d, p.zero_a));
    const auto bent = Multiply(d, hn::Mul(value, hn::Sub(y, hn::Set(d, p.zero_b))), p.out);
    return Code(d, hn::IfThenElse(hn::Lt(value, hn::Zero(d)), bent, Multiply(d, value, p.a)), p);
  });
}

template <class T>
void Comparisons(const CodePair& p, const Operands<T>& o, std::uint8_t* out) {
  Pairs(o.a, o.a_stays, o.b, o.b_stays, out, o.count, [&](D32 d, V32 x, V32 y) {
    const auto left = Scaled(d, x, p.zero_a, p.left_shift, p.a),
               right = Scaled(d, y, p.zero_b, p.left_shift, p.b);
    const auto one = hn::Set(d, 1);
    auto holds = hn::IfThenElseZero(hn::Eq(left, right), one);
    if (p.op == CodePairOp::Less) holds = hn::IfThenElseZero(hn::Lt(left, right), one);
    if (p.op == CodePairOp::LessEqual) holds = hn::Or(holds, hn::IfThenElseZero(hn::Lt(left, right), one));
    return p.negated ? hn::Xor(holds, one) : holds;
  });
}

template <class T>
void CodePairsOf(const CodePair& pair, const void* a, bool a_stays, const void* b, bool b_stays, void* out,
                 std::size_t count) {
  const Operands<T> o{static_cast<const T*>(a), static_cast<const T*>(b), a_stays, b_stays, count};
  T* const codes = static_cast<T*>(out);
  switch (pair.op) {
    case CodePairOp::Add:
    case CodePairOp::Sub:
      return Sums(pair, o, codes);
    case CodePairOp::Mul:
      return ProductsOf(pair, o, codes);
    case CodePairOp::SquaredDifference:
      return SquaredDifferences(pair, o, codes);
    case CodePairOp::Prelu:
      return Prelus(pair, o, codes);
    default:
      return Comparisons(pair, o, static_cast<std::uint8_t*>(out));
  }
}

void CodePairs(const CodePair& pair, const void* a, bool a_stays, const void* b, bool b_stays, void* out,
               std::size_t count) {
  switch (pair.type) {
    case DType::I8:
      return CodePairsOf<std::int8_t>(pair, a, a_stays, b, b_stays, out, count);
    case DType::U8:
      return CodePairsOf<std::uint8_t>(pair, a, a_stays, b, b_stays, out, count);
    default:
      return CodePairsOf<std::int16_t>(pair, a, a_stays, b, b_stays, out, count);
  }
}

// out[i] = f(in[i]); the tail goes through vectors on the stack.
template <class Out, class F>
HWY_INLINE void Map(const std::int16_t* in, Out* out, std::size_t count, F f) {
  const D32 d;
  const hn::Rebind<std::int16_t, D32> din;
  const hn::Rebind<Out, D32> dout;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::DemoteTo(dout, f(d, hn::PromoteTo(d, hn::LoadU(din, in + i)))), dout, out + i);
  if (i == count) return;
  constexpr std::size_t kMost = hn::MaxLanes(D32());
  HWY_ALIGN std::int16_t last[kMost] = {};
  HWY_ALIGN Out result[kMost] = {};
  std::memcpy(last, in + i, (count - i) * sizeof(std::int16_t));
  hn::Store(hn::DemoteTo(dout, f(d, hn::PromoteTo(d, hn::Load(din, last)))), dout, result);
  std::memcpy(out + i, result, (count - i) * sizeof(Out));
}

template <class Out>
HWY_INLINE void MapCodes(const CodeMap& m, const std::int16_t* in, Out* out, std::size_t count) {
  CodePair range;
  range.zero_out = m.zero_out;
  range.low = m.low;
  range.high = m.high;
  Map(in, out, count, [&](D32 d, V32 x) {
    const auto value = hn::Sub(x, hn::Set(d, m.zero_in));
    auto falling = Multiply(d, value, m.falling);
    if (m.negated) falling = hn::Neg(falling);
    return Code(d, hn::IfThenElse(hn::Lt(value, hn::Zero(d)), falling, Multiply(d, value, m.rising)), range);
  });
}
void MapToI16(const CodeMap& map, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  MapCodes(map, in, out, count);
}
void MapToI8(const CodeMap& map, const std::int16_t* in, std::int8_t* out, std::size_t count) {
  MapCodes(map, in, out, count);
}

void SquashCodes(const Squash& s, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  const std::int32_t half = s.shift > 0 ? 1 << (s.shift - 1) : 0;
  const int step = s.logistic ? 9 : 8;
  const std::int32_t end = s.logistic ? 0x7FFF << 10 : 0xFFFF << 8;
  const std::int32_t whole = s.logistic ? 1 << 25 : 1 << 24, kept = s.logistic ? 10 : 8;
  // Below 0 the result is the complement, rounded the other way (tflite spec 4).
  const std::int32_t up = s.logistic ? 1 << 9 : (1 << 7) - (1 << 23),
                     down = s.logistic ? whole + (1 << 9) - 1 : (1 << 23) + (1 << 7) - 1;
  Map(in, out, count, [&](D32 d, V32 code) {
    const auto x =
        hn::ShiftRightSame(hn::Add(hn::Mul(code, hn::Set(d, s.factor)), hn::Set(d, half)), s.shift);
    const auto magnitude = hn::Abs(x);
    const auto place = hn::ShiftRightSame(magnitude, step);
    const auto inside = hn::Lt(place, hn::Set(d, 255));
    const auto sample = hn::GatherIndex(d, s.samples, hn::IfThenElseZero(inside, place));
    const auto fraction = hn::And(magnitude, hn::Set(d, (1 << step) - 1));
    const auto low = hn::And(sample, hn::Set(d, 0xFFFF));
    const auto between = hn::Add(hn::ShiftLeftSame(low, step), hn::Mul(fraction, hn::ShiftRight<16>(sample)));
    const auto y = hn::IfThenElse(inside, between, hn::Set(d, end));
    const auto result =
        hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, down), y), hn::Add(y, hn::Set(d, up)));
    return hn::ShiftRightSame(result, kept);
  });
}

void ScaleSums(const std::int32_t* sums, std::size_t count, const tflite::Multiplier& multiplier,
               std::int32_t zero_point, std::int8_t* out) {
  const D32 d;
  const hn::Rebind<std::int8_t, D32> d8;
  const std::size_t lanes = hn::Lanes(d);
  CodePair p;
  p.zero_out = zero_point;
  p.low = -128;
  p.high = 127;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::DemoteTo(d8, Code(d, Multiply(d, hn::LoadU(d, sums + i), multiplier), p)), d8, out + i);
  for (; i < count; ++i)
    out[i] = tflite::clamp_to<std::int8_t>(std::int64_t{tflite::multiply(sums[i], multiplier)} + zero_point);
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(CodePairs);
HWY_EXPORT(ScaleSums);
HWY_EXPORT(MapToI16);
HWY_EXPORT(MapToI8);
HWY_EXPORT(SquashCodes);

bool takes_shift(const tflite::Multiplier& multiplier) {
  return multiplier.shift <= 31 && multiplier.shift >= -31;
}

void code_pairs(const CodePair& pair, const void* a, bool a_stays, const void* b, bool b_stays, void* out,
                std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CodePairs)(pair, a, a_stays, b, b_stays, out, count);
}

void map_codes(const CodeMap& map, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(MapToI16)(map, in, out, count);
}
void map_codes(const CodeMap& map, const std::int16_t* in, std::int8_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(MapToI8)(map, in, out, count);
}
void squash_codes(const Squash& squash, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(SquashCodes)(squash, in, out, count);
}

void scale_sums(const std::int32_t* sums, std::size_t count, const tflite::Multiplier& multiplier,
                std::int32_t zero_point, std::int8_t* out) {
  HWY_DYNAMIC_DISPATCH(ScaleSums)(sums, count, multiplier, zero_point, out);
}

}  // namespace npubin::exec::fast
#endif
