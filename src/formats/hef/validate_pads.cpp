// Wiring of operators: pads and pad edges (hef spec 3).
#include <map>
#include <set>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

// Output pads of the core: those of the core op and those that boundary layers name.
std::set<std::uint32_t> core_outputs(const NetworkGroup& group) {
  std::set<std::uint32_t> out;
  for (const Message& op : group.message.messages("ops"))
    for (const Message& pad : op.messages("output_pads")) out.insert(pad.u32("index"));
  std::vector<const Stream*> leaves;
  for (const Stream& stream : group.streams) append_leaves(stream, leaves);
  for (const Stream* leaf : leaves)
    if (leaf->pad_index) out.insert(*leaf->pad_index);
  return out;
}

void check_pad_edges(Findings& f, const NetworkGroup& group, const std::set<std::uint32_t>& inputs) {
  const std::set<std::uint32_t> outputs = core_outputs(group);
  for (const Message& edge : group.message.messages("pad_edges")) {
    if (!outputs.contains(edge.u32("src")))
      f.error("HEF-0711", edge, "src",
              fmt::format("a pad edge comes from pad {}, which does not exist", edge.u32("src")),
              status::kInvalidHef);
    if (!inputs.contains(edge.u32("dst")))
      f.warn("HEF-0712", edge, "dst",
             fmt::format("a pad edge leads to pad {}, which does not exist", edge.u32("dst")),
             "HailoRT ignores it");
  }
}

}  // namespace

void check_pads(Findings& f, const NetworkGroup& group) {
  std::set<std::uint32_t> inputs;
  for (const Message& op : group.message.messages("ops"))
    for (const Message& pad : op.messages("input_pads")) inputs.insert(pad.u32("index"));
  check_pad_edges(f, group, inputs);
  for (const Op& op : group.ops) {
    if (op.message.messages("output_pads").empty())
      f.error("HEF-0713", op.message, "output_pads", fmt::format("operator {} has no output pad", op.name),
              status::kInvalidHef, "HailoRT 5.2 crashes on such a file");
    for (std::size_t i = 0; i < op.input_streams.size(); ++i)
      if (op.input_streams[i].empty())
        f.error("HEF-0710", op.message, "input_pads",
                fmt::format("pad {} of operator {} is not connected to any output of the core",
                            op.input_pads[i], op.name),
                status::kInvalidHef);
  }
}

}  // namespace npubin::hef
