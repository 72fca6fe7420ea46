// LOGISTIC and TANH of codes: fixed-point functions for 8 bits, an interpolated table for 16. tflite spec 4.
#include <array>
#include <cmath>

#include "exec/reference/tflite/activations.h"
#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::tflite {
namespace {

constexpr int kInputBits = 4;  // arguments are Q4

// int8 and uint8: beyond the radius the function is saturated.
template <class T>
void eight_bits(const KernelCall& call, bool logistic) {
  const Quantization& qi = call.input(0).quantization();
  const Multiplier m = quantize_multiplier(static_cast<double>(qi.scale()) * (1 << (31 - kInputBits)));
  const int left = std::max(m.shift, 0);
  const auto radius =
      static_cast<std::int64_t>(std::floor(15.0 * (1 << (31 - kInputBits)) / std::pow(2.0, left)));
  const std::int64_t zero =
      logistic ? std::numeric_limits<T>::min() : std::int64_t{std::numeric_limits<T>::min()} + 128;
  const auto in = call.input(0).as<T>();
  auto out = call.output().template as_mutable<T>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int64_t v = in[i] - qi.zero_point();
    if (v <= -radius) {
      out[i] = std::numeric_limits<T>::min();
    } else if (v >= radius) {
      out[i] = std::numeric_limits<T>::max();
    } else {
      const std::int32_t x = multiply(static_cast<std::int32_t>(v), m);
      const std::int32_t y =
          logistic ? rdp(fixed_logistic(x, kInputBits), 23) : rdp(fixed_tanh(x, kInputBits), 24);
      out[i] = clamp_to<T>(y + zero);
    }
  }
}

// Corrected samples of the sigmoid at i/24, so that linear interpolation errs evenly.
std::array<std::uint16_t, 256> sigmoid_table() {
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x / 24.0)); };
  std::array<std::uint16_t, 256> table{};
  for (int i = 0; i < 255; ++i) {
    const double here = sigmoid(i), next = sigmoid(i + 1), middle = sigmoid(i + 0.5);
    table[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(std::round(65536.0 * (here + (middle - (here + next) / 2.0) / 2.0)));
  }
  table[255] = 65535;
  return table;
}

void sixteen_bits(const KernelCall& call, bool logistic) {
  const std::array<std::uint16_t, 256>& table = sigmoid_samples();
  const SquashScaling scaling = squash_scaling(call.input(0).quantization().scale(), logistic);
  const std::int64_t round = scaling.shift > 0 ? std::int64_t{1} << (scaling.shift - 1) : 0;
  const int step = logistic ? 9 : 8;
  const auto in = call.input(0).as<std::int16_t>();
  auto out = call.output().as_mutable<std::int16_t>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int64_t x = (std::int64_t{in[i]} * scaling.factor + round) >> scaling.shift;
    const std::int64_t magnitude = x < 0 ? -x : x;
    const std::int64_t place = magnitude >> step, fraction = magnitude & ((1 << step) - 1);
    std::int64_t r = std::int64_t{logistic ? 0x7FFF : 0xFFFF} << (logistic ? 10 : 8);
    if (place < 255) {
      const std::int64_t low = table[static_cast<std::size_t>(place)],
                         high = table[static_cast<std::size_t>(place) + 1];
      r = (low << step) + fraction * (high - low);
    }
    if (logistic)
      r = x >= 0 ? (r + 512) >> 10 : ((std::int64_t{1} << 25) - r + 511) >> 10;
    else
      r = x >= 0 ? (r - (1 << 23) + 128) >> 8 : (-r + (1 << 23) + 127) >> 8;
    out[i] = static_cast<std::int16_t>(r);
  }
}

void squash(const KernelCall& call, bool logistic) {
  if (call.input(0).type() == DType::I8)
    eight_bits<std::int8_t>(call, logistic);
  else if (call.input(0).type() == DType::U8)
    eight_bits<std::uint8_t>(call, logistic);
  else
    sixteen_bits(call, logistic);
}

}  // namespace

SquashScaling squash_scaling(float scale, bool logistic) {
  int exponent = 0;
  const bool power_of_two = std::frexp(scale, &exponent) == 0.5f;
  const int n = 12 + exponent - 1;
  if (power_of_two && (n == 0 || (!logistic && n == 1))) return {3 << n, 0};
  double factor = static_cast<double>(scale) * 4096.0 * 3.0;
  int shift = 0;
  while (factor <= 32767.0 / 2.0 && shift <= 30) {
    factor *= 2.0;
    ++shift;
  }
  return {static_cast<std::int32_t>(std::min(factor, 2147483647.0)), shift};
}

const std::array<std::uint16_t, 256>& sigmoid_samples() {
  static const std::array<std::uint16_t, 256> kSamples = sigmoid_table();
  return kSamples;
}

void logistic_codes(const KernelCall& call) {
  squash(call, true);
}
void tanh_codes(const KernelCall& call) {
  squash(call, false);
}

}  // namespace npubin::exec::tflite
