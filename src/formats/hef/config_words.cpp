#include "formats/hef/config_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace npubin::hef {
namespace {

struct Core {
  Message message;
  std::string name;
};

std::vector<Core> all_cores(const HefArtifact& artifact) {
  std::vector<Core> out, todo;
  for (const Message& group : artifact.document().messages("network_groups"))
    todo.push_back({group, std::string(group.message("network_group_metadata").text("network_group_name"))});
  while (!todo.empty()) {
    const Core core = todo.back();
    todo.pop_back();
    out.push_back(core);
    auto push_partials = [&](const char* list, const char* member) {
      for (const Message& partial : core.message.messages(list))
        todo.push_back({partial.message(member),
                        fmt::format("{}.layout[{}]", core.name,
                                    partial.message("layout").u32("partial_clusters_layout_bitmap"))});
    };
    push_partials("partial_network_groups", "network_group");
    push_partials("partial_core_ops", "core_op");
    for (const Message& op : core.message.messages("ops"))
      if (op.has("core_op")) todo.push_back({op.message("core_op"), core.name});
  }
  return out;
}

void append(const Message& operation, const std::string& where, std::uint64_t limit,
            std::vector<ConfigWrite>& out) {
  for (const Message& action : operation.messages("actions")) {
    const auto pointer = action.find("write_data_ccw_ptr");
    if (!pointer) continue;
    const Message content = action.message("write_data_ccw_ptr");
    const std::uint64_t offset = content.u64("offset"), size = content.u32("size");
    const auto end = checked_add(offset, size);
    if (size > 0 && end && (limit == 0 || *end <= limit)) out.push_back({offset, size, where});
  }
}

}  // namespace

std::vector<ConfigWrite> config_writes(const HefArtifact& artifact) {
  std::vector<ConfigWrite> out;
  const std::uint64_t limit = artifact.container().ccws_declared();
  for (const Core& core : all_cores(artifact)) {
    for (const Message& operation : core.message.message("preliminary_config").messages("operation"))
      append(operation, core.name + ".preliminary", limit, out);
    for (const Message& context : core.message.messages("contexts"))
      for (const Message& operation : context.messages("operations"))
        append(operation, fmt::format("{}.context[{}]", core.name, context.u32("context_index")), limit, out);
  }
  return out;
}

std::vector<HashStatus> resource_statuses(const HefArtifact& artifact, bool verify) {
  std::vector<HashStatus> out;
  std::uint64_t budget = 4 * artifact.bytes().size();
  for (const ExternalResource& resource : artifact.model().external_resources) {
    const bool affordable = resource.size <= budget;
    if (verify && affordable && resource.xxhash != 0) budget -= resource.size;
    out.push_back(resource_status(artifact, resource, verify && affordable));
  }
  return out;
}

ConfigCoverage config_coverage(const HefArtifact& artifact, std::vector<ConfigWrite> writes) {
  std::stable_sort(writes.begin(), writes.end(),
                   [](const ConfigWrite& a, const ConfigWrite& b) { return a.offset < b.offset; });
  ConfigCoverage out;
  std::uint64_t covered = 0;
  auto gap = [&](std::uint64_t from, std::uint64_t to) {
    out.gaps.push_back({from, to - from});
    out.unreferenced += to - from;
  };
  for (const ConfigWrite& write : writes) {
    if (write.offset > covered) gap(covered, write.offset);
    const std::uint64_t end = write.offset + write.size;
    if (write.offset < covered) out.shared += std::min(covered, end) - write.offset;
    covered = std::max(covered, end);
  }
  const std::uint64_t words = artifact.container().ccws_declared();
  if (covered < words) gap(covered, words);
  return out;
}

}  // namespace npubin::hef
