// Element-wise operators of codes as tables: the reference kernel itself fills them when the plan is made, so
// that they are exact by either rules.
#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/fast/parallel.h"
#include "exec/fast/periods.h"
#include "exec/fast/plan_cache.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

// Below these numbers of elements a table costs more to fill than it saves.
constexpr std::size_t kWorthAPairTable = 4096, kWorthATableOf16Bits = 16384;

bool is_code(const graph::Value& value) {
  return (value.type == DType::I8 || value.type == DType::U8) && !value.quantization.per_axis();
}

bool is_unary(Op op) {
  switch (op) {
    case Op::Activation:
    case Op::Abs:
    case Op::Neg:
    case Op::Exp:
    case Op::Log:
    case Op::Sqrt:
    case Op::Rsqrt:
    case Op::Square:
    case Op::Quantize:
    case Op::Dequantize:
    case Op::Cast:
      return true;
    default:
      return false;
  }
}

bool is_binary(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Minimum:
    case Op::Maximum:
    case Op::SquaredDifference:
    case Op::Prelu:
      return true;
    default:
      return false;
  }
}

// All codes in the order of their bits, `repeat` times each.
Tensor all_codes(const graph::Value& value, std::size_t repeat, std::size_t rounds) {
  const std::size_t codes = size_of(value.type) == 1 ? 256 : 65536;
  Tensor tensor(value.type, {static_cast<std::int64_t>(rounds * codes * repeat)}, value.quantization);
  if (codes == 256) {
    auto bytes = tensor.as_mutable<std::uint8_t>();
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i / repeat);
  } else {
    auto words = tensor.as_mutable<std::uint16_t>();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint16_t>(i / repeat);
  }
  return tensor;
}

// What the reference makes of these operands; nullopt where it refuses.
std::optional<Tensor> computed(const Draft& draft, const DraftNode& entry,
                               const std::vector<Tensor>& operands) {
  const graph::Value& out = draft.value(entry.node.outputs[0]);
  Tensor result(out.type, operands[0].shape(), out.quantization);
  std::vector<const Tensor*> inputs;
  inputs.reserve(operands.size());
  for (const Tensor& operand : operands) inputs.push_back(&operand);
  const std::vector<Tensor*> states(inputs.size(), nullptr), outputs{&result};
  if (!entry.reference->run(KernelCall{draft.graph, entry.node, inputs, states, outputs}))
    return std::nullopt;
  return result;
}

// The same from the plan cache, where it is there.
std::optional<Tensor> tabulate(const Draft& draft, const DraftNode& entry,
                               const std::vector<Tensor>& operands) {
  if (draft.cache == nullptr) return computed(draft, entry, operands);
  const graph::Value& out = draft.value(entry.node.outputs[0]);
  const std::uint64_t part = part_name("table", entry.node.outputs[0]);
  Tensor table(out.type, operands[0].shape(), out.quantization);
  if (const auto kept = draft.cache->find(part, table.byte_size())) {
    std::memcpy(table.mutable_data(), kept->data(), kept->size());
    return table;
  }
  auto made = computed(draft, entry, operands);
  if (made) draft.cache->keep(part, made->bytes());
  return made;
}

template <class In, class Out>
class UnaryTableStep : public Step {
 public:
  UnaryTableStep(const graph::Node& node, Tensor table, std::size_t count, int threads)
      : node_(node), table_(std::move(table)), count_(count), threads_(threads) {}
  std::string kernel() const override { return sizeof(In) == 1 ? "own table of 256" : "own table of 65536"; }
  bool in_place(std::size_t) const override { return sizeof(In) == sizeof(Out); }
  Result<void> run(const Frame& frame) const override {
    const In* in = frame.in<In>(node_.inputs[0]);
    Out* out = frame.out<Out>(node_.outputs[0]);
    const Out* table = table_.as<Out>().data();
    parallel_ranges(threads_, (count_ + kChunk - 1) / kChunk,
                    [=, count = count_](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t end = std::min(last * kChunk, count);
                      for (std::size_t i = first * kChunk; i < end; ++i) out[i] = table[in[i]];
                    });
    return {};
  }

 private:
  static constexpr std::size_t kChunk = 16384;  // codes that are worth another thread

  const graph::Node& node_;
  Tensor table_;
  std::size_t count_;
  int threads_;
};

class BinaryTableStep : public Step {
 public:
  BinaryTableStep(const graph::Node& node, Tensor table, std::size_t period_a, std::size_t period_b,
                  std::size_t count)
      : node_(node), table_(std::move(table)), period_a_(period_a), period_b_(period_b), count_(count) {}
  std::string kernel() const override { return "own table of 65536"; }
  bool in_place(std::size_t k) const override { return (k == 0 ? period_a_ : period_b_) == count_; }
  Result<void> run(const Frame& frame) const override {
    const std::uint8_t* a = frame.in<std::uint8_t>(node_.inputs[0]);
    const std::uint8_t* b = frame.in<std::uint8_t>(node_.inputs[1]);
    std::uint8_t* out = frame.out<std::uint8_t>(node_.outputs[0]);
    const std::uint8_t* table = table_.as<std::uint8_t>().data();
    for (std::size_t i = 0, x = 0, y = 0; i < count_; ++i) {
      out[i] = table[std::size_t{a[x]} * 256 + b[y]];
      x = x + 1 == period_a_ ? 0 : x + 1;
      y = y + 1 == period_b_ ? 0 : y + 1;
    }
    return {};
  }

 private:
  const graph::Node& node_;
  Tensor table_;  // [a][b]
  std::size_t period_a_, period_b_, count_;
};

template <class In>
std::unique_ptr<Step> unary_step(const graph::Node& node, Tensor table, std::size_t count, int threads) {
  switch (size_of(table.type())) {
    case 1:
      return std::make_unique<UnaryTableStep<In, std::uint8_t>>(node, std::move(table), count, threads);
    case 2:
      return std::make_unique<UnaryTableStep<In, std::uint16_t>>(node, std::move(table), count, threads);
    case 4:
      return std::make_unique<UnaryTableStep<In, std::uint32_t>>(node, std::move(table), count, threads);
    default:
      return std::make_unique<UnaryTableStep<In, std::uint64_t>>(node, std::move(table), count, threads);
  }
}

std::unique_ptr<Step> make_unary(const Draft& draft, const DraftNode& entry) {
  const graph::Value &in = draft.value(entry.node.inputs[0]), &out = draft.value(entry.node.outputs[0]);
  const auto count = static_cast<std::size_t>(count_of(out.shape));
  const bool words = (in.type == DType::I16 || in.type == DType::F16) && !in.quantization.per_axis();
  if ((!is_code(in) && !(words && count >= kWorthATableOf16Bits)) || out.quantization.per_axis() ||
      in.shape != out.shape)
    return nullptr;
  auto table = tabulate(draft, entry, {all_codes(in, 1, 1)});
  if (!table) return nullptr;
  if (words) return unary_step<std::uint16_t>(entry.node, *std::move(table), count, draft.threads);
  return unary_step<std::uint8_t>(entry.node, *std::move(table), count, draft.threads);
}

std::unique_ptr<Step> make_binary(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const graph::Value& out = draft.value(node.outputs[0]);
  for (ValueId id : node.inputs)
    if (id == graph::kNoValue || !is_code(draft.value(id))) return nullptr;
  const graph::Value &a = draft.value(node.inputs[0]), &b = draft.value(node.inputs[1]);
  const auto count = static_cast<std::size_t>(count_of(out.shape));
  const auto period_a = period_over(a.shape, out.shape), period_b = period_over(b.shape, out.shape);
  if (!is_code(out) || count < kWorthAPairTable || !period_a || !period_b ||
      (*period_a != count && *period_b != count))
    return nullptr;
  auto table = tabulate(draft, entry, {all_codes(a, 256, 1), all_codes(b, 1, 256)});
  if (!table) return nullptr;
  return std::make_unique<BinaryTableStep>(node, *std::move(table), *period_a, *period_b, count);
}

}  // namespace

std::unique_ptr<Step> make_table(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.outputs.size() != 1 || node.inputs.empty() ||
      node.inputs[0] == graph::kNoValue)
    return nullptr;
  if (is_unary(node.op) && node.inputs.size() == 1) return make_unary(draft, entry);
  if (is_binary(node.op) && node.inputs.size() == 2) return make_binary(draft, entry);
  return nullptr;
}

}  // namespace npubin::exec::fast
