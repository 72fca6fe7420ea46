// ADD of int8 by TensorFlow Lite's rules (tflite spec 3), two operands of one shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "exec/fast/integer_layer.h"
#include "exec/fast/parallel.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/fixed_point.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;

constexpr std::size_t kCodes = 256;
constexpr std::size_t kCodesPerThread = 8192;  // codes that are worth another thread

// All 65536 pairs: row a, column b.
struct Pairs {
  std::array<std::int8_t, kCodes> b;
  std::vector<std::int8_t> exact;

  Pairs(const IntegerKernels& kernels, const IntegerAdd& add) : exact(kCodes * kCodes) {
    for (std::size_t i = 0; i < kCodes; ++i) b[i] = static_cast<std::int8_t>(i);
    for (std::size_t a = 0; a < kCodes; ++a) row(kernels.add, add, a, exact.data() + a * kCodes);
  }
  void row(decltype(IntegerKernels::add) run, const IntegerAdd& add, std::size_t a, std::int8_t* out) const {
    std::array<std::int8_t, kCodes> same;
    same.fill(static_cast<std::int8_t>(a));
    run(add, same.data(), b.data(), out, kCodes);
  }
  bool agree(const IntegerKernels& kernels, const IntegerAdd& add) const {
    std::array<std::int8_t, kCodes> codes;
    for (std::size_t a = 0; a < kCodes; ++a) {
      row(kernels.add_quickly, add, a, codes.data());
      if (std::memcmp(codes.data(), exact.data() + a * kCodes, kCodes) != 0) return false;
    }
    return true;
  }
};

float stepped(float value, int steps) {
  for (; steps > 0; --steps) value = std::nextafter(value, INFINITY);
  for (; steps < 0; ++steps) value = std::nextafter(value, -INFINITY);
  return value;
}

// The factors of the float32 form, rounded with some steps up or down.
void set_factors(IntegerAdd& add, double factor_a, int steps_a, double factor_b, int steps_b, int steps) {
  add.factor_a = stepped(static_cast<float>(factor_a), steps_a);
  add.factor_b = stepped(static_cast<float>(factor_b), steps_b);
  const double constant = add.zero_out - add.zero_a * static_cast<double>(add.factor_a) -
                          add.zero_b * static_cast<double>(add.factor_b);
  add.constant = stepped(static_cast<float>(constant), steps);
}

// Finds factors for which the float32 form gives the exact code for every pair. Their roundings decide about
// pairs whose sum lies next to a half, so neighbours are tried as well; where none does, such pairs stay in
// doubt.
bool find_quick_form(const IntegerKernels& kernels, IntegerAdd& add, double factor_a, double factor_b) {
  const Pairs pairs(kernels, add);
  constexpr int kSteps[] = {0, 1, -1, 2, -2};
  for (int a : kSteps)
    for (int b : kSteps)
      for (int constant : {0, 4, -4}) {
        set_factors(add, factor_a, a, factor_b, b, constant);
        if (pairs.agree(kernels, add)) return true;
      }
  set_factors(add, factor_a, 0, factor_b, 0, 0);
  add.doubt = kDoubt;
  return pairs.agree(kernels, add);
}

class AddStep : public Step {
 public:
  AddStep(const graph::Node& node, const IntegerAdd& add, bool quick, std::size_t count, int threads)
      : node_(node),
        add_(add),
        quick_(quick),
        count_(count),
        threads_(threads),
        kernels_(integer_kernels()),
        run_(quick ? kernels_.add_quickly : kernels_.add) {}
  std::string kernel() const override {
    return std::string(quick_ ? "own int8 add in float32, " : "own int8 add, ") + kernels_.instructions;
  }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const std::int8_t* a = frame.in<std::int8_t>(node_.inputs[0]);
    const std::int8_t* b = frame.in<std::int8_t>(node_.inputs[1]);
    std::int8_t* out = frame.out<std::int8_t>(node_.outputs[0]);
    parallel_ranges(threads_, (count_ + kCodesPerThread - 1) / kCodesPerThread,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t from = first * kCodesPerThread,
                                        to = std::min(last * kCodesPerThread, count_);
                      run_(add_, a + from, b + from, out + from, to - from);
                    });
    return {};
  }

 private:
  const graph::Node& node_;
  IntegerAdd add_;
  bool quick_;
  std::size_t count_;
  int threads_;
  const IntegerKernels& kernels_;
  decltype(IntegerKernels::add) run_;
};

// The reals of ADD in double, as the reference takes them (tflite spec 3).
std::unique_ptr<Step> make_add(const Draft& draft, const graph::Node& node) {
  const graph::Value &a = draft.value(node.inputs[0]), &b = draft.value(node.inputs[1]),
                     &out = draft.value(node.outputs[0]);
  if (!per_tensor(a, DType::I8) || !per_tensor(b, DType::I8) || !per_tensor(out, DType::I8) ||
      a.shape != b.shape || a.shape != out.shape)
    return nullptr;
  const float sa = a.quantization.scale(), sb = b.quantization.scale(), so = out.quantization.scale();
  const double twice = 2 * static_cast<double>(std::max(sa, sb));
  const auto ma = tflite::quantize_multiplier(sa / twice), mb = tflite::quantize_multiplier(sb / twice);
  const auto mo = tflite::quantize_multiplier(twice / ((1 << 20) * static_cast<double>(so)));
  if (ma.shift > 0 || mb.shift > 0 || mo.shift > 0 || std::min({ma.shift, mb.shift, mo.shift}) < -30)
    return nullptr;
  const auto* attributes = std::get_if<graph::BinaryAttributes>(&node.attributes);
  const auto range = tflite::activation_range<std::int8_t>(
      attributes == nullptr ? graph::ActivationAttributes{} : attributes->activation, out.quantization);
  const auto zero = [](const graph::Value& v) {
    return static_cast<std::int32_t>(v.quantization.zero_point());
  };
  IntegerAdd add;
  add.zero_a = zero(a);
  add.zero_b = zero(b);
  add.mantissa_a = ma.mantissa;
  add.mantissa_b = mb.mantissa;
  add.mantissa_out = mo.mantissa;
  add.right_a = -ma.shift;
  add.right_b = -mb.shift;
  add.right_out = -mo.shift;
  add.zero_out = zero(out);
  add.low = range.low;
  add.high = range.high;
  const auto count = static_cast<std::size_t>(count_of(out.shape));
  // Trying all pairs costs as much as adding some ten times as many codes.
  const bool quick =
      count >= kCodesPerThread / 8 &&
      find_quick_form(integer_kernels(), add, static_cast<double>(sa) / so, static_cast<double>(sb) / so);
  return std::make_unique<AddStep>(node, add, quick, count, draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer_add(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::Add || node.rules != graph::Rules::Tflite || node.inputs.size() != 2 ||
      !entry.post.empty())
    return nullptr;
  return make_add(draft, node);
}

}  // namespace npubin::exec::fast
