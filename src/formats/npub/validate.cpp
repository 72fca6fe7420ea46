// check: first what the device's loader says, then what it leaves unsaid.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check.h"
#include "formats/npub/document.h"

namespace npubin::npub {
namespace {

void add(Diagnostics& out, Severity severity, const char* code, std::uint64_t offset, std::string path,
         std::string message, std::string hint = {}) {
  Diagnostic d;
  d.severity = severity;
  d.code = code;
  d.where = Location::at(offset, path);
  d.field = std::move(path);
  d.message = std::move(message);
  d.hint = std::move(hint);
  d.stage = Stage::Container;
  out.add(std::move(d));
}

std::optional<std::uint64_t> arena_of(const CheckOptions& options, Diagnostics& out) {
  const auto given = options.context.find("arena");
  if (given == options.context.end()) return std::nullopt;
  const std::string& text = given->second;
  std::uint64_t bytes = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (done.ec == std::errc() && done.ptr == text.data() + text.size()) return bytes;
  add(out, Severity::Error, "NPB-0112", 0, "", fmt::format("--arena {} is no number of bytes", text));
  return std::nullopt;
}

std::uint64_t descriptor_offset(std::size_t index) {
  return kHeaderBytes + index * kDescriptorBytes;
}

}  // namespace

void Document::validate(const CheckOptions& options, Diagnostics& out) const {
  for (const Diagnostic& finding : read_findings_.findings()) out.add(finding);
  const LoaderVerdict verdict = run_loader(bytes_.span(), arena_of(options, out));
  if (verdict.status != LoaderStatus::Ok) {
    Diagnostic d;
    d.code = verdict.code;
    d.where = Location::at(verdict.offset, verdict.field);
    d.field = verdict.field;
    d.message = verdict.message;
    d.hint = verdict.hint;
    d.stage = Stage::Loader;
    d.vendor = {std::string(to_string(verdict.status)),
                fmt::format("0x{:x}", static_cast<std::uint32_t>(verdict.status))};
    out.add(std::move(d));
  }
  if (!header_ || header_->magic != kMagic) return;
  check_layout(out);
  check_regions(out);
  check_overlaps(out);
  const auto io = options.context.find("io");
  check_interface(io == options.context.end() ? std::string() : io->second, out);
  // A stream whose container lies about it would only give findings that follow from that.
  const bool sound = verdict.status == LoaderStatus::Ok || verdict.status == LoaderStatus::NoMem ||
                     verdict.status == LoaderStatus::ChecksumMismatch;
  if (sound) check_stream(out);
}

void Document::check_layout(Diagnostics& out) const {
  const Header& h = *header_;
  if (h.total_bytes < bytes_.size())
    add(out, Severity::Warning, "NPB-0201", h.total_bytes, "total_bytes",
        fmt::format("{} bytes trail behind total_bytes ({}); the loader ignores them",
                    bytes_.size() - h.total_bytes, h.total_bytes),
        "the format's documentation says that total_bytes is the file's length");
  if (h.cmd_bytes % 4 != 0)
    add(out, Severity::Warning, "NPB-0202", 20, "cmd_bytes",
        fmt::format("cmd_bytes is {}, no multiple of 4: the last {} bytes are no word", h.cmd_bytes,
                    h.cmd_bytes % 4));
  if (h.cmd_offset % 16 != 0)
    add(out, Severity::Warning, "NPB-0203", 16, "cmd_offset",
        fmt::format("the command stream lies at 0x{:x}, {} bytes off 16-byte alignment: written to QBASE as "
                    "it is, the hardware "
                    "fetches from another address",
                    h.cmd_offset, h.cmd_offset % 16),
        "copy the stream to a 16-aligned buffer before starting, or pack the model again");
  if (!ethosu::accelerator_of(h.accel))
    add(out, Severity::Warning, "NPB-0208", 24, "accel",
        fmt::format("accel is {}; known are 32, 64, 128 and 256 MACs", h.accel),
        "the loader ignores the field");
  if (h.region_count == 0)
    add(out, Severity::Warning, "NPB-0214", 12, "region_count",
        "the blob has no regions: a stream can address nothing");
}

void Document::check_regions(Diagnostics& out) const {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const RegionDescriptor& region = regions_[i];
    const std::string path = fmt::format("regions[{}]", i);
    if (region.role > kOther)
      add(out, Severity::Warning, "NPB-0205", descriptor_offset(i), path + ".role",
          fmt::format("role {} is unknown (0 weights ... 4 other)", region.role), "the loader ignores roles");
    if ((region.flags & ~kFlagBaked) != 0)
      add(out, Severity::Warning, "NPB-0206", descriptor_offset(i) + 4, path + ".flags",
          fmt::format("flags 0x{:x} hold unknown bits 0x{:x}; only bit 0 (baked) is defined", region.flags,
                      region.flags & ~kFlagBaked),
          "a later loader may take them for something");
    if (region.baked() && region.size > 0 && region.data_offset % 16 != 0)
      add(out, Severity::Warning, "NPB-0204", descriptor_offset(i) + 12, path + ".data_offset",
          fmt::format("region {} lies at 0x{:x}, {} bytes off 16-byte alignment: the hardware wants every "
                      "base 16-aligned, and "
                      "drops the low address bits",
                      i, region.data_offset, region.data_offset % 16),
          "pack the model again: npubin aligns what it writes");
  }
  const auto trailing = trailing_region();
  if (trailing && *trailing + 1 != regions_.size())
    add(out, Severity::Warning, "NPB-0213", descriptor_offset(*trailing),
        fmt::format("regions[{}]", *trailing),
        "the region that describes inputs and outputs is not the last: it takes a base register from those "
        "behind it");
}

void Document::check_overlaps(Diagnostics& out) const {
  struct Part {
    std::uint64_t begin, end;
    std::string name;
    std::uint64_t where;
  };
  std::vector<Part> parts{
      {0, kHeaderBytes + std::uint64_t{regions_.size()} * kDescriptorBytes, "the header", 0}};
  parts.push_back({header_->cmd_offset, std::uint64_t{header_->cmd_offset} + header_->cmd_bytes,
                   "the command stream", 16});
  for (std::size_t i = 0; i < regions_.size(); ++i)
    if (regions_[i].baked() && regions_[i].size > 0)
      parts.push_back({regions_[i].data_offset, std::uint64_t{regions_[i].data_offset} + regions_[i].size,
                       fmt::format("region {}", i), descriptor_offset(i) + 12});
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = a + 1; b < parts.size(); ++b)
      if (parts[a].begin < parts[b].end && parts[b].begin < parts[a].end)
        add(out, Severity::Warning, "NPB-0207", parts[b].where, parts[b].name,
            fmt::format("{} (0x{:x}..0x{:x}) overlaps {} (0x{:x}..0x{:x})", parts[b].name, parts[b].begin,
                        parts[b].end, parts[a].name, parts[a].begin, parts[a].end),
            "offsets or sizes are wrong, unless sharing is meant");
}

void Document::check_stand_in(const StandIn& s, Diagnostics& out) const {
  add(out, Severity::Info, "NPB-0209", header_->cmd_offset, "command_stream",
      fmt::format("the stream is the generator's stand-in, not Ethos-U code: {}", to_string(s)),
      "hardware cannot run it; npubin can");
  for (const auto& [name, index] : {std::pair{"source", s.source}, std::pair{"destination", s.destination}}) {
    if (index >= regions_.size())
      add(out, Severity::Error, "NPB-0210", header_->cmd_offset, "command_stream",
          fmt::format("the stand-in's {} is region {} of {}", name, index, regions_.size()));
    else if (s.count > regions_[index].size)
      add(out, Severity::Error, "NPB-0210", header_->cmd_offset, "command_stream",
          fmt::format("the stand-in takes {} bytes of region {}, which has {}", s.count, index,
                      regions_[index].size));
  }
}

void Document::check_interface(const std::string& io_file, Diagnostics& out) const {
  const auto found = interface(io_file);
  if (!found) {
    if (found.error().kind != ErrorKind::Refused) out.add(found.error(), Stage::Container);
    return;
  }
  for (const auto* list : {&found->inputs, &found->outputs})
    for (const ethosu::Binding& b : *list) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(count_of(b.shape)) * size_of(b.type);
      const std::uint64_t size = b.region < regions_.size() ? regions_[b.region].size : 0;
      if (b.offset <= size && bytes <= size - b.offset) continue;
      add(out, Severity::Error, "NPB-0303", 0, b.name,
          fmt::format("{}: tensor {} of {} bytes at 0x{:x} leaves region {} ({} bytes)", found->source,
                      b.name, bytes, b.offset, b.region, size),
          "the description belongs to another blob");
    }
}

void Document::check_stream(Diagnostics& out) const {
  if (const auto found = stand_in()) return check_stand_in(*found, out);
  std::optional<ethosu::OptimizerConfig> config;
  const auto job = bare_job(out, &config);
  if (!job) {
    out.add(job.error(), Stage::Container);
    return;
  }
  if (config && job->accelerator && config->macs() != header_->accel)
    add(out, Severity::Error, "NPB-0215", 24, "accel",
        fmt::format("accel is {} where the COP1 payload is for {} MACs", header_->accel, config->macs()),
        "the driver refuses a payload of another configuration");
  ethosu::check_job(*job, out);
}

}  // namespace npubin::npub
