// Counting what a program does, without keeping it: a large file has hundreds of thousands of actions.
#include <algorithm>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

void count(std::vector<std::pair<std::string, std::uint64_t>>& counts, const FieldSchema* kind) {
  const std::string_view name = kind != nullptr ? std::string_view(kind->name) : "unset";
  for (auto& [known, times] : counts)
    if (known == name) {
      ++times;
      return;
    }
  counts.emplace_back(name, 1);
}

// The set member of a oneof and its content, in one pass.
struct ChosenKind {
  const FieldSchema* kind = nullptr;
  Message content;
};
ChosenKind chosen_kind(const Message& message, std::string_view oneof) {
  ChosenKind out;
  WireField wire;
  for (WireCursor it = message.cursor(); it.next(wire);) {
    const FieldSchema* field = message.schema()->by_number(wire.number);
    if (field == nullptr || field->oneof != oneof || wire.wire_type != field->wire_type()) continue;
    out = {field, Message::of(*field, wire)};
  }
  return out;
}

// What one action writes into the chip's configuration: bytes, and where they end behind the zero point.
void add_ccw(const ChosenKind& action, std::uint64_t& bytes, std::uint64_t& writes, std::uint64_t& end) {
  if (action.kind == nullptr) return;
  if (action.kind->name == "write_data_ccw") {
    bytes += action.content.bytes("data").size();
    ++writes;
  } else if (action.kind->name == "write_data_ccw_ptr") {
    const std::uint64_t size = action.content.u32("size");
    bytes += size;
    ++writes;
    end = std::max(end, checked_add(action.content.u64("offset"), size).value_or(UINT64_MAX));
  }
}

void add_operation(const Message& operation, CcwTotals& totals) {
  for (const Message& action : operation.messages("actions"))
    add_ccw(chosen_kind(action, "action"), totals.bytes, totals.write_actions, totals.max_end);
}

// `core`: a network group or core op. Partial layouts inside are pushed to `todo`.
void add_core(const Message& core, CcwTotals& totals, std::vector<Message>& todo) {
  for (const Message& operation : core.message("preliminary_config").messages("operation"))
    add_operation(operation, totals);
  for (const Message& context : core.messages("contexts"))
    for (const Message& operation : context.messages("operations")) add_operation(operation, totals);
  for (const Message& partial : core.messages("partial_network_groups"))
    todo.push_back(partial.message("network_group"));
  for (const Message& partial : core.messages("partial_core_ops")) todo.push_back(partial.message("core_op"));
  for (const Message& op : core.messages("ops"))
    if (op.has("core_op")) todo.push_back(op.message("core_op"));
}

}  // namespace

ProgramCounts count_program(const std::vector<Message>& operations) {
  ProgramCounts out;
  out.operations = operations.size();
  std::uint64_t end = 0;
  for (const Message& operation : operations) {
    count(out.triggers, operation.message("trigger").which("trigger"));
    for (const Message& message : operation.messages("actions")) {
      const ChosenKind action = chosen_kind(message, "action");
      count(out.actions, action.kind);
      add_ccw(action, out.ccw_bytes, out.ccw_writes, end);
    }
  }
  return out;
}

CcwTotals count_ccws(const Message& document) {
  CcwTotals totals;
  std::vector<Message> todo = document.messages("network_groups");
  while (!todo.empty()) {
    const Message core = todo.back();
    todo.pop_back();
    add_core(core, totals, todo);
  }
  return totals;
}

}  // namespace npubin::hef
