// Sums of products with bias, requantisation and activation: what convolutions and fully connected layers
// share. tflite spec 2 and 5.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/workspace.h"
#include "npubin/graph.h"
#include "npubin/tensor.h"

namespace npubin::exec::tflite {

// When int16 activations take the 64-bit accumulator with single rounding.
enum class Wide : std::uint8_t { NoInt32Bias, Always };

struct ProductOperands {
  const Tensor& input;
  const Tensor& weights;
  const Tensor* bias;  // nullptr: 0
  Tensor& output;
  const graph::ActivationAttributes& activation;
  Wide wide;
  // FULLY_CONNECTED with one scale: float32(si sw), then divided in double.
  bool narrow_scale = false;
};

// One multiplier per output channel.
void find_multipliers(const ProductOperands& operands, std::span<Multiplier> out);
std::vector<Multiplier> multipliers_of(const ProductOperands& operands, std::int64_t channels);

class FloatProduct {
 public:
  using Sum = float;
  explicit FloatProduct(const ProductOperands& o)
      : in_(o.input.as<float>().data()),
        weights_(o.weights.as<float>().data()),
        bias_(o.bias != nullptr ? o.bias->as<float>().data() : nullptr),
        out_(o.output.as_mutable<float>().data()),
        range_(float_range(o.activation)) {}

  float dot(float sum, std::int64_t in, std::int64_t weights, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) sum += in_[in + i] * weights_[weights + i];
    return sum;
  }
  void finish(float sum, std::int64_t out, std::int64_t channel) const {
    out_[out] = range_.clamp(bias_ != nullptr ? sum + bias_[channel] : sum);
  }

 private:
  const float* in_;
  const float* weights_;
  const float* bias_;
  float* out_;
  FloatRange range_;
};

// In: codes; W: weight codes; Acc: int32 with double rounding, or int64 with single rounding.
template <class In, class W, class Acc>
class CodeProduct {
 public:
  using Sum = Acc;
  CodeProduct(const ProductOperands& o, std::int64_t channels)
      : in_(o.input.as<In>().data()),
        weights_(o.weights.as<W>().data()),
        out_(o.output.as_mutable<In>().data()),
        zero_in_(static_cast<std::int32_t>(o.input.quantization().zero_point())),
        zero_weights_(static_cast<std::int32_t>(o.weights.quantization().zero_point())),
        zero_out_(o.output.quantization().zero_point()),
        range_(activation_range<In>(o.activation, o.output.quantization())),
        multipliers_(static_cast<std::size_t>(channels)),
        bias_(static_cast<std::size_t>(channels), 0) {
    find_multipliers(o, multipliers_);
    for (std::size_t c = 0; o.bias != nullptr && c < bias_.size(); ++c)
      bias_[c] = o.bias->type() == DType::I64 ? o.bias->as<std::int64_t>()[c] : o.bias->as<std::int32_t>()[c];
  }

  Acc dot(Acc sum, std::int64_t in, std::int64_t weights, std::int64_t count) const {
    // Unsigned, so that sums beyond the accumulator wrap as they do in the reference.
    using U = std::make_unsigned_t<Acc>;
    U total = static_cast<U>(sum);
    for (std::int64_t i = 0; i < count; ++i)
      total += static_cast<U>(
          static_cast<Acc>((in_[in + i] - zero_in_) * (weights_[weights + i] - zero_weights_)));
    return static_cast<Acc>(total);
  }
  void finish(Acc sum, std::int64_t out, std::int64_t channel) const {
    const auto c = static_cast<std::size_t>(channel);
    const auto total = static_cast<std::int64_t>(static_cast<std::uint64_t>(std::int64_t{sum}) +
                                                 static_cast<std::uint64_t>(bias_[c]));
    std::int64_t code;
    if constexpr (sizeof(Acc) == 8)
      code = multiply_64(total, multipliers_[c]);
    else
      code = multiply(wrap32(total), multipliers_[c]);
    out_[out] = range_.clamp(code + zero_out_);
  }

 private:
  const In* in_;
  const W* weights_;
  In* out_;
  std::int32_t zero_in_, zero_weights_;
  std::int64_t zero_out_;
  Range<In> range_;
  WorkVector<Multiplier> multipliers_;
  WorkVector<std::int64_t> bias_;
};

// Calls f with the product that the operands' types ask for.
template <class F>
void with_product(const ProductOperands& o, F f) {
  const std::int64_t channels = o.output.shape().back();
  switch (o.input.type()) {
    case DType::F32:
      return f(FloatProduct(o));
    case DType::U8:
      return f(CodeProduct<std::uint8_t, std::uint8_t, std::int32_t>(o, channels));
    case DType::I8:
      return f(CodeProduct<std::int8_t, std::int8_t, std::int32_t>(o, channels));
    default:
      break;
  }
  const bool int32_bias = o.bias != nullptr && o.bias->type() == DType::I32;
  if (o.wide == Wide::NoInt32Bias && int32_bias)
    f(CodeProduct<std::int16_t, std::int8_t, std::int32_t>(o, channels));
  else
    f(CodeProduct<std::int16_t, std::int8_t, std::int64_t>(o, channels));
}

}  // namespace npubin::exec::tflite
