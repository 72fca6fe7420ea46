#include "exec/fast/kernels_plain.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_plain.cpp"
// Beside the baseline, which the compiler vectorises as well, only AVX2 is worth its code.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

constexpr std::size_t kBlock = 128;

// An operand that stays as a block of its own; else where it goes on.
template <class T>
class Source {
 public:
  Source(const void* data, bool stays, std::size_t count)
      : at_(static_cast<const T*>(data)), step_(stays ? 0 : kBlock) {
    if (!stays) return;
    for (std::size_t k = 0; k < kBlock && k < count; ++k) block_[k] = *at_;
    at_ = block_;
  }
  const T* at(std::size_t block) const { return at_ + block * step_; }

 private:
  T block_[kBlock];
  const T* at_;
  std::size_t step_;
};

// Plain loops: every target's compilation vectorises them for its own instructions.
template <class In, class Out, class F>
void Blocks(const void* a, bool a_stays, const void* b, bool b_stays, void* out, std::size_t count) {
  const Source<In> left(a, a_stays, count), right(b, b_stays, count);
  Out* HWY_RESTRICT to = static_cast<Out*>(out);
  for (std::size_t block = 0, i = 0; i < count; ++block, i += kBlock) {
    const In *x = left.at(block), *y = right.at(block);
    const std::size_t here = count - i < kBlock ? count - i : kBlock;
    for (std::size_t k = 0; k < here; ++k) to[i + k] = F::of(x[k], y[k]);
  }
}

template <class T>
using Modular = std::make_unsigned_t<T>;

struct SumOf {
  template <class T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Modular<T>>(x) + static_cast<Modular<T>>(y));
  }
};
struct DifferenceOf {
  template <class T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Modular<T>>(x) - static_cast<Modular<T>>(y));
  }
};
struct ProductOf {
  template <class T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Modular<T>>(x) * static_cast<Modular<T>>(y));
  }
};
struct SquareOf {
  template <class T>
  static T of(T x, T y) {
    const Modular<T> d = static_cast<Modular<T>>(x) - static_cast<Modular<T>>(y);
    return static_cast<T>(d * d);
  }
};
struct SmallerOf {
  template <class T>
  static T of(T x, T y) {
    return x < y ? x : y;
  }
};
struct LargerOf {
  template <class T>
  static T of(T x, T y) {
    return x > y ? x : y;
  }
};
struct AreEqual {
  template <class T>
  static std::uint8_t of(T x, T y) {
    return x == y ? 1 : 0;
  }
};
struct IsLess {
  template <class T>
  static std::uint8_t of(T x, T y) {
    return x < y ? 1 : 0;
  }
};
struct IsLessOrEqual {
  template <class T>
  static std::uint8_t of(T x, T y) {
    return x <= y ? 1 : 0;
  }
};
struct Both {
  template <class T>
  static std::uint8_t of(T x, T y) {
    return static_cast<std::uint8_t>((x != 0 ? 1 : 0) & (y != 0 ? 1 : 0));
  }
};
struct Either {
  template <class T>
  static std::uint8_t of(T x, T y) {
    return (x | y) != 0 ? 1 : 0;
  }
};

template <class T>
PlainPairs Comparison(PlainPairOp op) {
  switch (op) {
    case PlainPairOp::Equal:
      return Blocks<T, std::uint8_t, AreEqual>;
    case PlainPairOp::Less:
      return Blocks<T, std::uint8_t, IsLess>;
    case PlainPairOp::LessEqual:
      return Blocks<T, std::uint8_t, IsLessOrEqual>;
    default:
      return nullptr;
  }
}

template <class T>
PlainPairs Extreme(PlainPairOp op) {
  if (op == PlainPairOp::Min) return Blocks<T, T, SmallerOf>;
  return op == PlainPairOp::Max ? Blocks<T, T, LargerOf> : nullptr;
}

template <class T>
PlainPairs Arithmetic(PlainPairOp op) {
  switch (op) {
    case PlainPairOp::Add:
      return Blocks<T, T, SumOf>;
    case PlainPairOp::Sub:
      return Blocks<T, T, DifferenceOf>;
    case PlainPairOp::Mul:
      return Blocks<T, T, ProductOf>;
    case PlainPairOp::SquaredDifference:
      return std::is_same_v<T, std::int32_t> ? Blocks<std::int32_t, std::int32_t, SquareOf> : nullptr;
    case PlainPairOp::Min:
    case PlainPairOp::Max:
      return Extreme<T>(op);
    default:
      return Comparison<T>(op);
  }
}

PlainPairs PairsOf(PlainPairOp op, DType type) {
  switch (type) {
    case DType::F32:
      return Comparison<float>(op);
    case DType::I32:
      return Arithmetic<std::int32_t>(op);
    case DType::I64:
      return Arithmetic<std::int64_t>(op);
    case DType::I8:
      return Extreme<std::int8_t>(op);
    case DType::U8:
      return Extreme<std::uint8_t>(op);
    case DType::I16:
      return Extreme<std::int16_t>(op);
    case DType::Bool:
      if (op == PlainPairOp::And) return Blocks<std::uint8_t, std::uint8_t, Both>;
      if (op == PlainPairOp::Or) return Blocks<std::uint8_t, std::uint8_t, Either>;
      return op == PlainPairOp::Equal ? Comparison<std::uint8_t>(op) : nullptr;
    default:
      return nullptr;
  }
}

template <class T>
void ChooseElements(const Choice& c, void* out, std::size_t count) {
  const Source<std::uint8_t> conditions(c.condition, c.condition_stays, count);
  const Source<T> left(c.a, c.a_stays, count), right(c.b, c.b_stays, count);
  T* HWY_RESTRICT to = static_cast<T*>(out);
  for (std::size_t block = 0, i = 0; i < count; ++block, i += kBlock) {
    const std::uint8_t* condition = conditions.at(block);
    const T *x = left.at(block), *y = right.at(block);
    const std::size_t here = count - i < kBlock ? count - i : kBlock;
    for (std::size_t k = 0; k < here; ++k) to[i + k] = condition[k] != 0 ? x[k] : y[k];
  }
}

void Choose(const Choice& choice, std::size_t size, void* out, std::size_t count) {
  switch (size) {
    case 1:
      return ChooseElements<std::uint8_t>(choice, out, count);
    case 2:
      return ChooseElements<std::uint16_t>(choice, out, count);
    case 4:
      return ChooseElements<std::uint32_t>(choice, out, count);
    default:
      return ChooseElements<std::uint64_t>(choice, out, count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(PairsOf);
HWY_EXPORT(Choose);

PlainPairs plain_pairs(PlainPairOp op, DType type) {
  return HWY_DYNAMIC_DISPATCH(PairsOf)(op, type);
}
void negate_bytes(std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] ^= 1;
}
void choose(const Choice& choice, std::size_t size, void* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(Choose)(choice, size, out, count);
}

}  // namespace npubin::exec::fast
#endif
