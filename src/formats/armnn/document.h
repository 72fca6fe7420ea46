// An .armnn file: the lossless document, and the graph inside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/armnn/layers.h"
#include "formats/armnn/recognise.h"
#include "npubin/artifact.h"
#include "npubin/graph.h"

namespace npubin::armnn {

class ArmnnDocument final : public Artifact, public graph::GraphSource {
 public:
  // Error (Malformed): the FlatBuffer's structure is broken somewhere; nothing after that can be trusted.
  static Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);

  std::string_view format() const override { return "armnn"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<npubin::Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<std::vector<ContentPart>> contents() const override;
  // Rules::ArmNn. Error (Malformed): validate() finds errors; the first is given.
  Result<graph::Graph> graph(Diagnostics& findings) const override;

  const FlatBuffer& file() const { return file_; }
  const Reading& reading() const { return vote_.reading; }
  const AgeEvidence& age() const { return age_; }
  const LayerList& list() const { return list_; }
  const NumberingVote& numbering() const { return vote_; }

 private:
  ArmnnDocument() = default;
  Result<void> load();

  FlatBuffer file_;
  NumberingVote vote_;
  AgeEvidence age_;
  LayerList list_;
};

}  // namespace npubin::armnn
