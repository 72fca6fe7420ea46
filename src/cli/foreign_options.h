// Options that mean something for some formats only. Given for a file of another format they are refused:
// silence would look like an answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npubin/artifact.h"

namespace npubin::cli {

// Those of `given` ("--raw") that `verb` has no use for with a file of this format, a sentence each:
// "--raw belongs to Ethos-U command streams (npub, ethosu, tflite); this file is hef".
std::vector<std::string> foreign_options(std::string_view verb, const std::vector<std::string>& given,
                                         const Artifact& artifact);
// The first of them as a usage error.
Result<void> refuse_foreign_options(std::string_view verb, const std::vector<std::string>& given,
                                    const Artifact& artifact);

}  // namespace npubin::cli
