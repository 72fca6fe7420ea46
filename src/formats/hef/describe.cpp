// npubin inspect of a HEF.
#include "formats/hef/document.h"
#include "formats/hef/facts.h"

namespace npubin::hef {

Result<Node> HefArtifact::describe(const DescribeOptions& options) const {
  if (!readable()) return fail(unreadable());
  const bool verify = options.verify || bytes_.size() < (std::uint64_t{64} << 20);
  Node root;
  root.field("format", "hef", {}, Detail::JsonOnly);
  root.field("hef", facts(*this, verify), {}, Detail::JsonOnly);
  return root;
}

}  // namespace npubin::hef
