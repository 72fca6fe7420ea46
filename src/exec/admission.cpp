#include "exec/admission.h"

#include <map>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace npubin::exec {
namespace {

constexpr std::size_t kNamedPerReason = 8;

std::string_view type_name(const graph::Node& node) {
  return node.source_type.empty() ? graph::to_string(node.op) : std::string_view(node.source_type);
}

std::string place_of(const graph::Node& node, std::size_t position) {
  const std::int64_t index = node.source_index < 0 ? static_cast<std::int64_t>(position) : node.source_index;
  return node.name.empty() ? fmt::format("{}", index) : fmt::format("{} '{}'", index, node.name);
}

// What the kernel does not do with this node; attributes of another operator are an objection like any other.
std::string objection(const KernelRow& row, const graph::Graph& graph, const graph::Node& node) {
  if (row.limits == nullptr) return {};
  try {
    return row.limits(graph, node);
  } catch (const std::bad_variant_access&) {
    return "its attributes are those of another operator";
  }
}

// Nodes that share an operator and a reason are one entry of the message.
struct Refusals {
  struct Entry {
    std::vector<std::string> places;
    std::size_t count = 0;
  };
  std::vector<std::string> order;
  std::map<std::string, Entry> entries;
  std::size_t nodes = 0;

  void add(const graph::Node& node, std::size_t position, const std::string& why) {
    std::string key =
        why.empty() ? std::string(type_name(node)) : fmt::format("{}: {}", type_name(node), why);
    Entry& entry = entries[key];
    if (entry.count++ == 0) order.push_back(std::move(key));
    if (entry.places.size() < kNamedPerReason) entry.places.push_back(place_of(node, position));
    ++nodes;
  }

  std::string text() const {
    std::string out = fmt::format("{} of the graph's operators cannot be run: ", nodes);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Entry& entry = entries.at(order[i]);
      out += fmt::format("{}{} (at {}{})", i == 0 ? "" : "; ", order[i], fmt::join(entry.places, ", "),
                         entry.count > entry.places.size()
                             ? fmt::format(" and {} more", entry.count - entry.places.size())
                             : "");
    }
    return out;
  }
};

}  // namespace

Result<std::vector<const KernelRow*>> admit(const graph::Graph& graph) {
  NPUBIN_CHECK(graph::verify(graph));
  std::vector<const KernelRow*> rows;
  rows.reserve(graph.nodes.size());
  Refusals refusals;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    const KernelRow* row = find_reference_kernel(node.op, node.rules);
    rows.push_back(row);
    if (row == nullptr) {
      refusals.add(node, i, "");
    } else if (std::string why = objection(*row, graph, node); !why.empty()) {
      refusals.add(node, i, why);
    }
  }
  if (refusals.nodes != 0) return refused(refusals.text());
  return rows;
}

Result<void> check_inputs(const graph::Graph& graph, std::span<const Tensor> inputs) {
  if (inputs.size() != graph.inputs.size()) {
    std::vector<std::string> expected;
    for (const graph::Port& port : graph.inputs) {
      const graph::Value& value = graph.value(port.value);
      expected.push_back(fmt::format("'{}' {} {}", port.name, to_string(value.type), to_string(value.shape)));
    }
    return usage_error(fmt::format("{} input{} given, the graph has {}: {}", inputs.size(),
                                   inputs.size() == 1 ? "" : "s", graph.inputs.size(),
                                   fmt::join(expected, ", ")));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const graph::Value& value = graph.value(graph.inputs[i].value);
    if (inputs[i].type() != value.type || inputs[i].shape() != value.shape)
      return usage_error(fmt::format("input {} '{}' is {} {}, expected {} {}", i, graph.inputs[i].name,
                                     to_string(inputs[i].type()), to_string(inputs[i].shape()),
                                     to_string(value.type), to_string(value.shape)));
  }
  return {};
}

}  // namespace npubin::exec
