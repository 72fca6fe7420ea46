// SOFTMAX. tflite spec 4.
#include "exec/reference/tflite/softmax.h"

#include <array>
#include <cmath>

#include "exec/reference/tflite/fixed_functions.h"
#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

void softmax_floats(std::span<const float> in, std::span<float> out, float beta) {
  const float largest = *std::max_element(in.begin(), in.end());
  float sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = std::exp((in[i] - largest) * beta);
    sum += out[i];
  }
  for (float& y : out) y = y / sum;
}

template <class In, class Out>
void softmax_codes(std::span<const In> in, std::span<Out> out, const SoftmaxScaling& scaling) {
  const std::int32_t largest = *std::max_element(in.begin(), in.end());
  const std::int32_t sum = sum_of_exponentials(in, largest, scaling);
  const Reciprocal inverse = reciprocal(sum, 12);
  constexpr Out kLowest = std::numeric_limits<Out>::min();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int32_t d = in[i] - largest;
    if (d < scaling.smallest_difference) {
      out[i] = kLowest;
      continue;
    }
    const std::int32_t e = exp_on_negative(scaling.scaled(d), kSoftmaxBits);
    const int shift = inverse.bits_over_unit + 31 - static_cast<int>(8 * sizeof(Out));
    out[i] = clamp_to<Out>(rdp(srdhm(inverse.value, e), shift) + kLowest);
  }
}

// 513 samples of a function over [low, low + range], corrected so that interpolation errs evenly; float32
// throughout.
using Table16 = std::array<std::int16_t, 513>;
template <class F>
Table16 table_of(F f, float low, float range) {
  constexpr float kOutLow = -32768.0f * (2.0f / 65535.0f), kOutHigh = 32767.0f * (2.0f / 65535.0f);
  const float step = range / 512.0f, half = step / 2.0f, k = 65536.0f / (kOutHigh - kOutLow);
  Table16 table{};
  for (int i = 0; i < 512; ++i) {
    const float x = low + static_cast<float>(i) * step;
    const float sample = std::round(f(x) * k);
    const float interpolated = std::round((f(x + step) * k + sample) / 2.0f);
    const float middle = std::round(f(x + half) * k);
    const float bias = std::round((interpolated - middle) / 2.0f);
    table[static_cast<std::size_t>(i)] = clamp_to<std::int16_t>(round_to_integer(sample - bias));
  }
  table[512] = clamp_to<std::int16_t>(round_to_integer(f(low + range) * k));
  return table;
}

std::int32_t look_up(const Table16& table, std::int32_t code) {
  const std::int32_t cell = 256 + (code >> 7);
  const auto i = static_cast<std::size_t>(cell);
  const std::int32_t slope = table[i + 1] - table[i];
  return table[i] + ((slope * (code & 127) + 64) >> 7);
}

void softmax_16(std::span<const std::int16_t> in, std::span<std::int16_t> out, Multiplier m) {
  static const Table16 kExp = table_of([](float x) { return std::exp(x); }, -10.0f, 10.0f);
  static const Table16 kInverse = table_of([](float x) { return 1.0f / (1.0f + x); }, 0.0f, 1.0f);
  const std::int32_t largest = *std::max_element(in.begin(), in.end());
  std::int64_t total = 0;
  WorkVector<std::int32_t> exponentials(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int32_t shifted = clamp_to<std::int16_t>(std::int64_t{multiply(in[i] - largest, m)} + 32767);
    exponentials[i] = look_up(kExp, shifted);
    total += exponentials[i];
  }
  const auto sum = static_cast<std::uint32_t>(std::clamp<std::int64_t>(total, 1, INT32_MAX));
  const int h = leading_zeros(sum);
  const auto t = static_cast<std::int32_t>(((static_cast<std::int64_t>(sum) << (h - 1)) + (1 << 13)) >> 14);
  const std::int64_t inverse = look_up(kInverse, clamp_to<std::int16_t>(std::int64_t{t} - 98304));
  const std::int64_t half = h <= 30 ? std::int64_t{1} << (30 - h) : 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t y = (exponentials[i] * inverse + half) >> (31 - h);
    out[i] = static_cast<std::int16_t>(std::clamp<std::int64_t>(y, 0, 32767));
  }
}

template <class In, class Out, class F>
void per_row(const KernelCall& call, F f) {
  const auto in = call.input(0).as<In>();
  auto out = call.output().template as_mutable<Out>();
  const auto row = static_cast<std::size_t>(call.input(0).shape().back());
  for (std::size_t i = 0; row > 0 && i < in.size(); i += row) f(in.subspan(i, row), out.subspan(i, row));
}

}  // namespace

SoftmaxScaling::SoftmaxScaling(double scale, double beta) {
  const double real = std::min(beta * scale * (1 << (31 - kSoftmaxBits)), 2147483647.0);
  multiplier = quantize_multiplier(real);
  const int left = std::max(multiplier.shift, 0);
  smallest_difference = -static_cast<std::int32_t>(
      std::min(std::floor(31.0 * (1 << (31 - kSoftmaxBits)) / std::pow(2.0, left)), 2147483647.0));
}

Result<void> run_softmax(const KernelCall& call) {
  const float beta = call.node.attr<graph::SoftmaxAttributes>().beta;
  const float scale = call.input(0).quantization().scale();
  const SoftmaxScaling scaling(scale, beta);
  switch (call.input(0).type()) {
    case DType::F32:
      per_row<float, float>(call, [&](auto in, auto out) { softmax_floats(in, out, beta); });
      break;
    case DType::U8:
      per_row<std::uint8_t, std::uint8_t>(call, [&](auto in, auto out) { softmax_codes(in, out, scaling); });
      break;
    case DType::I8:
      if (call.output().type() == DType::I8)
        per_row<std::int8_t, std::int8_t>(call, [&](auto in, auto out) { softmax_codes(in, out, scaling); });
      else
        per_row<std::int8_t, std::int16_t>(call, [&](auto in, auto out) { softmax_codes(in, out, scaling); });
      break;
    default: {
      const Multiplier m = quantize_multiplier(static_cast<double>(scale) * beta / (10.0 / 65535.0));
      per_row<std::int16_t, std::int16_t>(call, [&](auto in, auto out) { softmax_16(in, out, m); });
    }
  }
  return {};
}

}  // namespace npubin::exec::tflite
