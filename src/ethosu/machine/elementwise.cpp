// ELEMENTWISE (ethos-u55 spec 4).
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ethosu/machine/arithmetic.h"
#include "ethosu/machine/parallel_rows.h"
#include "ethosu/machine/step.h"

namespace npubin::ethosu {
namespace {

std::int64_t wrap32(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

// How the operands of ADD and SUB come to one scale.
class OperandScaling {
 public:
  explicit OperandScaling(const Operation& operation) {
    if (operation.ifm.element_bits == 32) return;
    mode_ = operation.ifm_scale_mode == 0   ? Mode::Both
            : operation.ifm_scale_mode == 1 ? Mode::First
                                            : Mode::Second;
    left_ = operation.ifm.element_bits == 8 ? 20 : 15;
    a_ = operation.opa_scale.multiplier & 0xFFFFu;
    b_ = operation.opb_scale;
    one_ = {operation.opa_scale.multiplier, operation.opa_scale.shift + left_, Rounding::Double};
  }

  std::int64_t first(std::int64_t a) const {
    switch (mode_) {
      case Mode::None:
        return a;
      case Mode::Both:
        return a * a_;
      case Mode::First:
        return one_.apply(a * (std::int64_t{1} << left_));
      default:
        return a * (std::int64_t{1} << (left_ - 1));
    }
  }
  std::int64_t second(std::int64_t b) const {
    switch (mode_) {
      case Mode::None:
        return b;
      case Mode::Both:
        return b * b_;
      case Mode::Second:
        return one_.apply(b * (std::int64_t{1} << left_));
      default:
        return b * (std::int64_t{1} << (left_ - 1));
    }
  }

 private:
  enum class Mode : std::uint8_t { None, Both, First, Second };
  Mode mode_ = Mode::None;
  std::uint32_t left_ = 0;
  std::int64_t a_ = 1, b_ = 1;
  Scaling one_;
};

class Elementwise {
 public:
  explicit Elementwise(Step& step)
      : step_(step),
        operation_(step.operation),
        operands_(step.operation),
        mode_(step.operation.elementwise) {
    // For 32-bit inputs the multiplier is ignored, only the shift applies.
    scale_ = {operation_.ifm.element_bits == 32 ? 1u : operation_.ofm_scale.multiplier,
              operation_.ofm_scale.shift, operation_.rounding};
    scaled_ = operation_.global_scale;
  }

  Result<void> rows(std::uint32_t first, std::uint32_t last) {
    const FeatureMap& ofm = operation_.ofm;
    const std::size_t size = std::size_t{ofm.width} * ofm.depth;
    a_.resize(size);
    b_.assign(size, std::int64_t{operation_.scalar} - operation_.ifm2.zero_point);
    out_.resize(size);
    for (std::uint32_t y = first; y < last; ++y) {
      step_.ifm.read_row(y, 0, ofm.width, ofm.depth, a_.data());
      if (operation_.has_ifm2) read_second(y);
      const bool swapped = operation_.swap_operands && !is_unary(mode_);
      NPUBIN_CHECK(compute(swapped ? b_ : a_, swapped ? a_ : b_));
      step_.ofm.write_row(y, 0, ofm.width, ofm.depth, out_.data());
    }
    return {};
  }

 private:
  void read_second(std::uint32_t y) {
    const FeatureMap& ofm = operation_.ofm;
    const std::uint32_t row = operation_.broadcast_h ? 0 : y;
    const FeatureMap& map = operation_.ifm2;
    if (!operation_.broadcast_w && !operation_.broadcast_c)
      return step_.ifm2.read_row(row, 0, map.width, map.depth, b_.data());
    narrow_.resize(std::size_t{map.width} * map.depth);
    step_.ifm2.read_row(row, 0, map.width, map.depth, narrow_.data());
    for (std::uint32_t x = 0; x < ofm.width; ++x) {
      const std::int64_t* from = narrow_.data() + (operation_.broadcast_w ? 0 : std::size_t{x} * map.depth);
      std::int64_t* to = b_.data() + std::size_t{x} * ofm.depth;
      if (operation_.broadcast_c)
        std::fill_n(to, ofm.depth, *from);
      else
        std::copy_n(from, ofm.depth, to);
    }
  }

  Result<void> compute(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    const std::size_t size = out_.size();
    const auto each = [&](auto&& function) {
      for (std::size_t i = 0; i < size; ++i) out_[i] = step_.stage.apply(scaled(function(a[i], b[i])));
    };
    switch (mode_) {
      case ElementwiseMode::Mul:
        each([](std::int64_t x, std::int64_t y) { return x * y; });
        break;
      case ElementwiseMode::Add:
        each([this](std::int64_t x, std::int64_t y) { return operands_.first(x) + operands_.second(y); });
        break;
      case ElementwiseMode::Sub:
        each([this](std::int64_t x, std::int64_t y) { return operands_.first(x) - operands_.second(y); });
        break;
      case ElementwiseMode::Min:
        each([](std::int64_t x, std::int64_t y) { return std::min(x, y); });
        break;
      case ElementwiseMode::Max:
        each([](std::int64_t x, std::int64_t y) { return std::max(x, y); });
        break;
      case ElementwiseMode::Abs:
        each([](std::int64_t x, std::int64_t) { return x < 0 ? -x : x; });
        break;
      case ElementwiseMode::Lrelu:
        for (std::size_t i = 0; i < size; ++i) out_[i] = step_.stage.apply(a[i] < 0 ? scaled(a[i]) : a[i]);
        break;
      case ElementwiseMode::Clz:
        each([](std::int64_t x, std::int64_t) {
          return std::int64_t{std::countl_zero(static_cast<std::uint32_t>(static_cast<std::int32_t>(x)))};
        });
        break;
      case ElementwiseMode::Shr:
      case ElementwiseMode::Shl:
        return shift(a, b);
    }
    return {};
  }

  Result<void> shift(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (b[i] < 0 || b[i] > 31)
        return refused(fmt::format("a shift by {} at element {} of a row", b[i], i),
                       "what the hardware does with shifts outside 0..31 is not known", {}, "ETU-5014");
      const auto amount = static_cast<std::uint32_t>(b[i]);
      const std::int64_t value = mode_ == ElementwiseMode::Shr
                                     ? Scaling{1, amount, operation_.rounding}.apply(a[i])
                                     : wrap32(a[i] * (std::int64_t{1} << amount));
      out_[i] = step_.stage.apply(scaled(value));
    }
    return {};
  }

  std::int64_t scaled(std::int64_t value) const { return scaled_ ? scale_.apply(value) : value; }

  Step& step_;
  const Operation& operation_;
  OperandScaling operands_;
  ElementwiseMode mode_;
  Scaling scale_;
  bool scaled_ = false;
  std::vector<std::int64_t> a_, b_, narrow_, out_;
};

}  // namespace

Result<void> run_elementwise(Step& step) {
  return parallel_rows(
      step.threads, step.operation.ofm.height, work_of(step.operation) * 16,
      [&step](std::uint32_t first, std::uint32_t last) { return Elementwise(step).rows(first, last); });
}

}  // namespace npubin::ethosu
