// Element-wise operators of 8-bit codes as tables: the reference kernel itself fills them when the plan is
// made, so that they are exact by either rules.
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

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
    case Op::Minimum:
    case Op::Maximum:
    case Op::SquaredDifference:
      return true;
    default:
      return false;
  }
}

// All 256 codes in the order of their bytes, `repeat` times each.
Tensor all_codes(const graph::Value& value, std::int64_t repeat, std::int64_t rounds) {
  Tensor tensor(value.type, {rounds * 256 * repeat}, value.quantization);
  auto bytes = tensor.as_mutable<std::uint8_t>();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i / static_cast<std::size_t>(repeat));
  return tensor;
}

// What the reference makes of these operands; empty where it refuses.
std::vector<std::uint8_t> tabulate(const Draft& draft, const DraftNode& entry,
                                   const std::vector<Tensor>& operands) {
  const graph::Value& out = draft.value(entry.node.outputs[0]);
  Tensor result(out.type, operands[0].shape(), out.quantization);
  std::vector<const Tensor*> inputs;
  for (const Tensor& operand : operands) inputs.push_back(&operand);
  const std::vector<Tensor*> states(inputs.size(), nullptr), outputs{&result};
  if (!entry.reference->run(KernelCall{draft.graph, entry.node, inputs, states, outputs})) return {};
  const auto codes = result.as<std::uint8_t>();
  return {codes.begin(), codes.end()};
}

class UnaryTableStep : public Step {
 public:
  UnaryTableStep(const graph::Node& node, std::vector<std::uint8_t> table, std::size_t count)
      : node_(node), table_(std::move(table)), count_(count) {}
  std::string kernel() const override { return "own table of 256"; }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const std::uint8_t* in = frame.in<std::uint8_t>(node_.inputs[0]);
    std::uint8_t* out = frame.out<std::uint8_t>(node_.outputs[0]);
    for (std::size_t i = 0; i < count_; ++i) out[i] = table_[in[i]];
    return {};
  }

 private:
  const graph::Node& node_;
  std::vector<std::uint8_t> table_;
  std::size_t count_;
};

class BinaryTableStep : public Step {
 public:
  BinaryTableStep(const graph::Node& node, std::vector<std::uint8_t> table, std::size_t count)
      : node_(node), table_(std::move(table)), count_(count) {}
  std::string kernel() const override { return "own table of 65536"; }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const std::uint8_t* a = frame.in<std::uint8_t>(node_.inputs[0]);
    const std::uint8_t* b = frame.in<std::uint8_t>(node_.inputs[1]);
    std::uint8_t* out = frame.out<std::uint8_t>(node_.outputs[0]);
    for (std::size_t i = 0; i < count_; ++i) out[i] = table_[std::size_t{a[i]} * 256 + b[i]];
    return {};
  }

 private:
  const graph::Node& node_;
  std::vector<std::uint8_t> table_;  // [a][b]
  std::size_t count_;
};

}  // namespace

std::unique_ptr<Step> make_table(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.outputs.size() != 1 || node.inputs.empty()) return nullptr;
  const graph::Value& out = draft.value(node.outputs[0]);
  for (ValueId id : node.inputs)
    if (id == graph::kNoValue || !is_code(draft.value(id)) || draft.value(id).shape != out.shape)
      return nullptr;
  if (!is_code(out)) return nullptr;
  const auto count = static_cast<std::size_t>(count_of(out.shape));
  if (is_unary(node.op) && node.inputs.size() == 1) {
    auto table = tabulate(draft, entry, {all_codes(draft.value(node.inputs[0]), 1, 1)});
    return table.empty() ? nullptr : std::make_unique<UnaryTableStep>(node, std::move(table), count);
  }
  // Below this the table costs more to fill than it saves.
  constexpr std::size_t kWorthATable = 4096;
  if (!is_binary(node.op) || node.inputs.size() != 2 || count < kWorthATable) return nullptr;
  auto table = tabulate(
      draft, entry,
      {all_codes(draft.value(node.inputs[0]), 256, 1), all_codes(draft.value(node.inputs[1]), 1, 256)});
  return table.empty() ? nullptr : std::make_unique<BinaryTableStep>(node, std::move(table), count);
}

}  // namespace npubin::exec::fast
