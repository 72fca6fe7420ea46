// Checks over the imported graph, and against the releases of Arm NN.
#pragma once

#include <string>

#include "formats/armnn/import.h"
#include "npubin/diagnostics.h"

namespace npubin::armnn {

class ArmnnDocument;

// Shapes recomputed against those stored, types against what the reference backend accepts, sense of the
// quantisation, unused layers and outputs that depend on no input.
void check_graph(const LayerList& list, const Import& import, Diagnostics& findings);

// Whether a release of Arm NN loads and runs the file: "armnn-20.08", "seed" or a bare "20.08".
void check_target(const ArmnnDocument& document, const std::string& target, Diagnostics& findings);

}  // namespace npubin::armnn
