// Layers under the names that older schemas have for them.
#pragma once

#include <string>

#include "formats/armnn/age.h"
#include "formats/armnn/record.h"

namespace npubin::armnn {

// The LayerBase of a layer's record; Input and Output nest it one deeper. Null where it is missing.
Record* base_of(Record& layer);

// Turns a layer into an equivalent one that `target` knows, where there is one; others are left as they are
// and refused when they are written.
void rewrite_for_age(Record& layer, Age target);

}  // namespace npubin::armnn
