// A file of bare command words, or of a bare COP1 payload: what a debugger or a driver dumps.
#pragma once

#include "artifact/truncation.h"
#include "ethosu/job.h"
#include "npubin/artifact.h"

namespace npubin::npub {

class BareStream final : public Artifact, public TruncationSource {
 public:
  static Confidence sniff(ByteSpan data);
  // Error: Refused for COP2; Malformed for a payload without a stream.
  static Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);

  std::string_view format() const override { return "ethosu"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<Node> disassemble(const DisasmOptions& options) const override;
  std::optional<Truncation> truncation() const override;

  // Regions are of unknown size and contents: addresses cannot be checked.
  const ethosu::Job& job() const { return job_; }

 private:
  ethosu::Job job_;
  bool cop1_ = false;
  std::uint64_t announced_end_ = 0;  // COP1: where the payload says that its stream ends
};

}  // namespace npubin::npub
