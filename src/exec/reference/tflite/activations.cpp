// RELU, RELU6, RELU_N1_TO_1, LEAKY_RELU, PRELU, ELU, GELU; HARD_SWISH, LOGISTIC and TANH are in their own
// files. tflite spec 4.
#include "exec/reference/tflite/activations.h"

#include <cmath>

#include "exec/reference/tflite/broadcast.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::Activation;
using graph::ActivationAttributes;

float evaluate(const ActivationAttributes& a, float x) {
  switch (a.function) {
    case Activation::ReLu:
      return std::max(x, 0.0f);
    case Activation::BoundedReLu:
      return std::min(std::max(x, a.b), a.a);
    case Activation::LeakyReLu:
      return x > 0 ? x : x * a.a;
    case Activation::Elu:
      return x < 0 ? std::expm1(x) : x;
    case Activation::HardSwish:
      return x * std::min(std::max(x + 3.0f, 0.0f), 6.0f) / 6.0f;
    case Activation::Sigmoid:
      return 1.0f / (1.0f + std::exp(-x));
    case Activation::TanH:
      return std::tanh(x);
    default:
      break;
  }
  constexpr float kSqrtHalf = 0.70710678118654752f, kSqrtTwoOverPi = 0.79788456080286536f;
  return a.approximate ? 0.5f * x * (1.0f + std::tanh(kSqrtTwoOverPi * (x + 0.044715f * x * x * x)))
                       : 0.5f * x * std::erfc(-x * kSqrtHalf);
}

template <class T, class F>
void map_codes(const KernelCall& call, F f) {
  const auto in = call.input(0).as<T>();
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = f(in[i]);
}

template <class T>
void relu_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const Multiplier m = quantize_multiplier(qi.scale() / qo.scale());
  const auto zi = static_cast<std::int32_t>(qi.zero_point());
  const std::int64_t zo = qo.zero_point();
  map_codes<T>(call, [&](T q) { return clamp_to<T>(std::max(zo, multiply(q - zi, m) + zo)); });
}

// Clamps the codes of the input; the output's quantisation plays no part.
template <class T>
void relu6_codes(const KernelCall& call) {
  const Quantization& qi = call.input(0).quantization();
  const T low = clamp_to<T>(qi.zero_point());
  const T high = clamp_to<T>(qi.zero_point() + round_to_integer(6.0f / qi.scale()));
  map_codes<T>(call, [&](T q) { return std::min(std::max(q, low), high); });
}

template <class T>
void leaky_relu_codes(const KernelCall& call, float alpha) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const Multiplier identity = quantize_multiplier(qi.scale() / qo.scale());
  const Multiplier slope = quantize_multiplier(qi.scale() * std::fabs(alpha) / qo.scale());
  const auto zi = static_cast<std::int32_t>(qi.zero_point());
  map_codes<T>(call, [&](T q) {
    const std::int32_t v = q - zi;
    const std::int64_t y = v >= 0      ? multiply(v, identity)
                           : alpha < 0 ? -std::int64_t{multiply(v, slope)}
                                       : multiply(v, slope);
    return clamp_to<T>(y + qo.zero_point());
  });
}

void elu_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qo = call.output().quantization();
  const float inverse = 1.0f / qo.scale();
  std::int8_t table[256];
  for (int q = -128; q < 128; ++q) {
    const float x = qi.scale() * static_cast<float>(q - qi.zero_point());
    const float y = x < 0 ? std::exp(x) - 1.0f : x;
    table[q + 128] = clamp_to<std::int8_t>(round_to_integer(y * inverse) + qo.zero_point());
  }
  map_codes<std::int8_t>(call, [&](std::int8_t q) { return table[q + 128]; });
}

template <class T>
void prelu_codes(const KernelCall& call) {
  const Quantization &qi = call.input(0).quantization(), &qa = call.input(1).quantization(),
                     &qo = call.output().quantization();
  const double si = qi.scale(), sa = qa.scale(), so = qo.scale();
  const Multiplier identity = quantize_multiplier(si / so), slope = quantize_multiplier(si * sa / so);
  const auto zi = static_cast<std::int32_t>(qi.zero_point()), za = static_cast<std::int32_t>(qa.zero_point());
  const auto in = call.input(0).as<T>();
  const auto alpha = call.input(1).as<std::int8_t>();
  auto out = call.output().template as_mutable<T>();
  BroadcastWalk walk(call.output().shape(), {&call.input(0).shape(), &call.input(1).shape()});
  for (std::size_t i = 0; i < out.size(); ++i, walk.next()) {
    const std::int32_t v = in[walk.at(0)] - zi;
    const std::int32_t y = v >= 0 ? multiply(v, identity) : multiply(v * (alpha[walk.at(1)] - za), slope);
    out[i] = clamp_to<T>(y + qo.zero_point());
  }
}

template <class T>
void piecewise_codes(const KernelCall& call, const ActivationAttributes& a) {
  if (a.function == Activation::ReLu)
    relu_codes<T>(call);
  else if (a.function == Activation::BoundedReLu)
    relu6_codes<T>(call);
  else
    leaky_relu_codes<T>(call, a.a);
}

}  // namespace

Result<void> run_activation(const KernelCall& call) {
  const auto& a = call.node.attr<ActivationAttributes>();
  if (call.input(0).type() == DType::F32) {
    const auto in = call.input(0).as<float>();
    auto out = call.output().as_mutable<float>();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = evaluate(a, in[i]);
    return {};
  }
  switch (a.function) {
    case Activation::Sigmoid:
      logistic_codes(call);
      return {};
    case Activation::TanH:
      tanh_codes(call);
      return {};
    case Activation::HardSwish:
      return hard_swish_codes(call);
    case Activation::Elu:
      elu_codes(call);
      return {};
    default:
      break;
  }
  if (call.input(0).type() == DType::I8)
    piecewise_codes<std::int8_t>(call, a);
  else if (call.input(0).type() == DType::U8)
    piecewise_codes<std::uint8_t>(call, a);
  else
    piecewise_codes<std::int16_t>(call, a);
  return {};
}

Result<void> run_prelu(const KernelCall& call) {
  if (call.input(0).type() == DType::F32)
    for_each_pair<float, float>(call.input(0), call.input(1), call.output(),
                                [](float x, float a) { return x >= 0 ? x : x * a; });
  else if (call.input(0).type() == DType::I8)
    prelu_codes<std::int8_t>(call);
  else
    prelu_codes<std::int16_t>(call);
  return {};
}

}  // namespace npubin::exec::tflite
