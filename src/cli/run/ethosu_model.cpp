#include "cli/run/ethosu_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/npub/document.h"
#include "formats/tflite/document.h"
#include "formats/tflite/vela_program.h"

namespace npubin::cli {
namespace {

using programs::EthosUProgram;
using programs::EthosURegions;

// The generator's stand-in: region destination[i] = region source[i] (+ k modulo 256) (npub spec 2).
Result<ethosu::MachineRun> run_stand_in(const npub::StandIn& what, ethosu::Memory& memory) {
  NPUBIN_TRY(const ByteSpan from, memory.read(what.source, 0, what.count, "the stand-in's source"));
  NPUBIN_TRY(const auto to, memory.write(what.destination, 0, what.count, "the stand-in's destination"));
  const auto add =
      what.kind == npub::StandIn::Kind::AddConstant ? static_cast<std::uint8_t>(what.constant) : 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<std::byte>(static_cast<std::uint8_t>(static_cast<std::uint8_t>(from[i]) + add));
  ethosu::MachineRun run;
  run.operations = run.executed = 1;
  return run;
}

// A stand-in has no job; its regions are those of the file.
Result<ethosu::Job> stand_in_job(const npub::Document& document, const std::string& io_file) {
  ethosu::Job job;
  job.name = "stand-in";
  for (std::size_t i = 0; i < document.regions().size() && i < ethosu::kRegionCount; ++i) {
    const npub::RegionDescriptor& region = document.regions()[i];
    const Bytes initial = document.region_bytes(i);
    const bool baked = initial.size() != 0;
    job.regions.push_back({static_cast<std::uint32_t>(i), baked ? initial.size() : region.size, initial,
                           baked, fmt::format("role {}", region.role)});
  }
  auto interface = document.interface(io_file);
  if (!interface) {
    if (interface.error().kind != ErrorKind::Refused || !io_file.empty())
      return Unexpected(interface.error());
    return job;
  }
  job.inputs = interface->inputs;
  job.outputs = interface->outputs;
  return job;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i;
  return out;
}

// A microcontroller's memory has megabytes; a header that asks for more is damaged, and is not worth
// allocating.
constexpr std::uint64_t kMaxRegionBytes = std::uint64_t{256} << 20;

// Inputs and outputs lie inside their regions: found out before anything is allocated for them.
Result<void> check_bindings(const ethosu::Job& job) {
  for (const auto* bindings : {&job.inputs, &job.outputs})
    for (const ethosu::Binding& binding : *bindings) {
      NPUBIN_TRY(const std::int64_t count, element_count(binding.shape));
      const std::uint64_t bytes = static_cast<std::uint64_t>(count) * size_of(binding.type);
      const auto region = std::find_if(job.regions.begin(), job.regions.end(),
                                       [&](const ethosu::Region& r) { return r.index == binding.region; });
      if (region == job.regions.end() || binding.offset > region->size ||
          bytes > region->size - binding.offset)
        return malformed({},
                         fmt::format("'{}' {} at 0x{:x} does not lie inside region {}, which has {} bytes",
                                     binding.name, to_string(binding.shape), binding.offset, binding.region,
                                     region == job.regions.end() ? 0 : region->size),
                         "is the description of inputs and outputs that of this file?");
    }
  return {};
}

Result<EthosUModel> open_npub(const npub::Document& document, const std::string& io_file) {
  EthosUModel model;
  const auto stand_in = document.stand_in();
  auto opened = stand_in ? stand_in_job(document, io_file) : document.job(io_file);
  if (!opened) return Unexpected(std::move(opened).error());
  ethosu::Job job = *std::move(opened);
  if (job.inputs.empty() && job.outputs.empty())
    if (auto interface = document.interface(io_file); !interface)
      model.no_interface = std::move(interface).error();
  NPUBIN_CHECK(check_bindings(job));
  NPUBIN_TRY(ethosu::Memory memory, ethosu::Memory::create(job.regions, kMaxRegionBytes));
  auto regions = std::make_shared<EthosURegions>();
  regions->memory = std::move(memory);
  const std::size_t inputs = job.inputs.size(), outputs = job.outputs.size();
  auto program =
      std::make_shared<EthosUProgram>(std::move(job), in_order(inputs), in_order(outputs), regions);
  if (stand_in) {
    model.stand_in = npub::to_string(*stand_in);
    program->set_body([what = *stand_in](ethosu::Memory& shared, const ethosu::MachineOptions&) {
      return run_stand_in(what, shared);
    });
  }
  model.graph = programs::graph_of_program(program);
  model.programs.push_back(std::move(program));
  return model;
}

}  // namespace

bool is_ethosu_model(const Artifact& artifact) {
  if (dynamic_cast<const npub::Document*>(&artifact) != nullptr) return true;
  const auto* document = dynamic_cast<const tflite::TfliteDocument*>(&artifact);
  return document != nullptr && tflite::is_vela(*document);
}

Result<EthosUModel> open_ethosu_model(const Artifact& artifact, const std::string& io_file,
                                      Diagnostics& findings) {
  if (const auto* npub = dynamic_cast<const npub::Document*>(&artifact)) return open_npub(*npub, io_file);
  if (!io_file.empty())
    return usage_error("--io describes an .npub; a compiled .tflite says itself where its tensors lie");
  const auto& document = dynamic_cast<const tflite::TfliteDocument&>(artifact);
  EthosUModel model;
  NPUBIN_TRY(model.graph, document.graph(findings));
  Diagnostics repeated;  // the graph's import has told them
  NPUBIN_TRY(model.programs, tflite::attach_programs(model.graph, document, repeated));
  return model;
}

}  // namespace npubin::cli
