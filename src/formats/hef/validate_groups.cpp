// Network groups: names, contexts, sorted outputs (hef spec 3).
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

constexpr std::size_t kMaxGroupName = 127;
constexpr std::size_t kMaxNetworkName = 256;

void check_names(Findings& f, const NetworkGroup& group) {
  if (group.name.empty())
    f.warn("HEF-0503", group.message, "network_group_metadata", "the network group has no name",
           "a program has to ask for it by position");
  if (group.name.size() > kMaxGroupName)
    f.error("HEF-0504", group.message, "network_group_metadata",
            fmt::format("the network group's name has {} bytes; {} are allowed", group.name.size(),
                        kMaxGroupName),
            status::kInvalidHef);
  for (const std::string_view name : group.core.texts("networks_names"))
    if (group.name.size() + 1 + name.size() > kMaxNetworkName)
      f.error("HEF-0504", group.core, "networks_names",
              fmt::format("the network's full name has {} bytes; {} are allowed",
                          group.name.size() + 1 + name.size(), kMaxNetworkName),
              status::kInvalidHef);
}

// Every core: the group's own, or one per partial layout.
std::vector<Message> cores_of(const NetworkGroup& group) {
  std::vector<Message> out;
  for (const Message& partial : group.outer_core.messages("partial_core_ops"))
    out.push_back(partial.message("core_op"));
  for (const Message& partial : group.outer_core.messages("partial_network_groups"))
    out.push_back(partial.message("network_group"));
  if (group.partial_layouts.empty()) out.clear();
  if (out.empty()) out.push_back(group.core);
  return out;
}

void check_sorted_outputs(Findings& f, const NetworkGroup& group) {
  if (!group.sorted_outputs_found) {
    f.error(
        "HEF-0507", group.message, "sorted_outputs_order",
        "no list of sorted output names stands anywhere: HailoRT says \"Sorted output names is not set up in "
        "the HEF.\"",
        status::kInvalidHef);
    return;
  }
  const std::set<std::string_view> sorted(group.sorted_outputs.begin(), group.sorted_outputs.end());
  for (const VStream& vstream : group.vstreams)
    if (vstream.direction == Direction::DeviceToHost && !sorted.contains(vstream.name))
      f.error("HEF-0508", group.message, "sorted_outputs_order",
              fmt::format("output {} is missing from the sorted output names", vstream.name),
              status::kInternalFailure);
}

void check_fused(Findings& f, const NetworkGroup& group) {
  std::set<std::string_view> fused;
  const Message metadata = group.core.message("fused_layers_metadata");
  for (const Message& layer : metadata.messages("fused_layers"))
    fused.insert(layer.message("layer_info").text("name"));
  std::vector<const Stream*> leaves;
  for (const Stream& stream : group.streams) append_leaves(stream, leaves);
  for (const Stream* leaf : leaves)
    if (leaf->nms && leaf->nms->is_defused && !fused.contains(leaf->nms->original_name))
      f.error("HEF-0509", group.core, "fused_layers_metadata",
              fmt::format("stream {} is a part of {}, which is not among the fused layers", leaf->name,
                          leaf->nms->original_name),
              status::kInvalidHef);
}

void check_group(Findings& f, const NetworkGroup& group) {
  check_names(f, group);
  if (group.core_op_missing) {
    f.error("HEF-0505", group.message, "ops",
            "extension 13 (HAILO_NET_FLOW) is in force, but no op is a core op", status::kInvalidHef,
            "HailoRT 5.2 crashes on such a file");
    return;
  }
  for (const Message& core : cores_of(group)) {
    if (core.messages("contexts").empty())
      f.error("HEF-0506", core, "contexts", "the network group has no contexts", status::kInvalidHef,
              "HailoRT 5.2 crashes on such a file");
    const std::uint64_t channels = core.message("network_group_metadata").u64("cfg_channels_count");
    if (channels > 255)
      f.error("HEF-0510", core.message("network_group_metadata"), "cfg_channels_count",
              fmt::format("{} config channels do not fit a byte", channels), status::kInvalidHef);
    check_edges(f, group, core);
    check_program(f, core);
  }
  if (group.core.messages("contexts").size() > group.contexts.size())
    f.error("HEF-0524", group.core, "contexts",
            fmt::format("more than {} contexts: the rest is not looked at", group.contexts.size()),
            status::kInvalidHef);
  if (group.streams.size() >= kMaxStreams || group.ops.size() >= kMaxOps)
    f.error("HEF-0524", group.message, {}, "more streams or operators than any chip can address",
            status::kInvalidHef);
  check_fused(f, group);
  if (group.net_flow) check_pads(f, group);
  if (group.net_flow) check_ops(f, group);
  check_sorted_outputs(f, group);
}

}  // namespace

void check_groups(Findings& f) {
  if (f.model().groups.empty())
    f.error("HEF-0501", f.artifact().document(), "network_groups", "the file has no network group",
            status::kInvalidHef);
  if (f.artifact().document().messages("network_groups").size() > f.model().groups.size())
    f.error("HEF-0524", f.artifact().document(), "network_groups",
            fmt::format("more than {} network groups: the rest is not looked at", f.model().groups.size()),
            status::kInvalidHef);
  std::set<std::string_view> names;
  for (const NetworkGroup& group : f.model().groups) {
    if (!names.insert(group.name).second)
      f.error("HEF-0502", group.message, {}, fmt::format("two network groups are named {}", group.name),
              status::kInvalidHef);
    check_group(f, group);
  }
}

}  // namespace npubin::hef
