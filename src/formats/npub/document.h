// An .npub file as a lossless document (npub spec).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/truncation.h"
#include "ethosu/cop1.h"
#include "ethosu/job.h"
#include "formats/npub/interface.h"
#include "formats/npub/layout.h"
#include "formats/npub/loader.h"
#include "formats/npub/stand_in.h"
#include "npubin/artifact.h"

namespace npubin::npub {

class Document final : public Artifact, public TruncationSource {
 public:
  // Never fails: whatever the header says wrongly is for validate() to report.
  static std::unique_ptr<Document> read(Bytes data, const ReadOptions& options);

  std::string_view format() const override { return "npub"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<std::vector<ContentPart>> contents() const override;
  Result<Node> disassemble(const DisasmOptions& options) const override;
  std::optional<Truncation> truncation() const override;

  // Nothing where the file is shorter than the header.
  const std::optional<Header>& header() const { return header_; }
  // The descriptors that the file holds, at most one per 16 bytes of it.
  const std::vector<RegionDescriptor>& regions() const { return regions_; }
  // The command stream's bytes, as far as they lie in the file.
  Bytes stream_bytes() const;
  // A baked region's bytes; empty for others and where they leave the file.
  Bytes region_bytes(std::size_t index) const;
  // How many of a baked region's bytes the file holds; less than its size where the file is truncated.
  std::uint64_t region_bytes_left(std::size_t index) const;
  // Run-time regions in the arena, by the loader's rule, and the arena's size.
  std::vector<ArenaPlace> arena() const;
  std::uint64_t arena_bytes() const;
  // Index of the trailing region that describes inputs and outputs.
  std::optional<std::size_t> trailing_region() const;

  // The generator's stand-in instead of Ethos-U code.
  std::optional<StandIn> stand_in() const;
  // Whether the stream is wrapped in a COP1 payload.
  bool is_cop1() const;

  // Where inputs and outputs lie: from `io_file` (--io) where given, else the sidecar NAME.npub.json, else
  // the trailing region. Error: Refused where none of them is there; Malformed or Io where one is bad.
  Result<Interface> interface(const std::string& io_file = {}) const;

  // The job as the listing, the checker and the machine take it. Bindings are empty where interface() is
  // Refused. Error: Malformed where the loader would refuse the file; Refused for COP2 payloads and the
  // stand-in, which is no Ethos-U code.
  Result<ethosu::Job> job(const std::string& io_file = {}) const;

 private:
  std::string sidecar_name() const { return file_name_ + ".json"; }
  Result<std::vector<std::uint32_t>> words(std::uint64_t& stream_offset, Diagnostics& findings,
                                           std::optional<ethosu::OptimizerConfig>* config = nullptr) const;
  // A job without its interface, from what the file holds; `findings` takes what the payload's reader says.
  Result<ethosu::Job> bare_job(Diagnostics& findings,
                               std::optional<ethosu::OptimizerConfig>* config = nullptr) const;

  void check_layout(Diagnostics& out) const;
  void check_regions(Diagnostics& out) const;
  void check_overlaps(Diagnostics& out) const;
  void check_stand_in(const StandIn& stand_in, Diagnostics& out) const;
  void check_interface(const std::string& io_file, Diagnostics& out) const;
  void check_stream(Diagnostics& out) const;

  std::optional<Header> header_;
  std::vector<RegionDescriptor> regions_;
};

// For the registry.
Confidence sniff(ByteSpan data);
Result<std::unique_ptr<Artifact>> read_artifact(Bytes data, const ReadOptions& options);
std::span<const DiagnosticCode> codes();

}  // namespace npubin::npub
