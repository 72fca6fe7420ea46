// Operators that only move elements (Transpose, Slice, Split, Stack, Gather with constant indices, ...): when
// the plan is made, the reference kernel moves the numbers of the elements, and what it did is repeated with
// the elements themselves, whatever their type. So every such operator is exact by either rules.
#include <algorithm>
#include <cstring>

#include "exec/fast/recorded_movement.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::Op;
using graph::ValueId;

// Numbers are recorded as float32, through which Arm NN's kernels pass what they move.
constexpr std::int64_t kMostElements = (std::int64_t{1} << 24) - 1;

bool only_moves(const graph::Node& node) {
  switch (node.op) {
    case Op::Transpose:
    case Op::Slice:
    case Op::StridedSlice:
    case Op::Split:
    case Op::Stack:
    case Op::Unstack:
    case Op::Tile:
    case Op::Gather:
    case Op::GatherNd:
    case Op::SpaceToDepth:
    case Op::DepthToSpace:
    case Op::SpaceToBatchNd:
    case Op::BatchToSpaceNd:
      return true;
    case Op::Pad:
      return node.attr<graph::PadAttributes>().mode != graph::PadMode::Constant;
    case Op::Resize:
      return node.attr<graph::ResizeAttributes>().method == graph::ResizeMethod::NearestNeighbor;
    default:
      return false;
  }
}

// Which operands are moved; the others say how.
std::vector<std::size_t> moved_operands(const graph::Node& node) {
  if (node.op == Op::Stack) {
    std::vector<std::size_t> all(node.inputs.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    return all;
  }
  // TensorFlow Lite's SPLIT has its axis in front.
  const bool axis_first = node.op == Op::Split && node.rules == graph::Rules::Tflite &&
                          node.inputs.size() == 2 && node.source_type != "SPLIT_V";
  return {axis_first ? std::size_t{1} : 0};
}

// Codes move as they are: by TensorFlow Lite's rules always, by Arm NN's where the scales agree.
bool moves_as_stored(const Draft& draft, const graph::Node& node, const std::vector<std::size_t>& moved) {
  for (std::size_t k : moved) {
    const graph::Value& in = draft.value(node.inputs[k]);
    for (ValueId id : node.outputs) {
      if (id == graph::kNoValue || draft.value(id).variable) return false;
      const graph::Value& out = draft.value(id);
      if (in.type != out.type || count_of(out.shape) == 0 || count_of(out.shape) > kMostElements)
        return false;
      if (node.rules == graph::Rules::Tflite) continue;
      // Integers beyond 2^24 change on their way through float32.
      if (in.type == DType::I32 && node.op == Op::Gather) return false;
      if (!is_float(in.type) && in.quantization != out.quantization) return false;
    }
  }
  return true;
}

// What stands where nothing is moved to: the number 0 by Arm NN's rules, the code 0 by TensorFlow Lite's.
std::vector<std::byte> fill_of(const graph::Node& node, const graph::Value& out) {
  std::vector<std::byte> element(size_of(out.type), std::byte{0});
  if (node.rules == graph::Rules::ArmNn && !is_float(out.type)) {
    const std::int64_t code = out.quantization.zero_point();
    for (std::size_t i = 0; i < element.size(); ++i)  // little-endian, as all tensors
      element[i] = static_cast<std::byte>(code >> (8 * i));
  }
  return element;
}

// The numbers of an operand's elements, from `first` + 1 on; 0 is nothing.
Tensor numbered(const Shape& shape, std::int64_t first) {
  Tensor tensor(DType::F32, shape);
  for (float& x : tensor.as_mutable<float>()) x = static_cast<float>(++first);
  return tensor;
}

// By output; empty where the reference refuses or an operand that says how is not constant.
std::vector<ElementSources> record(const Draft& draft, const DraftNode& entry,
                                   const std::vector<std::size_t>& moved) {
  const graph::Node& node = entry.node;
  std::vector<Tensor> operands(node.inputs.size()), results;
  std::int64_t first = 0;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (node.inputs[k] == graph::kNoValue) continue;
    const graph::Value& value = draft.value(node.inputs[k]);
    if (std::find(moved.begin(), moved.end(), k) != moved.end()) {
      const std::int64_t count = count_of(value.shape);
      if (first + count > kMostElements) return {};
      operands[k] = numbered(value.shape, first);
      first += count;
    } else {
      if (!value.constant) return {};
      operands[k] = *value.constant;
    }
  }
  results.reserve(node.outputs.size());
  for (ValueId id : node.outputs) results.emplace_back(DType::F32, draft.value(id).shape);
  std::vector<const Tensor*> inputs;
  std::vector<Tensor*> outputs;
  inputs.reserve(operands.size());
  outputs.reserve(results.size());
  for (std::size_t k = 0; k < operands.size(); ++k)
    inputs.push_back(node.inputs[k] == graph::kNoValue ? nullptr : &operands[k]);
  for (Tensor& result : results) outputs.push_back(&result);
  const std::vector<Tensor*> states(inputs.size(), nullptr);
  if (!entry.reference->run(KernelCall{draft.graph, node, inputs, states, outputs})) return {};
  std::vector<ElementSources> sources;
  sources.reserve(results.size());
  for (const Tensor& result : results) {
    const auto numbers = result.as<float>();
    sources.emplace_back(numbers.size());
    std::transform(numbers.begin(), numbers.end(), sources.back().begin(),
                   [](float x) { return static_cast<std::int32_t>(x) - 1; });
  }
  return sources;
}

// One output: loops where that is all it takes, else runs.
struct Movement {
  ValueId output = graph::kNoValue;
  bool strided = false;
  StridedMovement loops;
  std::vector<MovementRun> runs;        // by operand, sorted by place; `from` within the operand
  std::vector<std::uint32_t> operands;  // of each run
  std::vector<std::byte> fill;
};

class MovementStep : public Step {
 public:
  MovementStep(std::vector<ValueId> operands, std::size_t size, std::vector<Movement> movements)
      : operands_(std::move(operands)), size_(size), movements_(std::move(movements)) {}
  std::string kernel() const override { return "own movement"; }

  Result<void> run(const Frame& frame) const override {
    for (const Movement& movement : movements_) {
      std::byte* to = frame.out<std::byte>(movement.output);
      if (movement.strided)
        move_strided(movement.loops, size_, frame.in<std::byte>(operands_[0]), to);
      else if (size_ == 1)
        move_runs<1>(frame, movement, to);
      else if (size_ == 2)
        move_runs<2>(frame, movement, to);
      else if (size_ == 4)
        move_runs<4>(frame, movement, to);
      else
        move_runs<8>(frame, movement, to);
    }
    return {};
  }

 private:
  template <std::size_t kSize>
  void move_runs(const Frame& frame, const Movement& movement, std::byte* to) const {
    for (std::size_t i = 0; i < movement.runs.size(); ++i) {
      const MovementRun& run = movement.runs[i];
      std::byte* target = to + static_cast<std::size_t>(run.to) * kSize;
      const auto length = static_cast<std::size_t>(run.length);
      if (run.from < 0) {
        for (std::size_t k = 0; k < length; ++k) std::memcpy(target + k * kSize, movement.fill.data(), kSize);
        continue;
      }
      const std::byte* source =
          frame.in<std::byte>(operands_[movement.operands[i]]) + static_cast<std::size_t>(run.from) * kSize;
      if (length == 1)
        std::memcpy(target, source, kSize);
      else
        std::memcpy(target, source, length * kSize);
    }
  }

  std::vector<ValueId> operands_;
  std::size_t size_;
  std::vector<Movement> movements_;
};

// Runs within one operand, with that operand's own numbers.
void split_by_operand(const std::vector<MovementRun>& runs, const std::vector<std::int64_t>& starts,
                      Movement& movement) {
  for (MovementRun run : runs) {
    while (run.length > 0) {
      MovementRun part = run;
      std::size_t operand = 0;
      if (run.from >= 0) {
        operand = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), run.from) -
                                           starts.begin() - 1);
        part.from = run.from - static_cast<std::int32_t>(starts[operand]);
        if (operand + 1 < starts.size())
          part.length =
              std::min<std::int32_t>(run.length, static_cast<std::int32_t>(starts[operand + 1]) - run.from);
        run.from += part.length;
      }
      run.to += part.length;
      run.length -= part.length;
      movement.runs.push_back(part);
      movement.operands.push_back(static_cast<std::uint32_t>(operand));
    }
  }
}

}  // namespace

std::unique_ptr<Step> make_recorded_movement(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || !only_moves(node) || node.inputs.empty()) return nullptr;
  const std::vector<std::size_t> moved = moved_operands(node);
  if (!moves_as_stored(draft, node, moved)) return nullptr;
  const std::vector<ElementSources> sources = record(draft, entry, moved);
  if (sources.empty()) return nullptr;
  std::vector<ValueId> operands;
  std::vector<std::int64_t> starts;
  std::int64_t count = 0;
  for (std::size_t k : moved) {
    operands.push_back(node.inputs[k]);
    starts.push_back(count);
    count += count_of(draft.value(node.inputs[k]).shape);
  }
  std::vector<Movement> movements;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const graph::Value& out = draft.value(node.outputs[k]);
    Movement movement;
    movement.output = node.outputs[k];
    movement.fill = fill_of(node, out);
    movement.strided = operands.size() == 1 && find_strided(sources[k], out.shape, movement.loops);
    if (!movement.strided) split_by_operand(find_runs(sources[k]), starts, movement);
    movements.push_back(std::move(movement));
  }
  return std::make_unique<MovementStep>(std::move(operands), size_of(draft.value(node.outputs[0]).type),
                                        std::move(movements));
}

}  // namespace npubin::exec::fast
