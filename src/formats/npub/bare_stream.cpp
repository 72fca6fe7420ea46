#include "formats/npub/bare_stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check.h"
#include "ethosu/commands.h"
#include "ethosu/cop1.h"
#include "ethosu/listing.h"

namespace npubin::npub {
namespace {

// Eight regions of which nothing is known: as large as an address reaches.
std::vector<ethosu::Region> unknown_regions() {
  std::vector<ethosu::Region> out;
  for (std::uint32_t i = 0; i < 8; ++i) out.push_back({i, std::uint64_t{1} << 40, {}, false, "unknown"});
  return out;
}

}  // namespace

Confidence BareStream::sniff(ByteSpan data) {
  if (ethosu::is_cop1(data) || ethosu::is_cop2(data)) return Confidence::Certain;
  constexpr std::size_t kLookAt = 64 * 4;
  if (data.size() < 8 || data.size() % 4 != 0) return Confidence::No;
  const std::vector<std::uint32_t> words = ethosu::words_of(data.first(std::min(data.size(), kLookAt)));
  std::size_t registers = 0;
  for (std::size_t at = 0; at < words.size();) {
    const ethosu::Command command = ethosu::decode_command(words, at);
    if (command.truncated && words.size() * 4 < data.size()) break;  // cut by this look, not by the file
    if (command.kind == nullptr || command.truncated) return Confidence::No;
    registers += command.kind->is_operation() ? 0 : 1;
    at += command.words;
  }
  return registers > 0 ? Confidence::Plausible : Confidence::No;
}

Result<std::unique_ptr<Artifact>> BareStream::read(Bytes data, const ReadOptions& options) {
  NPUBIN_CHECK(ethosu::check_stream_size(data.size(), 0));
  auto out = std::make_unique<BareStream>();
  out->bytes_ = std::move(data);
  out->file_name_ = options.file_name;
  ethosu::Job& job = out->job_;
  job.name = options.file_name.substr(options.file_name.find_last_of('/') + 1);
  job.regions = unknown_regions();
  const ByteSpan span = out->bytes_.span();
  if (ethosu::is_cop1(span) || ethosu::is_cop2(span)) {
    NPUBIN_TRY(ethosu::Cop1 payload, ethosu::read_cop1(span, 0, out->read_findings_));
    out->announced_end_ = (std::uint64_t{payload.stream_word} + payload.announced) * 4;
    job.words = std::move(payload.words);
    job.stream_offset = payload.stream_word * 4;
    if (payload.config) job.accelerator = ethosu::accelerator_of(payload.config->macs());
    out->cop1_ = true;
    return std::unique_ptr<Artifact>(std::move(out));
  }
  job.words = ethosu::words_of(span);
  if (span.size() % 4 != 0) {
    Diagnostic finding;
    finding.severity = Severity::Warning;
    finding.code = "ETU-0001";
    finding.where = Location::at(span.size() / 4 * 4);
    finding.message = fmt::format("the file has {} bytes, no whole number of words", span.size());
    finding.stage = Stage::Container;
    out->add_read_finding(std::move(finding));
  }
  return std::unique_ptr<Artifact>(std::move(out));
}

std::optional<Truncation> BareStream::truncation() const {
  const std::uint64_t size = bytes_.size();
  if (announced_end_ > size) return Truncation{size, announced_end_, "by COMMAND_STREAM"};
  if (size % 4 != 0) return Truncation{size, size / 4 * 4 + 4, "in words of 4"};
  for (std::size_t at = 0; at < job_.words.size();) {
    const ethosu::Command command = ethosu::decode_command(job_.words, at);
    if (command.truncated)
      return Truncation{size, size + 4, fmt::format("by the two-word command at word {}", at)};
    at += command.words;
  }
  return std::nullopt;
}

void BareStream::validate(const CheckOptions&, Diagnostics& out) const {
  for (const Diagnostic& finding : read_findings_.findings()) out.add(finding);
  ethosu::check_job(job_, out);
}

Result<Node> BareStream::describe(const DescribeOptions&) const {
  Node node("ethosu");
  node.field("format", "ethosu", {}, Detail::JsonOnly);
  node.field("file", cop1_ ? "Ethos-U55 driver payload (COP1)" : "Ethos-U55 command words", {},
             Detail::TextOnly);
  node.field("payload", cop1_ ? "cop1" : "raw", {}, Detail::JsonOnly);
  if (job_.accelerator) node.field("accelerator", ethosu::configuration(*job_.accelerator).name);
  node.children.push_back(ethosu::summarize_job(job_));
  return node;
}

Result<ByteMap> BareStream::map() const {
  ByteMap map;
  const std::uint64_t stream = job_.words.size() * 4;
  if (cop1_) map.add(0, job_.stream_offset, "payload", "COP1 head");
  map.add(job_.stream_offset, stream, "command_stream");
  map.finish(bytes_.size());
  return map;
}

Result<Node> BareStream::disassemble(const DisasmOptions& options) const {
  Node node("disasm");
  if (!options.raw) node.field("payload", cop1_ ? "cop1" : "raw");
  Node& streams = node.child("streams");
  streams.list = true;
  streams.children.push_back(ethosu::list_job(job_, options));
  return node;
}

}  // namespace npubin::npub
