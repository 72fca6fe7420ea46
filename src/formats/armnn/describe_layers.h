// The list of layers for `npubin inspect -v`.
#pragma once

#include "npubin/describe.h"

namespace npubin::armnn {

class ArmnnDocument;
struct Import;

// Each layer in file order with index, type, name, connections, results and descriptor in the schema's words.
Node describe_layers(const ArmnnDocument& document, const Import& import);

}  // namespace npubin::armnn
