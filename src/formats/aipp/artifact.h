// An AIPP config as a document: the text that was read, its values, and what reading it noticed.
#pragma once

#include <memory>
#include <optional>

#include "formats/aipp/config.h"
#include "npubin/artifact.h"

namespace npubin::aipp {

class AippArtifact final : public Artifact {
 public:
  AippArtifact(Bytes bytes, std::string file_name);

  std::string_view format() const override { return "aipp"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<std::vector<ContentPart>> contents() const override;

  // The values; Error (Malformed) with the position where the text cannot be read.
  Result<const Config*> config() const;

 private:
  Config config_;
  std::optional<ParseFault> fault_;
};

Confidence sniff(ByteSpan data);
Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);

}  // namespace npubin::aipp
