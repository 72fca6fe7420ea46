// A file of bare command words, or of a bare COP1 payload: what a debugger or a driver dumps.
#pragma once

#include "ethosu/job.h"
#include "npubin/artifact.h"

namespace npubin::npub {

class BareStream final : public Artifact {
 public:
  static Confidence sniff(ByteSpan data);
  // Error: Refused for COP2; Malformed for a payload without a stream.
  static Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);

  std::string_view format() const override { return "ethosu"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<Node> disassemble(const DisasmOptions& options) const override;

  // Regions are of unknown size and contents: addresses cannot be checked.
  const ethosu::Job& job() const { return job_; }

 private:
  ethosu::Job job_;
  bool cop1_ = false;
};

}  // namespace npubin::npub
