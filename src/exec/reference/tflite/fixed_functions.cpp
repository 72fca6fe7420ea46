#include "exec/reference/tflite/fixed_functions.h"

#include <bit>

#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::tflite {
namespace {

// e^(-1/4), e^(-1/2), ... e^(-16), Q0.
constexpr std::int32_t kExpSteps[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
constexpr std::int32_t kExpEighth = 1895147668;       // e^(-1/8)
constexpr std::int32_t kOneThird = 715827883;         // 1/3
constexpr std::int32_t k48Over17 = 1515870810;        // 48/17, Q2
constexpr std::int32_t kMinus32Over17 = -1010580540;  // -32/17, Q2
constexpr std::int32_t kSqrtHalf = 1518500250;        // sqrt(1/2), Q0

std::int32_t add(std::int32_t a, std::int32_t b) {
  return wrap32(std::int64_t{a} + b);
}
std::int32_t subtract(std::int32_t a, std::int32_t b) {
  return wrap32(std::int64_t{a} - b);
}

// Newton's iteration for 1/((1+a)/2), Q2.
std::int32_t newton_reciprocal(std::int32_t a) {
  const auto half = static_cast<std::int32_t>((std::int64_t{a} + INT32_MAX + 1) / 2);
  std::int32_t x = add(k48Over17, srdhm(half, kMinus32Over17));
  for (int i = 0; i < 3; ++i) {
    const std::int32_t rest = subtract(1 << 29, srdhm(half, x));
    x = add(x, saturating_shift_left(srdhm(x, rest), 2));
  }
  return x;
}

std::int32_t half_sum(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  return static_cast<std::int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
}

std::int32_t negative_magnitude(std::int32_t a) {
  return a > 0 ? -a : a;
}

}  // namespace

int leading_zeros(std::uint32_t x) {
  return std::countl_zero(x);
}

int sign_headroom(std::int32_t x) {
  const auto bits = static_cast<std::uint32_t>(x < 0 ? ~x : x);
  return std::countl_zero(bits) - 1;
}

std::int32_t exp_on_negative(std::int32_t a, int k) {
  if (a == 0) return INT32_MAX;
  const std::int32_t quarter = std::int32_t{1} << (29 - k);
  const std::int32_t mod = (a & (quarter - 1)) - quarter;
  const std::int32_t x = add(saturating_shift_left(mod, k), 1 << 28);
  const std::int32_t x2 = srdhm(x, x), x3 = srdhm(x2, x), x4 = srdhm(x2, x2);
  const std::int32_t inner = add(srdhm(add(rdp(x4, 2), x3), kOneThird), x2);
  std::int32_t out = add(kExpEighth, srdhm(kExpEighth, add(x, rdp(inner, 1))));
  const auto remainder = static_cast<std::uint32_t>(subtract(mod, a));
  for (int e = -2; e <= 4; ++e)
    if (k > e && (remainder >> (31 - k + e) & 1u) != 0) out = srdhm(out, kExpSteps[e + 2]);
  return out;
}

std::int32_t one_over_one_plus(std::int32_t a) {
  return saturating_shift_left(newton_reciprocal(a), 1);
}

std::int32_t one_minus_over_one_plus(std::int32_t a) {
  return saturating_shift_left(subtract(newton_reciprocal(a), 1 << 29), 2);
}

std::int32_t fixed_logistic(std::int32_t a, int k) {
  if (a == 0) return 1 << 30;
  const std::int32_t positive = one_over_one_plus(exp_on_negative(negative_magnitude(a), k));
  return a > 0 ? positive : INT32_MAX - positive;
}

std::int32_t fixed_tanh(std::int32_t a, int k) {
  if (a == 0) return 0;
  const std::int32_t magnitude = one_minus_over_one_plus(exp_on_negative(negative_magnitude(a), k + 1));
  return a > 0 ? magnitude : -magnitude;
}

Reciprocal reciprocal(std::int32_t x, int k) {
  const int headroom = leading_zeros(static_cast<std::uint32_t>(x));
  const auto shifted = headroom > 31 ? 0u : static_cast<std::uint32_t>(x) << headroom;
  const auto over_one = static_cast<std::int32_t>(shifted - (1u << 31));
  return {one_over_one_plus(over_one), k - headroom};
}

InverseSqrt inverse_sqrt(std::int32_t n) {
  if (n <= 1) return {INT32_MAX, 0};
  int s = 11;
  while (n >= 1 << 29) {
    n /= 4;
    ++s;
  }
  const int pairs = (leading_zeros(static_cast<std::uint32_t>(n)) - 1) / 2 - 1;
  s -= pairs;
  n = shift_left(n, 2 * pairs);
  const std::int32_t half = rdp(n >> 1, 1);
  std::int32_t x = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    const std::int32_t x3 = saturating_shift_left(srdhm(srdhm(x, x), x), 6);
    x = saturating_shift_left(subtract(srdhm(402653184, x), srdhm(half, x3)), 3);
  }
  x = srdhm(x, kSqrtHalf);
  if (s < 0) {
    x = shift_left(x, -s);
    s = 0;
  }
  return {x, -s};
}

std::int32_t fixed_log(std::int32_t z) {
  constexpr std::int32_t kQuarter = (1 << 29) >> 6;  // in Q6
  const int h = leading_zeros(static_cast<std::uint32_t>(z));
  const std::int32_t ra = saturating_shift_left(srdhm(shift_left(z, h - 1), kSqrtHalf), 1);
  const std::int32_t pa = add(shift_left(12 - h, 25), kQuarter);
  const std::int32_t zb = srdhm(z, kSqrtHalf);
  const int g = leading_zeros(static_cast<std::uint32_t>(zb)) - 1;
  const std::int32_t rb = saturating_shift_left(z, g);
  const std::int32_t pb = subtract(shift_left(12 - g, 25), kQuarter);
  const std::int32_t r = std::min(ra, rb), power = std::max(pa, pb);
  const std::int32_t p = half_sum(r, 1805811301);
  const std::int32_t q = wrap32(2 * (std::int64_t{r} - 1805811301));
  const std::int32_t w = srdhm(q, q);
  const std::int32_t numerator = add(srdhm(q, r), srdhm(srdhm(q, w), 117049297));
  const std::int32_t denominator =
      add(srdhm(p, add(add(1057819769, q), srdhm(127690142, w))), srdhm(638450708, q));
  const std::int32_t logarithm =
      add(srdhm(power, 1488522236), srdhm(rdp(numerator, 6), one_over_one_plus(denominator)));
  return saturating_shift_left(logarithm, 1);
}

}  // namespace npubin::exec::tflite
