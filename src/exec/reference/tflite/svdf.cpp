// SVDF. tflite spec 5.
#include <cstring>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::SvdfAttributes;

struct Sizes {
  std::int64_t batches, features, filters, memory, rank, units;
  explicit Sizes(const KernelCall& call)
      : batches(call.input(0).dim(0)),
        features(call.input(0).dim(1)),
        filters(call.input(1).dim(0)),
        memory(call.input(2).dim(1)),
        rank(call.node.attr<SvdfAttributes>().rank),
        units(filters / rank) {}
};

// The oldest value of every filter falls out; the newest place is free afterwards.
template <class T>
void shift_state(std::span<T> state, std::int64_t memory) {
  for (std::size_t row = 0; row < state.size(); row += static_cast<std::size_t>(memory))
    std::memmove(&state[row], &state[row] + 1, static_cast<std::size_t>(memory - 1) * sizeof(T));
}

void run_floats(const KernelCall& call) {
  const Sizes n(call);
  const float *in = call.input(0).as<float>().data(), *feature = call.input(1).as<float>().data(),
              *time = call.input(2).as<float>().data();
  const float* bias = call.optional_input(3) != nullptr ? call.input(3).as<float>().data() : nullptr;
  auto state = call.states[4]->as_mutable<float>();
  auto out = call.output().as_mutable<float>();
  const FloatRange range = float_range(call.node.attr<SvdfAttributes>().activation);
  shift_state(state, n.memory);
  for (std::int64_t b = 0; b < n.batches; ++b)
    for (std::int64_t u = 0; u < n.units; ++u) {
      float total = bias != nullptr ? bias[u] : 0.0f;
      for (std::int64_t f = u * n.rank; f < (u + 1) * n.rank; ++f) {
        float dot = 0;
        for (std::int64_t i = 0; i < n.features; ++i)
          dot += feature[f * n.features + i] * in[b * n.features + i];
        float* row = &state[static_cast<std::size_t>((b * n.filters + f) * n.memory)];
        row[n.memory - 1] = dot;
        float sum = 0;
        for (std::int64_t t = 0; t < n.memory; ++t) sum += time[f * n.memory + t] * row[t];
        total += sum;
      }
      out[static_cast<std::size_t>(b * n.units + u)] = range.clamp(total);
    }
}

template <class S>
void run_codes(const KernelCall& call) {
  const Sizes n(call);
  const auto in = call.input(0).as<std::int8_t>(), feature = call.input(1).as<std::int8_t>();
  const auto time = call.input(2).as<S>();
  const std::int32_t* bias =
      call.optional_input(3) != nullptr ? call.input(3).as<std::int32_t>().data() : nullptr;
  auto state = call.states[4]->as_mutable<S>();
  auto out = call.output().as_mutable<std::int8_t>();
  const float sst = call.input(4).quantization().scale();
  const Multiplier to_state =
      quantize_multiplier(call.input(0).quantization().scale() * call.input(1).quantization().scale() / sst);
  const Multiplier to_out =
      quantize_multiplier(sst * call.input(2).quantization().scale() / call.output().quantization().scale());
  const auto zi = static_cast<std::int32_t>(call.input(0).quantization().zero_point());
  const auto zst = static_cast<std::int32_t>(call.input(4).quantization().zero_point());
  const std::int64_t zo = call.output().quantization().zero_point();
  shift_state(state, n.memory);
  for (std::int64_t b = 0; b < n.batches; ++b)
    for (std::int64_t u = 0; u < n.units; ++u) {
      std::int64_t total = bias != nullptr ? bias[u] : 0;
      for (std::int64_t f = u * n.rank; f < (u + 1) * n.rank; ++f) {
        std::int64_t dot = 0;
        for (std::int64_t i = 0; i < n.features; ++i)
          dot += (in[static_cast<std::size_t>(b * n.features + i)] - zi) *
                 feature[static_cast<std::size_t>(f * n.features + i)];
        S* row = &state[static_cast<std::size_t>((b * n.filters + f) * n.memory)];
        row[n.memory - 1] = static_cast<S>(clamp_to<S>(multiply(wrap32(dot), to_state)) + zst);
        for (std::int64_t t = 0; t < n.memory; ++t)
          total += std::int64_t{time[static_cast<std::size_t>(f * n.memory + t)]} * (row[t] - zst);
      }
      out[static_cast<std::size_t>(b * n.units + u)] =
          clamp_to<std::int8_t>(multiply(wrap32(total), to_out) + zo);
    }
}

}  // namespace

Result<void> run_svdf(const KernelCall& call) {
  if (call.input(0).type() == DType::F32)
    run_floats(call);
  else if (call.input(4).type() == DType::I16)
    run_codes<std::int16_t>(call);
  else
    run_codes<std::int8_t>(call);
  return {};
}

}  // namespace npubin::exec::tflite
