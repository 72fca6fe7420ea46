// LOG_SOFTMAX, L2_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION. tflite spec 4.
#include <cmath>

#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/kernels.h"
#include "exec/reference/tflite/softmax.h"

namespace npubin::exec::tflite {
namespace {

std::size_t row_length(const KernelCall& call) {
  return static_cast<std::size_t>(call.input(0).shape().back());
}

void log_softmax_floats(std::span<const float> in, std::span<float> out) {
  const float largest = *std::max_element(in.begin(), in.end());
  float sum = 0;
  for (float x : in) sum += std::exp(x - largest);
  const float logarithm = std::log(sum);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] - largest - logarithm;
}

void log_softmax_codes(std::span<const std::int8_t> in, std::span<std::int8_t> out,
                       const SoftmaxScaling& scaling) {
  const int left = scaling.multiplier.shift;
  const Multiplier back = quantize_multiplier(std::ldexp(1.0, 31 - left) / scaling.multiplier.mantissa);
  const std::int32_t largest = *std::max_element(in.begin(), in.end());
  std::int32_t sum = 0;
  for (std::int8_t q : in)
    if (const std::int32_t d = q - largest; d >= scaling.smallest_difference)
      sum =
          wrap32(std::int64_t{sum} + rdp(exp_on_negative(multiply(d, scaling.multiplier), kSoftmaxBits), 12));
  const std::int32_t logarithm = fixed_log(sum);
  const std::int32_t shifted = wrap32(std::int64_t{logarithm} - (std::int64_t{1} << 31));
  const std::int32_t threshold = std::max(scaling.smallest_difference - 1, multiply(shifted, back));
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int32_t d = in[i] - largest;
    out[i] = -128;
    if (d > threshold)
      out[i] = clamp_to<std::int8_t>(
          std::int64_t{
              rdp(wrap32(std::int64_t{multiply(d, scaling.multiplier)} - logarithm), 31 - kSoftmaxBits - 4)} +
          127);
  }
}

void l2_codes(std::span<const std::int8_t> in, std::span<std::int8_t> out, std::int64_t zero) {
  std::int64_t squares = 0;
  for (std::int8_t q : in) squares += (q - zero) * (q - zero);
  const InverseSqrt inverse = inverse_sqrt(saturate32(squares));
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = clamp_to<std::int8_t>(
        multiply(static_cast<std::int32_t>(in[i] - zero), {inverse.mantissa, inverse.shift + 7}));
}

void l2_floats(std::span<const float> in, std::span<float> out) {
  float squares = 0;
  for (float x : in) squares += x * x;
  const float norm = std::max(std::sqrt(squares), 1e-6f);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] / norm;
}

template <class T, class F>
void per_row(const KernelCall& call, F f) {
  const auto in = call.input(0).as<T>();
  auto out = call.output().template as_mutable<T>();
  const std::size_t row = row_length(call);
  for (std::size_t i = 0; row > 0 && i < in.size(); i += row) f(in.subspan(i, row), out.subspan(i, row));
}

}  // namespace

Result<void> run_log_softmax(const KernelCall& call) {
  if (call.input(0).type() == DType::F32) {
    per_row<float>(call, log_softmax_floats);
    return {};
  }
  const SoftmaxScaling scaling(call.input(0).quantization().scale(), 1.0);
  per_row<std::int8_t>(call, [&](auto in, auto out) { log_softmax_codes(in, out, scaling); });
  return {};
}

Result<void> run_l2_normalization(const KernelCall& call) {
  if (call.input(0).type() == DType::F32) {
    per_row<float>(call, l2_floats);
    return {};
  }
  const std::int64_t zero = call.input(0).quantization().zero_point();
  per_row<std::int8_t>(call, [&](auto in, auto out) { l2_codes(in, out, zero); });
  return {};
}

Result<void> run_local_response(const KernelCall& call) {
  const auto& a = call.node.attr<graph::LocalResponseAttributes>();
  per_row<float>(call, [&](std::span<const float> in, std::span<float> out) {
    const auto depth = static_cast<std::int64_t>(in.size()), radius = static_cast<std::int64_t>(a.radius);
    for (std::int64_t c = 0; c < depth; ++c) {
      float squares = 0;
      for (std::int64_t k = std::max<std::int64_t>(0, c - radius); k < std::min(depth, c + radius + 1); ++k)
        squares += in[static_cast<std::size_t>(k)] * in[static_cast<std::size_t>(k)];
      const float factor = std::pow(a.k + a.alpha * squares, -a.beta);
      out[static_cast<std::size_t>(c)] = in[static_cast<std::size_t>(c)] * factor;
    }
  });
  return {};
}

}  // namespace npubin::exec::tflite
