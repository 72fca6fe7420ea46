// npubin disasm of a HEF: preliminary configuration and contexts as programs.
#include <fmt/format.h>

#include "formats/hef/mnemonics.h"

namespace npubin::hef {
namespace {

struct Totals {
  std::vector<std::pair<std::string, std::uint64_t>> kinds;
  std::uint64_t config_bytes = 0;
  void count(const Instruction& instruction) {
    config_bytes += instruction.config_bytes;
    for (auto& [kind, times] : kinds)
      if (kind == instruction.kind) {
        ++times;
        return;
      }
    kinds.emplace_back(instruction.kind, 1);
  }
};

std::string line_of(const Instruction& i) {
  std::string out = fmt::format("    {:<10} {}", i.mnemonic, i.operands);
  if (!i.comment.empty()) out = fmt::format("{:<48} ; {}", out, i.comment);
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

Datum datum_of(const Instruction& i) {
  Datum out;
  out.set("kind", i.kind).set("mnemonic", i.mnemonic).set("operands", i.operands);
  if (!i.comment.empty()) out.set("comment", i.comment);
  return out;
}

// One program. The listing is for people; JSON has the same as operations.
void list_program(const ListingContext& at, const std::vector<Message>& operations,
                  const DisasmOptions& options, Node& node) {
  Totals triggers, actions;
  Datum list{Datum::Array{}};
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Instruction trigger = trigger_of(at, operations[i].message("trigger"));
    triggers.count(trigger);
    Datum operation;
    if (!options.summary) {
      std::string line = fmt::format("{}: {} {}", i, trigger.mnemonic, trigger.operands);
      if (!trigger.comment.empty()) line += " ; " + trigger.comment;
      line.erase(line.find_last_not_of(' ') + 1);
      node.lines.push_back(std::move(line));
      operation.set("trigger", datum_of(trigger));
    }
    Datum members{Datum::Array{}};
    for (const Message& message : operations[i].messages("actions")) {
      const Instruction action = action_of(at, message);
      actions.count(action);
      if (options.summary) continue;
      node.lines.push_back(line_of(action));
      members.push(datum_of(action));
    }
    if (!options.summary) {
      operation.set("actions", std::move(members));
      list.push(std::move(operation));
    }
  }
  node.field("operations_count", operations.size());
  for (const auto* totals : {&triggers, &actions}) {
    Datum counts{Datum::Object{}};
    std::string text;
    for (const auto& [kind, times] : totals->kinds) {
      counts.set(kind, times);
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", times, kind);
    }
    node.field_text(totals == &triggers ? "triggers" : "actions", std::move(counts),
                    text.empty() ? "none" : text);
  }
  node.field("config_bytes", actions.config_bytes, "bytes");
  if (!options.summary) node.field("operations", std::move(list), {}, Detail::JsonOnly);
}

Node list_group(const HefArtifact& artifact, const NetworkGroup& group, const DisasmOptions& options) {
  Node node("group", "network group " + group.name);
  node.field("name", group.name, {}, Detail::JsonOnly);
  if (!group.partial_layouts.empty()) node.field("layout", group.chosen_layout);
  const ListingContext preliminary = listing_context(artifact, group, nullptr);
  list_program(preliminary, group.core.message("preliminary_config").messages("operation"), options,
               node.child("preliminary", "preliminary configuration"));
  Node& contexts = node.child("contexts");
  contexts.list = true;
  for (const Context& context : group.contexts) {
    Node& child = contexts.child("context", fmt::format("context {}{}{}", context.index,
                                                        context.name.empty() ? "" : " ", context.name));
    child.field("index", context.index, {}, Detail::JsonOnly);
    child.field("name", context.name, {}, Detail::JsonOnly);
    list_program(listing_context(artifact, group, &context), context.message.messages("operations"), options,
                 child);
  }
  return node;
}

}  // namespace

Result<Node> HefArtifact::disassemble(const DisasmOptions& options) const {
  if (!readable()) return fail(unreadable());
  Node root;
  Node& groups = root.child("network_groups");
  groups.list = true;
  for (const NetworkGroup& group : model_.groups)
    groups.children.push_back(list_group(*this, group, options));
  return root;
}

}  // namespace npubin::hef
