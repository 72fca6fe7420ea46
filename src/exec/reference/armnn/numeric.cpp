#include "exec/reference/armnn/numeric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "npubin/half.h"

namespace npubin::exec::armnn {
namespace {

// Elements that share one scale lie in runs of `inner`, and the scale index turns round after `channels`
// runs.
struct ScaleRuns {
  std::size_t channels = 1, inner = 1;
};

ScaleRuns runs_of(const Tensor& tensor) {
  const Quantization& q = tensor.quantization();
  ScaleRuns runs;
  if (!q.per_axis()) {
    runs.inner = static_cast<std::size_t>(std::max<std::int64_t>(tensor.count(), 1));
    return runs;
  }
  runs.channels = static_cast<std::size_t>(tensor.dim(static_cast<std::size_t>(q.axis)));
  for (std::size_t d = static_cast<std::size_t>(q.axis) + 1; d < tensor.rank(); ++d)
    runs.inner *= static_cast<std::size_t>(tensor.dim(d));
  return runs;
}

template <class T>
void decode_codes(const Tensor& tensor, WorkVector<float>& out) {
  const auto codes = tensor.as<T>();
  const Quantization& q = tensor.quantization();
  const ScaleRuns runs = runs_of(tensor);
  for (std::size_t i = 0, run = 0; i < codes.size(); ++run) {
    const std::size_t channel = run % runs.channels;
    const float scale = q.scale(channel);
    const auto zero_point = static_cast<std::int32_t>(q.zero_point(channel));
    for (std::size_t k = 0; k < runs.inner && i < codes.size(); ++k, ++i)
      out[i] = static_cast<float>(static_cast<std::int32_t>(codes[i]) - zero_point) * scale;
  }
}

void decode_int32(const Tensor& tensor, WorkVector<float>& out) {
  const auto values = tensor.as<std::int32_t>();
  const Quantization& q = tensor.quantization();
  const ScaleRuns runs = runs_of(tensor);
  for (std::size_t i = 0, run = 0; i < values.size(); ++run) {
    const float scale = q.scale(run % runs.channels);
    for (std::size_t k = 0; k < runs.inner && i < values.size(); ++k, ++i)
      out[i] = scale == 0 ? static_cast<float>(values[i]) : static_cast<float>(values[i]) * scale;
  }
}

template <class T>
T to_code(float value, float scale, std::int64_t zero_point) {
  constexpr auto low = static_cast<float>(std::numeric_limits<T>::min());
  constexpr auto high = static_cast<float>(std::numeric_limits<T>::max());
  const auto code =
      static_cast<float>(std::round(static_cast<double>(value / scale)) + static_cast<double>(zero_point));
  if (std::isnan(code)) return static_cast<T>(std::clamp(static_cast<float>(zero_point), low, high));
  return static_cast<T>(std::min(std::max(code, low), high));
}

std::int32_t to_int32(float value) {
  if (std::isnan(value)) return 0;
  if (value >= 2147483648.0f) return std::numeric_limits<std::int32_t>::max();
  if (value < -2147483648.0f) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(value);
}

template <class T>
void encode_codes(std::span<const float> values, Tensor& tensor, const Quantization& q) {
  auto codes = tensor.as_mutable<T>();
  const float scale = q.scale();
  const std::int64_t zero_point = q.zero_point();
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = to_code<T>(values[i], scale, zero_point);
}

// The codes themselves, as numbers.
WorkVector<float> plain_codes(const Tensor& tensor) {
  WorkVector<float> out(static_cast<std::size_t>(tensor.count()));
  switch (tensor.type()) {
    case DType::U8:
      std::copy_n(tensor.as<std::uint8_t>().data(), out.size(), out.data());
      break;
    case DType::I8:
      std::copy_n(tensor.as<std::int8_t>().data(), out.size(), out.data());
      break;
    case DType::I16:
      std::copy_n(tensor.as<std::int16_t>().data(), out.size(), out.data());
      break;
    case DType::I32:
      std::copy_n(tensor.as<std::int32_t>().data(), out.size(), out.data());
      break;
    default:
      return decode(tensor);  // floats: scales do not count
  }
  return out;
}

}  // namespace

WorkVector<float> decode(const Tensor& tensor) {
  WorkVector<float> out(static_cast<std::size_t>(tensor.count()));
  switch (tensor.type()) {
    case DType::F32:
      std::copy_n(tensor.as<float>().data(), out.size(), out.data());
      break;
    case DType::F16:
      std::transform(tensor.as<std::uint16_t>().begin(), tensor.as<std::uint16_t>().end(), out.begin(),
                     half_to_float);
      break;
    case DType::BF16:
      std::transform(tensor.as<std::uint16_t>().begin(), tensor.as<std::uint16_t>().end(), out.begin(),
                     bfloat16_to_float);
      break;
    case DType::U8:
      decode_codes<std::uint8_t>(tensor, out);
      break;
    case DType::I8:
      decode_codes<std::int8_t>(tensor, out);
      break;
    case DType::I16:
      decode_codes<std::int16_t>(tensor, out);
      break;
    case DType::I32:
      decode_int32(tensor, out);
      break;
    case DType::Bool:
      std::copy_n(tensor.as<std::uint8_t>().data(), out.size(), out.data());
      break;
    default:
      break;
  }
  return out;
}

WorkVector<float> decode_by_channel(const Tensor& tensor, std::span<const std::size_t> channel_of_element) {
  if (!tensor.quantization().per_axis()) return decode(tensor);
  const Quantization& q = tensor.quantization();
  WorkVector<float> out = plain_codes(tensor);
  // float(q) is exact for 8 and 16 bits, so the product is rounded once, as in decode().
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t channel = channel_of_element[i];
    out[i] = (out[i] - static_cast<float>(q.zero_point(channel))) * q.scale(channel);
  }
  return out;
}

void encode(std::span<const float> values, Tensor& tensor, const Quantization& quantization) {
  switch (tensor.type()) {
    case DType::F32:
      std::copy(values.begin(), values.end(), tensor.as_mutable<float>().begin());
      break;
    case DType::F16:
      std::transform(values.begin(), values.end(), tensor.as_mutable<std::uint16_t>().begin(),
                     [](float v) { return float_to_half(v, HalfRounding::TiesAway); });
      break;
    case DType::BF16:
      std::transform(values.begin(), values.end(), tensor.as_mutable<std::uint16_t>().begin(),
                     float_to_bfloat16);
      break;
    case DType::U8:
      encode_codes<std::uint8_t>(values, tensor, quantization);
      break;
    case DType::I8:
      encode_codes<std::int8_t>(values, tensor, quantization);
      break;
    case DType::I16:
      encode_codes<std::int16_t>(values, tensor, quantization);
      break;
    case DType::I32: {
      const float scale = quantization.scale();
      std::transform(values.begin(), values.end(), tensor.as_mutable<std::int32_t>().begin(),
                     [scale](float v) { return to_int32(scale == 0 ? v : v / scale); });
      break;
    }
    case DType::Bool:
      std::transform(values.begin(), values.end(), tensor.as_mutable<std::uint8_t>().begin(),
                     [](float v) { return static_cast<std::uint8_t>(v != 0); });
      break;
    default:
      break;
  }
}

void fill(float value, Tensor& tensor, const Quantization& quantization) {
  encode(WorkVector<float>(static_cast<std::size_t>(tensor.count()), value), tensor, quantization);
}

bool is_numeric(DType type) {
  switch (type) {
    case DType::F32:
    case DType::F16:
    case DType::BF16:
    case DType::U8:
    case DType::I8:
    case DType::I16:
      return true;
    default:
      return false;
  }
}

}  // namespace npubin::exec::armnn
