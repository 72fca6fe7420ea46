#include "exec/real_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "npubin/half.h"

namespace npubin::exec {
namespace {

template <class T>
void store_codes(std::span<const float> real, Tensor& out, const Quantization& q) {
  auto codes = out.as_mutable<T>();
  constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    // The quotient is a float32: the rounding of Quantize in both rules.
    const float quotient = q.present() ? real[i] / q.scale() : real[i];
    const double code = std::round(static_cast<double>(quotient)) + static_cast<double>(q.zero_point());
    if (std::isnan(code)) {
      codes[i] = static_cast<T>(std::clamp(static_cast<double>(q.zero_point()), low, high));
    } else {
      // 2^63 is no int64: the comparison with `high` catches it before the cast does.
      codes[i] = code >= high ? std::numeric_limits<T>::max() : static_cast<T>(std::max(code, low));
    }
  }
}

}  // namespace

Result<Tensor> from_real(const Tensor& real, DType type, const Quantization& quantization) {
  if (quantization.per_axis())
    return refused("an input with a scale per channel is not fed with real numbers");
  Tensor out(type, real.shape(), quantization);
  const auto values = real.as<float>();
  switch (type) {
    case DType::F32:
      std::copy(values.begin(), values.end(), out.as_mutable<float>().begin());
      return out;
    case DType::F16:
      std::transform(values.begin(), values.end(), out.as_mutable<std::uint16_t>().begin(),
                     [](float v) { return float_to_half(v); });
      return out;
    case DType::BF16:
      std::transform(values.begin(), values.end(), out.as_mutable<std::uint16_t>().begin(),
                     float_to_bfloat16);
      return out;
    case DType::U8:
      store_codes<std::uint8_t>(values, out, quantization);
      return out;
    case DType::I8:
      store_codes<std::int8_t>(values, out, quantization);
      return out;
    case DType::I16:
      store_codes<std::int16_t>(values, out, quantization);
      return out;
    case DType::I32:
      store_codes<std::int32_t>(values, out, quantization);
      return out;
    case DType::I64:
      store_codes<std::int64_t>(values, out, quantization);
      return out;
    default:
      return refused(fmt::format("{} is not fed with real numbers", to_string(type)));
  }
}

Tensor to_real(const Tensor& tensor) {
  if (tensor.type() == DType::F32) return tensor;
  Tensor out(DType::F32, tensor.shape());
  auto values = out.as_mutable<float>();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(tensor.real(static_cast<std::int64_t>(i)));
  return out;
}

}  // namespace npubin::exec
