// QUANTIZE, DEQUANTIZE, CAST. tflite spec 3.
#include <cstring>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"
#include "npubin/half.h"

namespace npubin::exec::tflite {
namespace {

// Calls f with a value of the C++ type of a DType.
template <class F>
void with_type(DType type, F f) {
  switch (type) {
    case DType::F32:
      return f(float{});
    case DType::F64:
      return f(double{});
    case DType::I8:
      return f(std::int8_t{});
    case DType::U8:
    case DType::Bool:
      return f(std::uint8_t{});
    case DType::I16:
      return f(std::int16_t{});
    case DType::U16:
      return f(std::uint16_t{});
    case DType::I32:
      return f(std::int32_t{});
    case DType::U32:
      return f(std::uint32_t{});
    default:
      return f(std::int64_t{});
  }
}

template <class T>
void quantize_floats(const KernelCall& call) {
  const Quantization& q = call.output().quantization();
  const auto in = call.input(0).as<float>();
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = clamp_to<T>(round_to_integer(in[i] / q.scale()) + q.zero_point());
}

template <class In, class Out>
void requantize(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const Multiplier m = quantize_multiplier(static_cast<double>(qi.scale()) / static_cast<double>(qo.scale()));
  const auto in = call.input(0).as<In>();
  auto out = call.output().template as_mutable<Out>();
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = clamp_to<Out>(multiply(wrap32(in[i] - qi.zero_point()), m) + qo.zero_point());
}

// C's conversion, with what C leaves undefined made definite: floats that do not fit saturate, NaN gives 0.
template <class To, class From>
To convert(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (!(x == x)) return 0;
    if (x <= -9.2e18) return static_cast<To>(std::numeric_limits<std::int64_t>::min());
    if (x >= 9.2e18) return static_cast<To>(std::numeric_limits<std::int64_t>::max());
    return static_cast<To>(static_cast<std::int64_t>(x));
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace

Result<void> run_quantize(const KernelCall& call) {
  const DType from = call.input(0).type();
  with_type(call.output().type(), [&](auto to) {
    using Out = decltype(to);
    if constexpr (std::is_integral_v<Out>) {
      if (from == DType::F32) return quantize_floats<Out>(call);
      with_type(from, [&](auto sample) {
        if constexpr (std::is_integral_v<decltype(sample)>) requantize<decltype(sample), Out>(call);
      });
    }
  });
  return {};
}

Result<void> run_dequantize(const KernelCall& call) {
  const Tensor& in = call.input(0);
  auto out = call.output().as_mutable<float>();
  if (in.type() == DType::F16) {
    const auto halves = in.as<std::uint16_t>();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = half_to_float(halves[i]);
    return {};
  }
  const Quantization& q = in.quantization();
  std::int64_t inner = 1, channels = 1;
  if (q.per_axis()) {
    channels = in.dim(static_cast<std::size_t>(q.axis));
    for (std::size_t d = static_cast<std::size_t>(q.axis) + 1; d < in.rank(); ++d) inner *= in.dim(d);
  }
  with_type(in.type(), [&](auto sample) {
    const auto codes = in.as<decltype(sample)>();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto c =
          q.per_axis() ? static_cast<std::size_t>(static_cast<std::int64_t>(i) / inner % channels) : 0;
      // TensorFlow Lite multiplies in double and rounds once.
      out[i] = static_cast<float>(static_cast<double>(q.scale(c)) *
                                  static_cast<double>(static_cast<std::int64_t>(codes[i]) - q.zero_point(c)));
    }
  });
  return {};
}

Result<void> run_cast(const KernelCall& call) {
  Tensor& out = call.output();
  with_type(call.input(0).type(), [&](auto sample) {
    const auto in = call.input(0).as<decltype(sample)>();
    with_type(out.type(), [&](auto target) {
      using To = decltype(target);
      auto to = out.as_mutable<To>();
      const bool logical = out.type() == DType::Bool;
      for (std::size_t i = 0; i < in.size(); ++i)
        to[i] = logical ? static_cast<To>(in[i] != 0) : convert<To>(in[i]);
    });
  });
  return {};
}

}  // namespace npubin::exec::tflite
