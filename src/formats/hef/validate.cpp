// npubin check of a HEF: all passes, in HailoRT's order.
#include "formats/hef/compatibility.h"
#include "formats/hef/findings.h"

namespace npubin::hef {

void HefArtifact::validate(const CheckOptions& options, Diagnostics& out) const {
  Findings findings(*this, out);
  answer_into(*this, options, out);
  for (const Diagnostic& finding : read_findings_.findings()) out.add(finding);
  check_container(findings);
  check_wire(findings);
  if (!readable()) return;
  check_compatibility(findings);
  check_groups(findings);
  check_config_words(findings);
  check_resources(findings);
}

}  // namespace npubin::hef
