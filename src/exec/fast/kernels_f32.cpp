#include "exec/fast/kernels_f32.h"

#include <cfloat>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_f32.cpp"
// SSSE3 and AVX3_DL bring float32 nothing over their neighbours.
// g++ 12 stumbles over SVE beside precompiled headers.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these three matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// out[i] = f(vector of in at i); the tail goes through a full vector on the stack.
template <class F>
void map1(const float* in, float* out, std::size_t count, F f) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(f(d, hn::LoadU(d, in + i)), d, out + i);
  if (i == count) return;
  HWY_ALIGN float buffer[hn::MaxLanes(D())] = {};
  std::memcpy(buffer, in + i, (count - i) * sizeof(float));
  hn::Store(f(d, hn::Load(d, buffer)), d, buffer);
  std::memcpy(out + i, buffer, (count - i) * sizeof(float));
}

template <class F>
void map2(const float* a, const float* b, float* out, std::size_t count, F f) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(f(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
  if (i == count) return;
  HWY_ALIGN float left[hn::MaxLanes(D())] = {};
  HWY_ALIGN float right[hn::MaxLanes(D())] = {};
  std::memcpy(left, a + i, (count - i) * sizeof(float));
  std::memcpy(right, b + i, (count - i) * sizeof(float));
  hn::Store(f(d, hn::Load(d, left), hn::Load(d, right)), d, left);
  std::memcpy(out + i, left, (count - i) * sizeof(float));
}

template <class F>
void map2_periodic(const float* a, std::size_t period_a, const float* b, std::size_t period_b, float* out,
                   std::size_t count, F f) {
  if (period_b == 1 && period_a == count) {
    const float value = b[0];
    map1(a, out, count, [f, value](D d, V x) { return f(d, x, hn::Set(d, value)); });
  } else if (period_a == 1 && period_b == count) {
    const float value = a[0];
    map1(b, out, count, [f, value](D d, V x) { return f(d, hn::Set(d, value), x); });
  } else if (period_a > 0 && period_b > 0) {
    const std::size_t run = period_a < period_b ? period_a : period_b;
    for (std::size_t i = 0; i < count; i += run) map2(a + i % period_a, b + i % period_b, out + i, run, f);
  }
}

template <class F>
void with_binary(Binary op, F&& run) {
  switch (op) {
    case Binary::Add:
      return run([](auto, auto a, auto b) { return hn::Add(a, b); });
    case Binary::Sub:
      return run([](auto, auto a, auto b) { return hn::Sub(a, b); });
    case Binary::Mul:
      return run([](auto, auto a, auto b) { return hn::Mul(a, b); });
    case Binary::Div:
      return run([](auto, auto a, auto b) { return hn::Div(a, b); });
    // As std::min(a, b) and std::max(a, b): the first operand where the two are unordered.
    case Binary::Min:
      return run([](auto, auto a, auto b) { return hn::IfThenElse(hn::Lt(b, a), b, a); });
    case Binary::Max:
      return run([](auto, auto a, auto b) { return hn::IfThenElse(hn::Lt(a, b), b, a); });
    case Binary::SquaredDifference:
      return run([](auto, auto a, auto b) {
        const auto difference = hn::Sub(a, b);
        return hn::Mul(difference, difference);
      });
    case Binary::Prelu:
      return run(
          [](auto d, auto a, auto b) { return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Mul(a, b), a); });
  }
}

void BinaryKernel(Binary op, const float* a, std::size_t period_a, const float* b, std::size_t period_b,
                  float* out, std::size_t count) {
  with_binary(op, [&](auto f) {
    if (period_a == count && period_b == count) {
      map2(a, b, out, count, f);
    } else {
      map2_periodic(a, period_a, b, period_b, out, count, f);
    }
  });
}

// `y`, where x is a number; NaN stays NaN.
V unless_nan(V x, V y) {
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

// hn::Exp is defined up to 104, where float32 has long become infinite.
V exp_of(D d, V x) {
  return unless_nan(x, hn::Exp(d, hn::IfThenElse(hn::Gt(x, hn::Set(d, 104.0f)), hn::Set(d, 104.0f), x)));
}

// hn::Log is defined for positive numbers; 0 gives -inf, less gives NaN, infinity stays.
V log_of(D d, V x) {
  const V infinity = hn::Set(d, INFINITY), nothing = hn::Set(d, NAN);
  const V outside = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), nothing);
  const V y = hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Log(d, x), outside);
  return hn::IfThenElse(hn::Eq(x, infinity), x, y);
}

void ActivateExp(const graph::ActivationAttributes& f, const float* in, float* out, std::size_t count) {
  const float a = f.a, b = f.b;
  switch (f.function) {
    case graph::Activation::Sigmoid:
      return map1(in, out, count, [](D d, V x) {
        const auto one = hn::Set(d, 1.0f);
        return hn::Div(one, hn::Add(one, exp_of(d, hn::Neg(x))));
      });
    case graph::Activation::TanH:
      return map1(in, out, count, [a, b](D d, V x) {
        return unless_nan(x, hn::Mul(hn::Set(d, a), hn::Tanh(d, hn::Mul(hn::Set(d, b), x))));
      });
    case graph::Activation::SoftReLu:
      return map1(in, out, count,
                  [](D d, V x) { return log_of(d, hn::Add(hn::Set(d, 1.0f), exp_of(d, x))); });
    default:
      return map1(in, out, count, [a](D d, V x) {
        const auto negative = hn::Mul(hn::Set(d, a), hn::Sub(exp_of(d, x), hn::Set(d, 1.0f)));
        return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), x, negative);
      });
  }
}

void ActivateKernel(const graph::ActivationAttributes& f, const float* in, float* out, std::size_t count) {
  const float a = f.a, b = f.b;
  switch (f.function) {
    case graph::Activation::Linear:
      return map1(in, out, count,
                  [a, b](D d, V x) { return hn::Add(hn::Mul(hn::Set(d, a), x), hn::Set(d, b)); });
    case graph::Activation::ReLu:
      return map1(in, out, count,
                  [](D d, V x) { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Zero(d)); });
    case graph::Activation::BoundedReLu:
      return map1(in, out, count, [a, b](D d, V x) {
        const auto low = hn::Set(d, b), high = hn::Set(d, a);
        const auto raised = hn::IfThenElse(hn::Lt(low, x), x, low);
        return hn::IfThenElse(hn::Lt(raised, high), raised, high);
      });
    case graph::Activation::LeakyReLu:
      return map1(in, out, count, [a](D d, V x) {
        return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, hn::Set(d, a)));
      });
    case graph::Activation::Abs:  // of -0 it is -0
      return map1(in, out, count,
                  [](D d, V x) { return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Neg(x), x); });
    case graph::Activation::Sqrt:
      return map1(in, out, count, [](D, V x) { return hn::Sqrt(x); });
    case graph::Activation::Square:
      return map1(in, out, count, [](D, V x) { return hn::Mul(x, x); });
    case graph::Activation::HardSwish:
      return map1(in, out, count, [](D d, V x) {
        const auto gate = hn::Min(hn::Max(hn::Add(x, hn::Set(d, 3.0f)), hn::Zero(d)), hn::Set(d, 6.0f));
        return hn::Div(hn::Mul(x, gate), hn::Set(d, 6.0f));
      });
    case graph::Activation::None:
    case graph::Activation::Gelu:
      if (in != out) std::memcpy(out, in, count * sizeof(float));
      return;
    default:
      return ActivateExp(f, in, out, count);
  }
}

void UnaryKernel(Unary op, const float* in, float* out, std::size_t count) {
  switch (op) {
    case Unary::Abs:
      return map1(in, out, count, [](D, V x) { return hn::Abs(x); });
    case Unary::Neg:
      return map1(in, out, count, [](D, V x) { return hn::Neg(x); });
    case Unary::Exp:
      return map1(in, out, count, [](D d, V x) { return exp_of(d, x); });
    case Unary::Log:
      return map1(in, out, count, [](D d, V x) { return log_of(d, x); });
    case Unary::Sqrt:
      return map1(in, out, count, [](D, V x) { return hn::Sqrt(x); });
    case Unary::Rsqrt:
      return map1(in, out, count, [](D d, V x) { return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x)); });
    case Unary::Square:
      return map1(in, out, count, [](D, V x) { return hn::Mul(x, x); });
    case Unary::Floor:
      return map1(in, out, count, [](D, V x) { return hn::Floor(x); });
    case Unary::Ceil:
      return map1(in, out, count, [](D, V x) { return hn::Ceil(x); });
  }
}

float reduce_row(const float* row, std::size_t length, bool maximum) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  float result = maximum ? -INFINITY : 0.0f;
  if (length >= lanes) {
    V total = maximum ? hn::Set(d, -INFINITY) : hn::Zero(d);
    for (; i + lanes <= length; i += lanes) {
      const V x = hn::LoadU(d, row + i);
      total = maximum ? hn::Max(total, x) : hn::Add(total, x);
    }
    result = hn::GetLane(maximum ? hn::MaxOfLanes(d, total) : hn::SumOfLanes(d, total));
  }
  for (; i < length; ++i) result = maximum ? (row[i] > result ? row[i] : result) : result + row[i];
  return result;
}

void SoftmaxRows(const float* in, float* out, std::size_t rows, std::size_t length, float beta) {
  for (std::size_t r = 0; r < rows; ++r, in += length, out += length) {
    const float largest = reduce_row(in, length, true);
    map1(in, out, length, [largest, beta](D d, V x) {
      return exp_of(d, hn::Mul(hn::Sub(x, hn::Set(d, largest)), hn::Set(d, beta)));
    });
    const float sum = reduce_row(out, length, false);
    map1(out, out, length, [sum](D d, V x) { return hn::Div(x, hn::Set(d, sum)); });
  }
}

void SumPixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels) {
  std::memset(out, 0, channels * sizeof(float));
  for (std::size_t p = 0; p < count; ++p)
    map2(out, in + p * step, out, channels, [](D, V a, V b) { return hn::Add(a, b); });
}

void MaxPixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels) {
  for (std::size_t c = 0; c < channels; ++c) out[c] = -FLT_MAX;
  for (std::size_t p = 0; p < count; ++p)
    map2(out, in + p * step, out, channels, [](D, V a, V b) { return hn::IfThenElse(hn::Gt(b, a), b, a); });
}

void Interpolate(const float* a, const float* b, float w, float* out, std::size_t count) {
  map2(a, b, out, count,
       [w](D d, V x, V y) { return hn::Add(hn::Mul(hn::Set(d, w), y), hn::Mul(hn::Set(d, 1.0f - w), x)); });
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(BinaryKernel);
HWY_EXPORT(ActivateKernel);
HWY_EXPORT(UnaryKernel);
HWY_EXPORT(SoftmaxRows);
HWY_EXPORT(SumPixels);
HWY_EXPORT(MaxPixels);
HWY_EXPORT(Interpolate);

void add(const float* a, const float* b, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(BinaryKernel)(Binary::Add, a, count, b, count, out, count);
}
void binary(Binary op, const float* a, std::size_t period_a, const float* b, std::size_t period_b, float* out,
            std::size_t count) {
  HWY_DYNAMIC_DISPATCH(BinaryKernel)(op, a, period_a, b, period_b, out, count);
}
void activate(const graph::ActivationAttributes& activation, const float* in, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(ActivateKernel)(activation, in, out, count);
}
void unary(Unary op, const float* in, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(UnaryKernel)(op, in, out, count);
}
void softmax_rows(const float* in, float* out, std::size_t rows, std::size_t length, float beta) {
  HWY_DYNAMIC_DISPATCH(SoftmaxRows)(in, out, rows, length, beta);
}
void sum_pixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(SumPixels)(in, count, step, out, channels);
}
void max_pixels(const float* in, std::size_t count, std::size_t step, float* out, std::size_t channels) {
  HWY_DYNAMIC_DISPATCH(MaxPixels)(in, count, step, out, channels);
}
void scale(float factor, float* data, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(BinaryKernel)(Binary::Mul, data, count, &factor, 1, data, count);
}
void interpolate(const float* a, const float* b, float w, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(Interpolate)(a, b, w, out, count);
}

}  // namespace npubin::exec::fast
#endif
