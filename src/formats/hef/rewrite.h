// Writing changed HEFs: edit, strip, other header versions. What is not asked for keeps its bytes; lengths,
// padding and hashes are computed anew.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/hef/document.h"

namespace npubin::hef {

struct Rewritten {
  std::vector<std::byte> bytes;
  std::vector<std::string> notes;  // what was done, and what follows from it
};

struct EditRequest {
  // nms.score_threshold, nms.iou_threshold, nms.max_proposals_per_class, nms.mask_threshold
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::pair<std::string, std::string>> rename_streams;  // old, new
  std::string op;  // which operator, where there are several; empty: the only one
};
// Error (Usage): an unknown key, a value out of range, an ambiguous operator, a name that is taken or too
// long. Error (Refused): what cannot be changed, with the reason (thresholds of detections on the chip).
// Error (Malformed): the file is damaged.
Result<Rewritten> edit(const HefArtifact& artifact, const EditRequest& request);

// Drops config words, external resources and the mapping graph, so that the rest can be shared.
Result<Rewritten> strip(const HefArtifact& artifact);

// The same document under another header version. Between 1, 2 and 3; version 0 has its config words inline
// and is refused, as is dropping external resources.
Result<Rewritten> rewrite_header_version(const HefArtifact& artifact, std::uint32_t version);

// The file again with another protobuf.
Result<std::vector<std::byte>> reassemble(const HefArtifact& artifact, std::vector<std::byte> proto);

}  // namespace npubin::hef
