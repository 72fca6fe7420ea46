#include "exec/fast/kernels_convert.h"

#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_convert.cpp"
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Plain loops: every target's compilation vectorises them for its own instructions.
template <class T>
void DecodeCodes(const T* HWY_RESTRICT in, float scale, std::int32_t zero_point, std::size_t count,
                 float* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(static_cast<std::int32_t>(in[i]) - zero_point) * scale;
}

// Truncation after adding the largest float below a half rounds halves away from zero: the half itself would
// lift 0.49999997 over the edge. Beyond kFar every code saturates, whatever the zero point.
template <class T, class D>
HWY_INLINE auto CodesOf(D d, hn::Vec<D> values, float scale, std::int32_t zero_point) {
  const hn::RebindToSigned<D> di;
  const auto far = hn::Set(d, 200000.0f);
  auto q = hn::Div(values, hn::Set(d, scale));
  q = hn::IfThenElseZero(hn::Eq(q, q), q);
  q = hn::Max(hn::Min(q, far), hn::Neg(far));
  const auto rounded = hn::ConvertTo(di, hn::Add(q, hn::CopySign(hn::Set(d, 0.49999997f), q)));
  // DemoteTo of the library saturates within 16 bits only.
  const auto low = hn::Set(di, std::int32_t{std::numeric_limits<T>::min()}),
             high = hn::Set(di, std::int32_t{std::numeric_limits<T>::max()});
  return hn::Max(hn::Min(hn::Add(rounded, hn::Set(di, zero_point)), high), low);
}

template <class T>
void EncodeCodes(const float* HWY_RESTRICT in, float scale, std::int32_t zero_point, std::size_t count,
                 T* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<T, decltype(d)> dt;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::DemoteTo(dt, CodesOf<T>(d, hn::LoadU(d, in + i), scale, zero_point)), dt, out + i);
  if (i == count) return;
  HWY_ALIGN float numbers[hn::MaxLanes(d)] = {};
  HWY_ALIGN T codes[hn::MaxLanes(d)];
  std::memcpy(numbers, in + i, (count - i) * sizeof(float));
  hn::Store(hn::DemoteTo(dt, CodesOf<T>(d, hn::Load(d, numbers), scale, zero_point)), dt, codes);
  std::memcpy(out + i, codes, (count - i) * sizeof(T));
}

// Half bits moved to float32's places are the number times 2^-112, subnormal ones too.
void DecodeHalves(const std::uint16_t* HWY_RESTRICT in, std::size_t count, float* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = in[i] & 0x7FFFu;
    const std::uint32_t moved = magnitude << 13;
    float scaled;
    std::memcpy(&scaled, &moved, sizeof(scaled));
    scaled *= 5192296858534827628530496329220096.0f;  // 2^112
    std::uint32_t bits;
    std::memcpy(&bits, &scaled, sizeof(bits));
    bits = magnitude >= 0x7C00u ? moved | 0x7F800000u : bits;
    bits |= magnitude > 0x7C00u ? 0x400000u : 0u;  // NaN turns quiet
    bits |= (in[i] & 0x8000u) << 16;
    std::memcpy(&out[i], &bits, sizeof(bits));
  }
}

void EncodeHalves(const float* HWY_RESTRICT in, std::size_t count, std::uint16_t* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &in[i], sizeof(bits));
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    // Normal halves: adding half of the last place kept rounds ties away and carries into the exponent.
    const std::uint32_t normal = ((magnitude + 0x1000u) >> 13) - (112u << 10);
    // Subnormal ones count in steps of 2^-24.
    const std::uint32_t small_bits = magnitude < 0x38800000u ? magnitude : 0u;
    float steps;
    std::memcpy(&steps, &small_bits, sizeof(steps));
    steps *= 16777216.0f;
    const auto whole = static_cast<std::int32_t>(steps);
    const std::int32_t subnormal = whole + (steps - static_cast<float>(whole) >= 0.5f ? 1 : 0);
    std::uint32_t half = magnitude < 0x38800000u ? static_cast<std::uint32_t>(subnormal) : normal;
    half = magnitude >= 0x47800000u ? 0x7C00u : half;  // 2^16 and more, infinity
    half = magnitude > 0x7F800000u ? 0x7E00u | ((magnitude >> 13) & 0x3FFu) : half;
    out[i] = static_cast<std::uint16_t>(half | ((bits >> 16) & 0x8000u));
  }
}

void Decode(const std::byte* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
            float* out) {
  switch (type) {
    case DType::U8:
      return DecodeCodes(reinterpret_cast<const std::uint8_t*>(in), scale, zero_point, count, out);
    case DType::I8:
      return DecodeCodes(reinterpret_cast<const std::int8_t*>(in), scale, zero_point, count, out);
    case DType::I16:
      return DecodeCodes(reinterpret_cast<const std::int16_t*>(in), scale, zero_point, count, out);
    case DType::F16:
      return DecodeHalves(reinterpret_cast<const std::uint16_t*>(in), count, out);
    default:
      std::memcpy(out, in, count * sizeof(float));
  }
}

void Encode(const float* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
            std::byte* out) {
  switch (type) {
    case DType::U8:
      return EncodeCodes(in, scale, zero_point, count, reinterpret_cast<std::uint8_t*>(out));
    case DType::I8:
      return EncodeCodes(in, scale, zero_point, count, reinterpret_cast<std::int8_t*>(out));
    case DType::I16:
      return EncodeCodes(in, scale, zero_point, count, reinterpret_cast<std::int16_t*>(out));
    case DType::F16:
      return EncodeHalves(in, count, reinterpret_cast<std::uint16_t*>(out));
    default:
      std::memcpy(out, in, count * sizeof(float));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(Decode);
HWY_EXPORT(Encode);

bool converts_fast(DType type) {
  switch (type) {
    case DType::U8:
    case DType::I8:
    case DType::I16:
    case DType::F16:
    case DType::F32:
      return true;
    default:
      return false;
  }
}

void decode_elements(const std::byte* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
                     float* out) {
  HWY_DYNAMIC_DISPATCH(Decode)(in, type, scale, zero_point, count, out);
}

void encode_elements(const float* in, DType type, float scale, std::int32_t zero_point, std::size_t count,
                     std::byte* out) {
  HWY_DYNAMIC_DISPATCH(Encode)(in, type, scale, zero_point, count, out);
}

}  // namespace npubin::exec::fast
#endif  // HWY_ONCE
