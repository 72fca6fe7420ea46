// Element-wise operators with two or three operands that the float32 kernels do not take: codes by TensorFlow
// Lite's rules in integers, plain integers, comparisons, logic, choices, and float32 operands that repeat in
// other ways than as a whole.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "exec/fast/broadcast_runs.h"
#include "exec/fast/kernels_codes.h"
#include "exec/fast/kernels_f32.h"
#include "exec/fast/kernels_plain.h"
#include "exec/fast/parallel.h"
#include "exec/fast/periods.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"
#include "exec/reference/tflite/rescaling.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::Rules;

// What is done to one run; an operand that stays is one element.
struct Run {
  const std::byte *a, *b, *c;
  bool a_stays, b_stays, c_stays;
  std::byte* out;
  std::size_t count;
};
using RunKernel = std::function<void(const Run&)>;

// Operands that repeat as a whole after a few elements: laid out anew until they make longer runs.
struct Tiling {
  std::size_t period = 0, block = 0;  // elements; a block is several periods
  std::array<bool, 3> tiled{}, stays{};
};

// nullopt where there is none, or where runs are long enough.
std::optional<Tiling> tiling_of(const Shape& out, const std::vector<const Shape*>& operands,
                                const BroadcastRuns& runs) {
  constexpr std::size_t kLongEnough = 64, kBlock = 1024;
  if (runs.count() == 1 || runs.length() >= kLongEnough) return std::nullopt;
  Tiling tiling;
  const std::size_t count = to_size(count_of(out));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const auto period = period_over(*operands[k], out);
    if (!period) return std::nullopt;
    tiling.stays[k] = *period == 1;
    tiling.tiled[k] = *period != 1 && *period != count;
    if (!tiling.tiled[k]) continue;
    if (tiling.period != 0 && tiling.period != *period) return std::nullopt;
    tiling.period = *period;
  }
  if (tiling.period == 0 || tiling.period > kBlock) return std::nullopt;
  tiling.block = kBlock / tiling.period * tiling.period;
  return tiling;
}

class PairStep : public Step {
 public:
  // `overwrites`: the kernel takes an operand's memory for its result.
  PairStep(const Draft& draft, const graph::Node& node, const BroadcastRuns& runs, RunKernel kernel,
           std::string name, bool overwrites)
      : node_(node),
        runs_(runs),
        kernel_(std::move(kernel)),
        name_(std::move(name)),
        overwrites_(overwrites) {
    const auto size = [&](graph::ValueId id) { return size_of(draft.value(id).type); };
    std::vector<const Shape*> shapes;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      sizes_[k] = size(node.inputs[k]);
      shapes.push_back(&draft.value(node.inputs[k]).shape);
    }
    out_size_ = size(node.outputs[0]);
    count_ = runs.count() * runs.length();
    // Sums of codes take several times as long as what only waits for memory.
    const std::size_t worth_threads = overwrites ? std::size_t{1} << 15 : std::size_t{1} << 18;
    threads_ = count_ < worth_threads ? 1 : draft.threads;
    tiling_ = tiling_of(draft.value(node.outputs[0]).shape, shapes, runs);
  }
  std::string kernel() const override { return name_; }
  // Elements are read before what lies in their place is written, if they are as wide and none is read again.
  bool in_place(std::size_t k) const override {
    return overwrites_ && runs_.count() == 1 && !runs_.stays(k) && sizes_[k] == out_size_;
  }
  std::size_t scratch_bytes() const override { return tiling_ ? node_.inputs.size() * tile_bytes() : 0; }

  Result<void> run(const Frame& frame) const override {
    std::array<const std::byte*, 3> operands{};
    for (std::size_t k = 0; k < node_.inputs.size(); ++k) operands[k] = frame.in<std::byte>(node_.inputs[k]);
    std::byte* const out = frame.out<std::byte>(node_.outputs[0]);
    if (tiling_)
      run_tiled(operands, frame.scratch, out);
    else if (runs_.count() == 1)
      run_whole(operands, out);
    else
      run_pieces(operands, out);
    return {};
  }

 private:
  static constexpr std::size_t kChunk = 8192;  // elements

  std::size_t tile_bytes() const { return whole_lines(tiling_->block * 8); }

  void run_pieces(const std::array<const std::byte*, 3>& operands, std::byte* out) const {
    parallel_ranges(threads_, runs_.count(), [&](std::size_t first, std::size_t last, std::size_t) {
      runs_.for_each(first, last, [&](std::size_t place, const BroadcastRuns::Places& places) {
        const auto at = [&](std::size_t k) { return operands[k] + places[k] * sizes_[k]; };
        kernel_({at(0), at(1), at(2), runs_.stays(0), runs_.stays(1), runs_.stays(2), out + place * out_size_,
                 runs_.length()});
      });
    });
  }

  void run_whole(const std::array<const std::byte*, 3>& operands, std::byte* out) const {
    parallel_ranges(threads_, (count_ + kChunk - 1) / kChunk,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t from = first * kChunk, to = std::min(last * kChunk, count_);
                      const auto at = [&](std::size_t k) {
                        return operands[k] + (runs_.stays(k) ? 0 : from * sizes_[k]);
                      };
                      kernel_({at(0), at(1), at(2), runs_.stays(0), runs_.stays(1), runs_.stays(2),
                               out + from * out_size_, to - from});
                    });
  }

  void run_tiled(std::array<const std::byte*, 3> operands, std::byte* scratch, std::byte* out) const {
    const Tiling& t = *tiling_;
    for (std::size_t k = 0; k < node_.inputs.size(); ++k) {
      if (!t.tiled[k]) continue;
      std::byte* const tile = scratch + k * tile_bytes();
      const std::size_t bytes = t.period * sizes_[k];
      for (std::size_t at = 0; at < t.block * sizes_[k]; at += bytes)
        std::memcpy(tile + at, operands[k], bytes);
      operands[k] = tile;
    }
    parallel_ranges(
        threads_, (count_ + t.block - 1) / t.block, [&](std::size_t first, std::size_t last, std::size_t) {
          for (std::size_t from = first * t.block; from < std::min(last * t.block, count_); from += t.block) {
            const auto at = [&](std::size_t k) {
              return operands[k] + (t.tiled[k] || t.stays[k] ? 0 : from * sizes_[k]);
            };
            kernel_({at(0), at(1), at(2), t.stays[0], t.stays[1], t.stays[2], out + from * out_size_,
                     std::min(t.block, count_ - from)});
          }
        });
  }

  const graph::Node& node_;
  BroadcastRuns runs_;
  RunKernel kernel_;
  std::string name_;
  bool overwrites_;
  std::optional<Tiling> tiling_;
  std::array<std::size_t, 3> sizes_{};
  std::size_t out_size_ = 1, count_ = 0;
  int threads_ = 1;
};

// Other operators have none (tflite spec 3).
graph::ActivationAttributes fused_activation(const graph::Node& node) {
  if (node.op != Op::Add && node.op != Op::Sub && node.op != Op::Mul && node.op != Op::Div) return {};
  const auto* attributes = std::get_if<graph::BinaryAttributes>(&node.attributes);
  return attributes == nullptr ? graph::ActivationAttributes{} : attributes->activation;
}

bool is_comparison(Op op) {
  switch (op) {
    case Op::Equal:
    case Op::NotEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::Less:
    case Op::LessEqual:
      return true;
    default:
      return false;
  }
}

// x > y is y < x, x != y is the contrary of x == y.
struct ComparisonForm {
  bool equal = false, or_equal = false, turned = false, negated = false;
};
ComparisonForm form_of(Op op) {
  ComparisonForm form;
  form.equal = op == Op::Equal || op == Op::NotEqual;
  form.negated = op == Op::NotEqual;
  form.turned = op == Op::Greater || op == Op::GreaterEqual;
  form.or_equal = op == Op::GreaterEqual || op == Op::LessEqual;
  return form;
}

// ---- codes ----

template <class T>
void set_range(const graph::ActivationAttributes& activation, const Quantization& out, CodePair& pair) {
  const auto range = tflite::activation_range<T>(activation, out);
  pair.low = range.low;
  pair.high = range.high;
}

std::int32_t zero_of(const graph::Value& value) {
  return static_cast<std::int32_t>(value.quantization.zero_point());
}

bool has_one_scale(const graph::Value& value) {
  return value.quantization.present() && !value.quantization.per_axis() && value.quantization.scale() > 0;
}

// Real factors of Mul and Prelu as the reference takes them (tflite spec 3 and 4).
bool set_multipliers(const graph::Node& node, const graph::Value& a, const graph::Value& b,
                     const graph::Value& out, CodePair& pair) {
  const double sa = a.quantization.scale(), sb = b.quantization.scale(), so = out.quantization.scale();
  switch (node.op) {
    case Op::Add:
    case Op::Sub:
    case Op::SquaredDifference: {
      const tflite::Rescaling r = tflite::rescaling_of(
          node.op, a.quantization.scale(), b.quantization.scale(), out.quantization.scale(), size_of(a.type));
      pair.op = node.op == Op::Add   ? CodePairOp::Add
                : node.op == Op::Sub ? CodePairOp::Sub
                                     : CodePairOp::SquaredDifference;
      pair.a = r.a, pair.b = r.b, pair.out = r.out;
      pair.left_shift = r.left_shift;
      return true;
    }
    case Op::Mul:
      pair.op = CodePairOp::Mul;
      pair.out = tflite::quantize_multiplier(sa * sb / so);
      // Differences of 16 bits need their zero points to be 0, or products leave 32 bits.
      return a.type != DType::I16 || (zero_of(a) == 0 && zero_of(b) == 0);
    case Op::Prelu:
      pair.op = CodePairOp::Prelu;
      pair.a = tflite::quantize_multiplier(sa / so);
      pair.out = tflite::quantize_multiplier(sa * sb / so);
      return b.type == DType::I8;
    default:
      return false;
  }
}

bool set_comparison(Op op, const graph::Value& a, const graph::Value& b, CodePair& pair) {
  const ComparisonForm form = form_of(op);
  pair.op = form.equal ? CodePairOp::Equal : form.or_equal ? CodePairOp::LessEqual : CodePairOp::Less;
  pair.negated = form.negated;
  pair.left_shift = 8;
  pair.a = tflite::quantize_multiplier(a.quantization.scale());
  pair.b = tflite::quantize_multiplier(b.quantization.scale());
  return true;
}

RunKernel turned(RunKernel kernel) {
  return [kernel = std::move(kernel)](const Run& r) {
    kernel({r.b, r.a, r.c, r.b_stays, r.a_stays, r.c_stays, r.out, r.count});
  };
}

RunKernel code_pair_kernel(const Draft& draft, const graph::Node& node) {
  const graph::Value *a = &draft.value(node.inputs[0]), *b = &draft.value(node.inputs[1]);
  const graph::Value& out = draft.value(node.outputs[0]);
  const bool comparison = is_comparison(node.op);
  if (node.rules != Rules::Tflite || !has_one_scale(*a) || !has_one_scale(*b) ||
      (!comparison && (!has_one_scale(out) || out.type != a->type)))
    return nullptr;
  if (a->type != DType::I8 && a->type != DType::U8 && a->type != DType::I16) return nullptr;
  CodePair pair;
  pair.type = a->type;
  if (comparison && form_of(node.op).turned) std::swap(a, b);
  if (!(comparison ? set_comparison(node.op, *a, *b, pair) : set_multipliers(node, *a, *b, out, pair)))
    return nullptr;
  pair.zero_a = zero_of(*a);
  pair.zero_b = zero_of(*b);
  if (!takes_shift(pair.a) || !takes_shift(pair.b) || !takes_shift(pair.out)) return nullptr;
  if (!comparison) {
    pair.zero_out = zero_of(out);
    const auto activation = fused_activation(node);
    if (out.type == DType::I8) set_range<std::int8_t>(activation, out.quantization, pair);
    if (out.type == DType::U8) set_range<std::uint8_t>(activation, out.quantization, pair);
    if (out.type == DType::I16) set_range<std::int16_t>(activation, out.quantization, pair);
  }
  RunKernel kernel = [pair](const Run& r) {
    code_pairs(pair, r.a, r.a_stays, r.b, r.b_stays, r.out, r.count);
  };
  return comparison && form_of(node.op).turned ? turned(std::move(kernel)) : kernel;
}

// ---- numbers without a scale ----

std::optional<PlainPairOp> plain_op(Op op) {
  switch (op) {
    case Op::Add:
      return PlainPairOp::Add;
    case Op::Sub:
      return PlainPairOp::Sub;
    case Op::Mul:
      return PlainPairOp::Mul;
    case Op::SquaredDifference:
      return PlainPairOp::SquaredDifference;
    case Op::Minimum:
      return PlainPairOp::Min;
    case Op::Maximum:
      return PlainPairOp::Max;
    case Op::LogicalAnd:
      return PlainPairOp::And;
    case Op::LogicalOr:
      return PlainPairOp::Or;
    default:
      break;
  }
  if (!is_comparison(op)) return std::nullopt;
  const ComparisonForm form = form_of(op);
  return form.equal ? PlainPairOp::Equal : form.or_equal ? PlainPairOp::LessEqual : PlainPairOp::Less;
}

// Arm NN's elements are decoded before anything is done to them: of its rules only float32 and plain integers
// are taken.
RunKernel plain_pair_kernel(const Draft& draft, const graph::Node& node) {
  const auto op = plain_op(node.op);
  const DType type = draft.value(node.inputs[0]).type;
  if (!op || (node.rules != Rules::Tflite && type != DType::F32 && type != DType::I32)) return nullptr;
  if (fused_activation(node).function != graph::Activation::None) return nullptr;
  const PlainPairs pairs = plain_pairs(*op, type);
  if (pairs == nullptr) return nullptr;
  RunKernel kernel = [pairs](const Run& r) { pairs(r.a, r.a_stays, r.b, r.b_stays, r.out, r.count); };
  if (!is_comparison(node.op)) return kernel;
  if (form_of(node.op).turned) return turned(std::move(kernel));
  if (!form_of(node.op).negated) return kernel;
  return [kernel = std::move(kernel)](const Run& r) {
    kernel(r);
    negate_bytes(reinterpret_cast<std::uint8_t*>(r.out), r.count);
  };
}

// Operands that repeat as a whole are make_elementwise()'s.
RunKernel float_pair_kernel(const Draft& draft, const graph::Node& node) {
  const auto op = float_binary(node.op);
  const auto is_f32 = [&](graph::ValueId id) { return draft.value(id).type == DType::F32; };
  if (!op || !is_f32(node.inputs[0]) || !is_f32(node.inputs[1]) || !is_f32(node.outputs[0])) return nullptr;
  return [op = *op, activation = fused_activation(node)](const Run& r) {
    auto* const out = reinterpret_cast<float*>(r.out);
    binary(op, reinterpret_cast<const float*>(r.a), r.a_stays ? 1 : r.count,
           reinterpret_cast<const float*>(r.b), r.b_stays ? 1 : r.count, out, r.count);
    if (activation.function != graph::Activation::None) activate(activation, out, out, r.count);
  };
}

std::unique_ptr<Step> make_choice(const Draft& draft, const graph::Node& node) {
  const std::size_t size = size_of(draft.value(node.outputs[0]).type);
  if (node.rules != Rules::Tflite || node.inputs.size() != 3 || size > 8) return nullptr;
  const auto shape = [&](std::size_t k) { return &draft.value(node.inputs[k]).shape; };
  const auto runs = BroadcastRuns::of(draft.value(node.outputs[0]).shape, {shape(0), shape(1), shape(2)});
  if (!runs) return nullptr;
  return std::make_unique<PairStep>(
      draft, node, *runs,
      [size](const Run& r) {
        choose({reinterpret_cast<const std::uint8_t*>(r.a), r.b, r.c, r.a_stays, r.b_stays, r.c_stays}, size,
               r.out, r.count);
      },
      "own choice", false);
}

}  // namespace

std::unique_ptr<Step> make_pair(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.outputs.size() != 1 ||
      std::find(node.inputs.begin(), node.inputs.end(), graph::kNoValue) != node.inputs.end() ||
      count_of(draft.value(node.outputs[0]).shape) == 0)
    return nullptr;
  if (node.op == Op::Select) return make_choice(draft, node);
  if (node.inputs.size() != 2) return nullptr;
  const graph::Value &a = draft.value(node.inputs[0]), &b = draft.value(node.inputs[1]);
  if (a.type != b.type && node.op != Op::Prelu) return nullptr;
  const auto runs = BroadcastRuns::of(draft.value(node.outputs[0]).shape, {&a.shape, &b.shape});
  if (!runs) return nullptr;
  if (RunKernel kernel = code_pair_kernel(draft, node))
    return std::make_unique<PairStep>(draft, node, *runs, std::move(kernel), "own codes", true);
  if (RunKernel kernel = float_pair_kernel(draft, node))
    return std::make_unique<PairStep>(draft, node, *runs, std::move(kernel), "own element-wise", true);
  if (RunKernel kernel = plain_pair_kernel(draft, node))
    return std::make_unique<PairStep>(draft, node, *runs, std::move(kernel), "own element-wise", false);
  return nullptr;
}

}  // namespace npubin::exec::fast
