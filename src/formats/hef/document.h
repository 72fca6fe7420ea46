// A HEF as a document: container, wire report and model of one file.
#pragma once

#include <mutex>
#include <optional>

#include "artifact/truncation.h"
#include "formats/hef/container.h"
#include "formats/hef/model.h"
#include "npubin/artifact.h"

namespace npubin::hef {

class HefArtifact final : public Artifact, public TruncationSource {
 public:
  HefArtifact(Bytes data, const ReadOptions& options);
  static Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);

  std::string_view format() const override { return "hef"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<std::vector<ContentPart>> contents() const override;
  Result<Node> disassemble(const DisasmOptions& options) const override;
  std::optional<Truncation> truncation() const override;

  const Container& container() const { return container_; }
  // ProtoHEFHef; empty where the header is not complete.
  const Message& document() const { return document_; }
  const WireReport& wire() const { return wire_; }
  // Whether there is a document to speak of: a complete header and a protobuf that parses.
  bool readable() const {
    return container_.header_complete && container_.proto_complete() && wire_.parses();
  }
  // Why not, as an error. Precondition: !readable().
  Error unreadable() const;
  const Model& model() const { return model_; }
  // Verified once, on demand.
  const HashReport& hashes() const;

 private:
  Container container_;
  Message document_;
  WireReport wire_;
  Model model_;
  mutable std::once_flag hashes_once_;
  mutable HashReport hashes_;
};

// An external resource's bytes; empty: it does not lie inside the file.
std::optional<ByteSpan> resource_bytes(const HefArtifact& artifact, const ExternalResource& resource);
// Its hash against its bytes; Mismatch where it does not lie inside the file.
HashStatus resource_status(const HefArtifact& artifact, const ExternalResource& resource, bool verify);

// Content of the sniffers: the magic, or a header that adds up.
Confidence sniff(ByteSpan data);
// Every code that this format reports, sorted.
std::span<const DiagnosticCode> diagnostic_codes();

// Paths in the description whose values follow from others (lengths, checksums): `diff` leaves them out.
std::vector<std::string> derived_paths();

// The registry's entry.
Format format_entry();

}  // namespace npubin::hef
