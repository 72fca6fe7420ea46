// The order of execution: indices, producers, what is read before it exists, calls between subgraphs.
// tflite spec 1.
#include <array>
#include <set>

#include <fmt/format.h>

#include "formats/tflite/validate.h"

namespace npubin::tflite {
namespace {

constexpr std::int64_t kNobody = -1;

// An ethos-u operator lists stream, constants and two areas of scratch memory before its inputs; the scratch
// is nobody's output.
bool is_scratch_operand(const OperatorView& op, std::size_t operand) {
  return op.code != nullptr && op.code->is_custom("ethos-u") && (operand == 2 || operand == 3);
}

class ExecutionCheck {
 public:
  ExecutionCheck(const TfliteDocument& document, std::size_t subgraph, Diagnostics& out)
      : document_(document),
        subgraph_(document.subgraphs()[subgraph]),
        index_(subgraph),
        out_(out),
        available_(subgraph_.tensors.size(), false),
        writer_(subgraph_.tensors.size(), kNobody),
        used_(subgraph_.tensors.size(), false) {}

  void run() {
    start();
    for (std::size_t i = 0; i < subgraph_.operators.size(); ++i) one(i);
    ends();
  }

 private:
  bool constant(std::size_t tensor) const {
    const TensorView& view = subgraph_.tensors[tensor];
    // Empty tensors (a shape with a 0 in it) and variables need no producer.
    for (std::size_t i = 0; i < view.shape.size(); ++i)
      if (view.shape[i] == 0) return true;
    return view.is_variable || view.external_buffer != 0 ||
           (view.buffer != 0 && !document_.constant_bytes(view).empty());
  }
  bool in_range(std::int32_t tensor) const {
    return tensor >= 0 && static_cast<std::size_t>(tensor) < subgraph_.tensors.size();
  }

  void start() {
    const Location where = Location::at(subgraph_.offset, fmt::format("subgraphs[{}]", index_));
    for (std::size_t i = 0; i < subgraph_.tensors.size(); ++i) available_[i] = constant(i);
    for (std::size_t i = 0; i < subgraph_.inputs.size(); ++i) {
      const std::int32_t tensor = subgraph_.inputs[i];
      if (!in_range(tensor)) {
        out_.error("TFL-0101", where,
                   fmt::format("input {} is tensor {} of {}", i, tensor, available_.size()));
        continue;
      }
      available_[static_cast<std::size_t>(tensor)] = used_[static_cast<std::size_t>(tensor)] = true;
      writer_[static_cast<std::size_t>(tensor)] = kInput;
    }
  }

  void one(std::size_t i) {
    const OperatorView& op = subgraph_.operators[i];
    const Location where = Location::at(op.offset, operator_path(index_, i));
    if (op.code == nullptr)
      out_.error(
          "TFL-0014", where,
          fmt::format("the operator names code {} of {}", op.code_index, document_.operator_codes().size()));
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
      const std::int32_t tensor = op.inputs[k];
      if (tensor == -1) continue;
      if (!in_range(tensor))
        out_.error(
            "TFL-0101", where,
            fmt::format("operand {} of {} is tensor {} of {}", k, op.name(), tensor, available_.size()));
      else if (!is_scratch_operand(op, k))
        reads(static_cast<std::size_t>(tensor), op, where);
      else
        used_[static_cast<std::size_t>(tensor)] = true;
    }
    for (std::size_t k = 0; k < op.outputs.size(); ++k) {
      const std::int32_t tensor = op.outputs[k];
      if (!in_range(tensor))
        out_.error(
            "TFL-0101", where,
            fmt::format("output {} of {} is tensor {} of {}", k, op.name(), tensor, available_.size()));
      else
        writes(static_cast<std::size_t>(tensor), static_cast<std::int64_t>(i), op, where);
    }
    for (std::size_t k = 0; k < op.intermediates.size(); ++k)
      if (in_range(op.intermediates[k])) used_[static_cast<std::size_t>(op.intermediates[k])] = true;
  }

  void reads(std::size_t tensor, const OperatorView& op, const Location& where) {
    used_[tensor] = true;
    if (!available_[tensor])
      out_.error("TFL-0102", where,
                 fmt::format("{} reads tensor {} ({:?}), which nothing has produced by then", op.name(),
                             tensor, subgraph_.tensors[tensor].name),
                 "operators must stand in order of execution, without cycles");
  }

  void writes(std::size_t tensor, std::int64_t op_index, const OperatorView& op, const Location& where) {
    used_[tensor] = true;
    const bool empty =
        subgraph_.tensors[tensor].buffer == 0 || document_.constant_bytes(subgraph_.tensors[tensor]).empty();
    if (writer_[tensor] != kNobody)
      out_.error("TFL-0103", where,
                 fmt::format("{} writes tensor {} ({:?}), which is {}", op.name(), tensor,
                             subgraph_.tensors[tensor].name,
                             writer_[tensor] == kInput
                                 ? std::string("an input of the graph")
                                 : fmt::format("written by operator {} already", writer_[tensor])));
    else if (!empty)
      out_.error("TFL-0103", where,
                 fmt::format("{} writes the constant tensor {} ({:?})", op.name(), tensor,
                             subgraph_.tensors[tensor].name));
    writer_[tensor] = op_index;
    available_[tensor] = true;
  }

  void ends() {
    const Location where = Location::at(subgraph_.offset, fmt::format("subgraphs[{}]", index_));
    for (std::size_t i = 0; i < subgraph_.outputs.size(); ++i) {
      const std::int32_t tensor = subgraph_.outputs[i];
      if (!in_range(tensor)) {
        out_.error("TFL-0101", where,
                   fmt::format("output {} is tensor {} of {}", i, tensor, available_.size()));
        continue;
      }
      used_[static_cast<std::size_t>(tensor)] = true;
      if (!available_[static_cast<std::size_t>(tensor)])
        out_.error("TFL-0104", where,
                   fmt::format("output {} is tensor {} ({:?}), which nothing produces", i, tensor,
                               subgraph_.tensors[static_cast<std::size_t>(tensor)].name));
    }
    std::size_t unused = 0, first = 0;
    for (std::size_t i = used_.size(); i-- > 0;)
      if (!used_[i]) ++unused, first = i;
    if (unused > 0)
      out_.info("TFL-0112", Location::at(subgraph_.tensors[first].offset, tensor_path(index_, first)),
                fmt::format("{} tensors are used by nothing, the first is {:?}", unused,
                            subgraph_.tensors[first].name));
  }

  static constexpr std::int64_t kInput = -2;
  const TfliteDocument& document_;
  const SubgraphView& subgraph_;
  std::size_t index_;
  Diagnostics& out_;
  std::vector<bool> available_;
  std::vector<std::int64_t> writer_;
  std::vector<bool> used_;
};

// Which subgraphs an operator calls, by the names of its options' fields.
constexpr std::array<std::string_view, 9> kCallFields{
    "then_subgraph_index",       "else_subgraph_index",          "cond_subgraph_index",
    "body_subgraph_index",       "init_subgraph_index",          "subgraph",
    "comparator_subgraph_index", "decomposition_subgraph_index", "update_computation_subgraph_index"};

}  // namespace

void validate_execution(const TfliteDocument& document, std::size_t subgraph, Diagnostics& out) {
  ExecutionCheck(document, subgraph, out).run();
}

void validate_calls(const TfliteDocument& document, Diagnostics& out) {
  const std::size_t count = document.subgraphs().size();
  std::vector<std::set<std::size_t>> calls(count);
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t i = 0; i < document.subgraphs()[s].operators.size(); ++i)
      for (const FlatTable* options :
           {&document.subgraphs()[s].operators[i].options, &document.subgraphs()[s].operators[i].options_2})
        for (std::string_view field : kCallFields) {
          if (!*options || options->table_schema()->find(field) == nullptr) continue;
          const std::int64_t callee = options->integer(field);
          if (callee >= 0 && static_cast<std::size_t>(callee) < count)
            calls[s].insert(static_cast<std::size_t>(callee));
          else
            out.error("TFL-0111", Location::at(options->offset(), operator_path(s, i)),
                      fmt::format("{} is {} of {} subgraphs", field, callee, count));
        }
  // Subgraphs that call nobody that is left are taken away until nothing changes; what remains is a cycle, or
  // calls one.
  std::vector<std::size_t> waiting(count, 0), done;
  std::vector<std::vector<std::size_t>> callers(count);
  for (std::size_t s = 0; s < count; ++s) {
    waiting[s] = calls[s].size();
    for (std::size_t callee : calls[s]) callers[callee].push_back(s);
    if (waiting[s] == 0) done.push_back(s);
  }
  for (std::size_t k = 0; k < done.size(); ++k)
    for (std::size_t caller : callers[done[k]])
      if (--waiting[caller] == 0) done.push_back(caller);
  if (done.size() == count) return;
  for (std::size_t s = 0; s < count; ++s)
    if (waiting[s] > 0) {
      out.error("TFL-0111", Location::at(document.subgraphs()[s].offset, fmt::format("subgraphs[{}]", s)),
                "the subgraph calls itself, directly or through others", "recursion is not allowed");
      return;
    }
}

}  // namespace npubin::tflite
