// The project's own float32 kernels, compiled for several instruction sets and chosen at run time (Highway).
// No pointer needs alignment; `out` may be an operand unless said otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "npubin/graph.h"

namespace npubin::exec::fast {

enum class Binary : std::uint8_t { Add, Sub, Mul, Div, Min, Max, SquaredDifference, Prelu };

// nullopt where the operator is none of them.
std::optional<Binary> float_binary(graph::Op op);

void add(const float* a, const float* b, float* out, std::size_t count);

// Element by element. `period_a` and `period_b`: how many elements of the operand there are; it repeats.
// Either equals `count`, or divides it.
void binary(Binary op, const float* a, std::size_t period_a, const float* b, std::size_t period_b, float* out,
            std::size_t count);

// Every function but Gelu.
void activate(const graph::ActivationAttributes& activation, const float* in, float* out, std::size_t count);

enum class Unary : std::uint8_t { Abs, Neg, Exp, Log, Sqrt, Rsqrt, Square, Floor, Ceil };
void unary(Unary op, const float* in, float* out, std::size_t count);

// `rows` rows of `length`: exp((x - max) * beta) / sum.
void softmax_rows(const float* in, float* out, std::size_t rows, std::size_t length, float beta);

// out[c] = sum over `count` pixels of in[pixel * step + c]; `out` is no operand.
void sum_pixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels);
// out[c] = the largest of `count` pixels; starts at -FLT_MAX; `out` is no operand.
void max_pixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels);
void scale(float factor, float* data, std::size_t count);
// out = a + w * (b - a)
void interpolate(const float* a, const float* b, float w, float* out, std::size_t count);

}  // namespace npubin::exec::fast
