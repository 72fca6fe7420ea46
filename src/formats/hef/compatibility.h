// Whether a file runs on a chip, and which HailoRT opens it: one sentence.
#pragma once

#include <string>

#include "formats/hef/document.h"

namespace npubin::hef {

struct Answer {
  bool yes = false;
  std::string sentence;
};

// Does the file run on that chip? Error (Usage): an unknown chip.
Result<Answer> runs_on(const HefArtifact& artifact, std::string_view target);
// Does that release of HailoRT open it, for `target` or, where that is empty, for the chip it was built for?
// Error (Usage): an unknown release or chip.
Result<Answer> opened_by(const HefArtifact& artifact, std::string_view release, std::string_view target);
// Why a release does not open a document; empty: it does. `family`: of the chip in question.
std::string refusal_of(const Model& model, std::uint32_t header_version, const Release& release,
                       ChipFamily family);
// The releases of the document's line that open it, as "4.20 to 4.23"; empty: none.
std::string opening_releases(const HefArtifact& artifact);

// --target and --runtime of `check` as findings; nothing where neither is given.
void answer_into(const HefArtifact& artifact, const CheckOptions& options, Diagnostics& out);
// The same for `inspect`, from DescribeOptions::context "target" and "runtime". Empty: neither is given.
Result<std::string> answer_for(const HefArtifact& artifact,
                               const std::multimap<std::string, std::string>& context);

}  // namespace npubin::hef
