#include "formats/npub/document.h"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "core/bounded_file.h"
#include "ethosu/accelerator.h"
#include "ethosu/listing.h"

namespace npubin::npub {

std::unique_ptr<Document> Document::read(Bytes data, const ReadOptions& options) {
  auto out = std::make_unique<Document>();
  out->bytes_ = std::move(data);
  out->file_name_ = options.file_name;
  const ByteSpan span = out->bytes_.span();
  if (span.size() < kHeaderBytes) return out;
  out->header_ = load_header(span.data());
  const std::size_t fit = (span.size() - kHeaderBytes) / kDescriptorBytes;
  // More than the loader takes are kept for the report, but never more than a nonsensical count is worth.
  const std::size_t count = std::min<std::size_t>({out->header_->region_count, fit, 64});
  for (std::size_t i = 0; i < count; ++i)
    out->regions_.push_back(load_descriptor(span.data() + kHeaderBytes + i * kDescriptorBytes));
  return out;
}

std::optional<Truncation> Document::truncation() const {
  const std::uint64_t size = bytes_.size();
  if (!header_) return Truncation{size, kHeaderBytes, "the header alone"};
  if (header_->magic != kMagic || header_->total_bytes <= size) return std::nullopt;
  return Truncation{size, header_->total_bytes, "by header.total_bytes"};
}

Bytes Document::stream_bytes() const {
  if (!header_ || header_->cmd_offset > bytes_.size()) return {};
  return bytes_.slice(header_->cmd_offset,
                      std::min<std::size_t>(header_->cmd_bytes, bytes_.size() - header_->cmd_offset));
}

Bytes Document::region_bytes(std::size_t index) const {
  const RegionDescriptor& region = regions_[index];
  if (!region.baked() || region.data_offset > bytes_.size() ||
      region.size > bytes_.size() - region.data_offset)
    return {};
  return bytes_.slice(region.data_offset, region.size);
}

std::uint64_t Document::region_bytes_left(std::size_t index) const {
  const RegionDescriptor& region = regions_[index];
  if (!region.baked() || region.data_offset > bytes_.size()) return 0;
  return std::min<std::uint64_t>(region.size, bytes_.size() - region.data_offset);
}

std::vector<ArenaPlace> Document::arena() const {
  std::vector<ArenaPlace> out;
  std::uint64_t used = 0;
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    if (regions_[i].baked()) continue;
    const std::uint64_t offset = (used + kArenaAlign - 1) / kArenaAlign * kArenaAlign;
    out.push_back({i, offset, regions_[i].size});
    used = offset + regions_[i].size;
  }
  return out;
}

std::uint64_t Document::arena_bytes() const {
  const std::vector<ArenaPlace> places = arena();
  return places.empty() ? 0 : places.back().offset + places.back().size;
}

std::optional<std::size_t> Document::trailing_region() const {
  for (std::size_t i = regions_.size(); i-- > 0;)
    if (regions_[i].role == kOther && regions_[i].baked() && from_trailing_region(region_bytes(i))) return i;
  return std::nullopt;
}

std::optional<StandIn> Document::stand_in() const {
  const Bytes stream = stream_bytes();
  if (stream.size() != 20) return std::nullopt;
  return recognise_stand_in(ethosu::words_of(stream.span()));
}

bool Document::is_cop1() const {
  return ethosu::is_cop1(stream_bytes().span());
}

Result<Interface> Document::interface(const std::string& io_file) const {
  if (!io_file.empty()) {
    NPUBIN_TRY(const Bytes json, open_bounded(io_file));
    return read_interface(json.text(), io_file);
  }
  struct stat status {};
  if (!file_name_.empty() && file_name_ != "-" && ::stat(sidecar_name().c_str(), &status) == 0 &&
      S_ISREG(status.st_mode)) {
    NPUBIN_TRY(const Bytes json, open_bounded(sidecar_name()));
    return read_interface(json.text(), sidecar_name());
  }
  if (const auto index = trailing_region())
    return read_interface(*from_trailing_region(region_bytes(*index)), fmt::format("region {}", *index));
  return refused("nothing says where inputs and outputs lie: the container has no place for it",
                 fmt::format("give --io FILE, or put {} beside the file", sidecar_name()), {}, "NPB-0302");
}

Result<std::vector<std::uint32_t>> Document::words(std::uint64_t& stream_offset, Diagnostics& findings,
                                                   std::optional<ethosu::OptimizerConfig>* config) const {
  const Bytes stream = stream_bytes();
  NPUBIN_CHECK(ethosu::check_stream_size(stream.size(), stream_offset));
  if (!ethosu::is_cop1(stream.span()) && !ethosu::is_cop2(stream.span()))
    return ethosu::words_of(stream.span());
  NPUBIN_TRY(ethosu::Cop1 payload, ethosu::read_cop1(stream.span(), stream_offset, findings));
  stream_offset += payload.stream_word * 4;
  if (config != nullptr) *config = payload.config;
  return std::move(payload.words);
}

Result<ethosu::Job> Document::bare_job(Diagnostics& findings,
                                       std::optional<ethosu::OptimizerConfig>* config) const {
  if (!header_)
    return malformed(
        Location::at(0),
        fmt::format("the file has {} bytes; the header alone has {}", bytes_.size(), kHeaderBytes),
        "the file is empty or cut off: transfer it again", "NPB-0101");
  ethosu::Job job;
  const std::size_t slash = file_name_.find_last_of('/');
  job.name = slash == std::string::npos ? file_name_ : file_name_.substr(slash + 1);
  job.stream_offset = header_->cmd_offset;
  NPUBIN_TRY(job.words, words(job.stream_offset, findings, config));
  job.accelerator = ethosu::accelerator_of(header_->accel);
  for (std::uint32_t i = 0; i < regions_.size() && i < kMaxRegions; ++i) {
    const RegionDescriptor& region = regions_[i];
    job.regions.push_back(
        {i, region.size, region_bytes(i), region.baked(), std::string(role_name(region.role))});
  }
  return job;
}

Result<ethosu::Job> Document::job(const std::string& io_file) const {
  if (const LoaderVerdict verdict = run_loader(bytes_.span()); verdict.status != LoaderStatus::Ok)
    return malformed(Location::at(verdict.offset, verdict.field), verdict.message, verdict.hint,
                     verdict.code);
  if (stand_in())
    return refused("the file holds its generator's stand-in, which is no Ethos-U code", "",
                   Location::at(header_->cmd_offset), "NPB-0209");
  Diagnostics ignored;
  NPUBIN_TRY(ethosu::Job job, bare_job(ignored));
  auto bindings = interface(io_file);
  if (!bindings && bindings.error().kind != ErrorKind::Refused)
    return Unexpected(std::move(bindings).error());
  if (!bindings) return job;
  job.inputs = bindings->inputs;
  job.outputs = bindings->outputs;
  for (const auto* list : {&job.inputs, &job.outputs})
    for (const ethosu::Binding& b : *list)
      job.tensors.push_back(
          {b.region, b.offset, static_cast<std::uint64_t>(count_of(b.shape)) * size_of(b.type), b.name});
  return job;
}

Result<Node> Document::disassemble(const DisasmOptions& options) const {
  if (const auto found = stand_in()) {
    Node node("disasm");
    node.field("payload", "stand-in");
    Node& stream = node.child("stand_in", "stand-in of the format's generator (no Ethos-U code)");
    stream.lines.push_back(to_string(*found));
    return node;
  }
  Diagnostics ignored;
  NPUBIN_TRY(ethosu::Job job, bare_job(ignored));
  if (auto bindings = interface()) {
    for (const auto* list : {&bindings->inputs, &bindings->outputs})
      for (const ethosu::Binding& b : *list)
        job.tensors.push_back(
            {b.region, b.offset, static_cast<std::uint64_t>(count_of(b.shape)) * size_of(b.type), b.name});
  }
  Node node("disasm");
  if (!options.raw) node.field("payload", is_cop1() ? "cop1" : "raw");
  Node& streams = node.child("streams");
  streams.list = true;
  streams.children.push_back(ethosu::list_job(job, options));
  return node;
}

Confidence sniff(ByteSpan data) {
  if (data.size() < 4 || load<std::uint32_t>(data.data()) != kMagic) return Confidence::No;
  return Confidence::Certain;
}

Result<std::unique_ptr<Artifact>> read_artifact(Bytes data, const ReadOptions& options) {
  return std::unique_ptr<Artifact>(Document::read(std::move(data), options));
}

}  // namespace npubin::npub
