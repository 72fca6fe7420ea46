// Recognition of the age: first how the bytes are to be read, then, from what was read, when they can have
// been written.
#pragma once

#include <string>
#include <vector>

#include "formats/armnn/flatbuffer.h"
#include "formats/armnn/walk.h"
#include "npubin/artifact.h"

namespace npubin::armnn {

// How many layers agree, in union number and LayerBase.layerType, under the numbering that was chosen.
struct NumberingVote {
  Reading reading;
  std::uint64_t layers = 0;
  std::uint64_t agreeing = 0;
  bool distinguishes_1902 = false;  // some layer would disagree under 19.02's numbering
  bool old_convolution_seen = false, new_convolution_seen = false;
};

// base.layerType fits the member of the union that a layer is.
bool type_agrees(TableId table, std::int32_t layer_type);

// A tolerant look at the layers' types and at the convolution descriptors (armnn spec 2, rules 2, 2b, 3).
// Error: there is no root table, or no list of layers.
Result<NumberingVote> choose_reading(const FlatBuffer& file);

// By content only, looking at the first few layers. Certain for the identifier "ARMN" with a sane root.
Confidence sniff(ByteSpan data);

struct AgeEvidence {
  AgeRange range;
  std::vector<std::string> evidence;  // sentences, the decisive ones first
};
// When the file can have been written. Precondition: walk() has passed with this reading.
AgeEvidence date_file(const FlatBuffer& file, const NumberingVote& vote);

}  // namespace npubin::armnn
