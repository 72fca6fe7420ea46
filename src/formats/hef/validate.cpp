#include "formats/hef/document.h"
namespace npubin::hef {
void HefArtifact::validate(const CheckOptions&, Diagnostics& out) const {
  for (const Diagnostic& finding : read_findings_.findings()) out.add(finding);
}
Result<ByteMap> HefArtifact::map() const {
  ByteMap m;
  m.finish(bytes_.size());
  return m;
}
Result<Node> HefArtifact::disassemble(const DisasmOptions&) const {
  return Node();
}
}  // namespace npubin::hef
