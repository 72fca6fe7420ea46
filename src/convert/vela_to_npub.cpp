#include "convert/vela_to_npub.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/commands.h"
#include "ethosu/cop1.h"

namespace npubin::convert {
namespace {

// What stands in the way, all at once.
Result<void> check_fully_mapped(const tflite::VelaModel& model) {
  std::string list;
  if (model.operators.empty())
    return refused(
        fmt::format("the model was not compiled by Vela: none of its {} operators is an ethos-u "
                    "operator",
                    model.cpu_operators.size()),
        "compile it first, for example `vela --accelerator-config ethos-u55-256 MODEL.tflite`, and "
        "pack what it writes");
  for (const tflite::CpuOperator& op : model.cpu_operators)
    list += fmt::format("{}{} (operator {})", list.empty() ? "" : ", ", op.name, op.index);
  if (!list.empty())
    return refused(
        fmt::format("{} of the model's operators stay on the CPU: {}", model.cpu_operators.size(), list),
        "an .npub holds one Ethos-U job and nothing else: change the model until Vela maps all of it");
  if (model.operators.size() != 1) {
    for (const tflite::VelaOperator& op : model.operators)
      list +=
          fmt::format("{}operator {} ({} words)", list.empty() ? "" : ", ", op.index, op.job.words.size());
    return refused(fmt::format("the model has {} ethos-u operators: {}", model.operators.size(), list),
                   "an .npub holds one Ethos-U job");
  }
  return {};
}

bool uses_region(const ethosu::Job& job, std::uint32_t index) {
  for (std::size_t at = 0; at < job.words.size();) {
    const ethosu::Command command = ethosu::decode_command(job.words, at);
    at += command.words;
    if (command.kind == nullptr) continue;
    for (const ethosu::CommandField& field : command.kind->fields)
      if (field.name == "region" && field.get(command.word0) == index && (command.param() & 0x100u) == 0)
        return true;
  }
  return false;
}

Result<npub::RegionPart> region_part(const ethosu::Region& region) {
  if (region.size > 0xFFFFFFFFu)
    return refused(
        fmt::format("region {} has {} bytes; an .npub counts with 32 bits", region.index, region.size));
  npub::RegionPart part;
  part.role = region.read_only ? npub::kWeights : npub::kScratch;
  part.flags = region.read_only ? npub::kFlagBaked : 0;
  part.size = static_cast<std::uint32_t>(region.size);
  if (region.read_only) part.data = region.initial;
  return part;
}

}  // namespace

Result<PackedModel> to_npub(const tflite::TfliteDocument& document, const NpubOptions& options) {
  Diagnostics findings;
  NPUBIN_TRY(const tflite::VelaModel model, tflite::read_vela(document, findings));
  NPUBIN_CHECK(check_fully_mapped(model));
  const tflite::VelaOperator& op = model.operators[0];
  for (const Diagnostic& finding : findings.findings())
    if (finding.severity == Severity::Error)
      return malformed(finding.where, finding.message, finding.hint, finding.code);
  if (!op.job.accelerator)
    return refused("the payload does not say which accelerator the stream is for", "compile the model again");
  if (options.accelerator && *options.accelerator != *op.job.accelerator)
    return usage_error(fmt::format("--accel {} contradicts the stream, which is compiled for {}",
                                   static_cast<unsigned>(*options.accelerator),
                                   ethosu::configuration(*op.job.accelerator).name),
                       "compile the model for it with Vela");
  PackedModel out;
  out.parts.accel = static_cast<std::uint32_t>(*op.job.accelerator);
  std::vector<std::byte> stream = ethosu::bytes_of(op.job.words);
  if (options.cop1) {
    NPUBIN_TRY(stream, ethosu::write_cop1(op.job.words, *op.job.accelerator));
  }
  out.parts.stream = Bytes::own(std::move(stream));
  npub::SidecarFacts facts;
  facts.accelerator = std::string(ethosu::configuration(*op.job.accelerator).name);
  facts.payload = options.cop1 ? "cop1" : "raw";
  // The fast memory is a region of the blob only where it is memory of its own and is used.
  const bool fast = uses_region(op.job, 2);
  if (fast && !op.dedicated_fast_memory)
    return refused(
        "the stream uses region 2 as another name for the scratch area, which an .npub cannot express",
        "compile with --memory-mode Shared_Sram or Dedicated_Sram");
  for (const ethosu::Region& region : op.job.regions) {
    if (region.index == 2 && !fast) continue;
    NPUBIN_TRY(npub::RegionPart part, region_part(region));
    facts.regions.push_back(
        {region.index, std::string(npub::role_name(part.role)), region.read_only, region.size});
    out.parts.regions.push_back(std::move(part));
  }
  npub::Interface interface;
  interface.model = options.model_name;
  if (!model.version.empty()) interface.compiler = "Vela " + model.version;
  interface.inputs = op.job.inputs;
  interface.outputs = op.job.outputs;
  if (options.describe) {
    const std::vector<std::byte> region = npub::to_trailing_region(npub::write_interface(interface, facts));
    facts.regions.push_back(
        {static_cast<std::uint32_t>(out.parts.regions.size()), "other", true, region.size()});
    out.parts.regions.push_back(
        {npub::kOther, npub::kFlagBaked, static_cast<std::uint32_t>(region.size()), Bytes::own(region), {}});
  }
  out.sidecar = npub::write_interface(interface, facts);
  return out;
}

}  // namespace npubin::convert
