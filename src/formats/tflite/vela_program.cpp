#include "formats/tflite/vela_program.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace npubin::tflite {
namespace {

using programs::EthosUProgram;
using programs::EthosURegions;

// One memory for all operators: each region as large as the largest, contents from whoever has them.
// Constants of different operators are the same tensor in every file of the compiler; where they are not,
// each operator has regions of its own.
bool share_constants(const std::vector<VelaOperator>& operators) {
  const ethosu::Region* first = nullptr;
  for (const VelaOperator& op : operators)
    for (const ethosu::Region& region : op.job.regions) {
      if (region.index != 0) continue;
      if (first != nullptr && (first->initial.data() != region.initial.data() || first->size != region.size))
        return false;
      first = &region;
    }
  return true;
}

Result<std::shared_ptr<EthosURegions>> make_regions(const std::vector<const VelaOperator*>& operators) {
  std::map<std::uint32_t, ethosu::Region> merged;
  bool dedicated = false;
  for (const VelaOperator* op : operators) {
    dedicated = dedicated || op->dedicated_fast_memory;
    for (const ethosu::Region& region : op->job.regions) {
      const auto [at, added] = merged.try_emplace(region.index, region);
      if (!added && region.size > at->second.size) at->second = region;
    }
  }
  std::vector<ethosu::Region> regions;
  for (auto& [index, region] : merged)
    if (index != 2 || dedicated) regions.push_back(std::move(region));
  NPUBIN_TRY(ethosu::Memory memory, ethosu::Memory::create(regions));
  auto out = std::make_shared<EthosURegions>();
  out->memory = std::move(memory);
  // Without a memory of its own, region 2 is region 1 again (ethos-u55 spec 1).
  if (!dedicated && out->memory.writable(1)) out->memory.share(2, 1);
  return out;
}

// Where the tensors stand in an operand list, from operand `from` on.
template <class List>
Result<std::vector<std::size_t>> positions(const std::vector<std::int32_t>& tensors, const List& list,
                                           std::size_t from) {
  std::vector<std::size_t> out;
  for (const std::int32_t tensor : tensors) {
    std::size_t at = from;
    while (at < list.size() && list[at] != tensor) ++at;
    if (at >= list.size())
      return malformed({}, fmt::format("tensor {} is no operand of its operator", tensor));
    out.push_back(at);
  }
  return out;
}

}  // namespace

Result<std::vector<std::shared_ptr<EthosUProgram>>> attach_programs(graph::Graph& graph,
                                                                    const TfliteDocument& document,
                                                                    Diagnostics& findings) {
  NPUBIN_TRY(const VelaModel model, read_vela(document, findings));
  std::vector<const VelaOperator*> all;
  for (const VelaOperator& op : model.operators) all.push_back(&op);
  std::shared_ptr<EthosURegions> shared;
  if (share_constants(model.operators)) {
    NPUBIN_TRY(shared, make_regions(all));
  }
  std::vector<std::shared_ptr<EthosUProgram>> out;
  for (graph::Node& node : graph.nodes) {
    if (node.op != graph::Op::EthosU) continue;
    const auto op = std::find_if(all.begin(), all.end(), [&](const VelaOperator* candidate) {
      return candidate->subgraph == 0 && static_cast<std::int64_t>(candidate->index) == node.source_index;
    });
    if (op == all.end())
      return malformed({}, fmt::format("operator {} has no Ethos-U job", node.source_index));
    const OperatorView& view = document.subgraphs()[0].operators[(*op)->index];
    NPUBIN_TRY(auto inputs, positions((*op)->input_tensors, view.inputs, 4));
    NPUBIN_TRY(auto outputs, positions((*op)->output_tensors, view.outputs, 0));
    std::shared_ptr<EthosURegions> regions = shared;
    if (regions == nullptr) {
      NPUBIN_TRY(regions, make_regions({*op}));
    }
    out.push_back(
        std::make_shared<EthosUProgram>((*op)->job, std::move(inputs), std::move(outputs), regions));
    node.payload = std::shared_ptr<const graph::EmbeddedProgram>(out.back());
  }
  return out;
}

}  // namespace npubin::tflite
