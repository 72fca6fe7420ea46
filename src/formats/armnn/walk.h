// A walk over every table, vector and string of an .armnn, checking each against the schema on the way.
//
// Verification, the byte map and conversion between ages are visitors of this one walk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/armnn/flatbuffer.h"
#include "formats/armnn/schema.h"
#include "npubin/result.h"

namespace npubin::armnn {

// By which schema the bytes are to be read. Everything but these three only ever grew, so that the newest
// schema reads all ages.
struct Reading {
  Age union_age = kNewestAge;    // V1902, V1905 (as well: seed) or newest: the numbering of the layer union
  bool old_convolution = false;  // slots 6 and 7 of the convolution descriptors are biasEnabled, dataLayout
  // The age at which a table's slots are looked up.
  Age slot_age(TableId table) const {
    return old_convolution && has_two_layouts(table) ? Age::Seed : kNewestAge;
  }
};

// One step on the way from the root: a field, and the element inside it where that is a vector.
struct WalkStep {
  const Slot* slot = nullptr;
  std::int64_t element = -1;
};

class WalkVisitor {
 public:
  virtual ~WalkVisitor() = default;
  // `path` is valid during the call only; see to_string below.
  virtual void table(TableId, const FlatTable&, const std::vector<WalkStep>& /*path*/) {}
  virtual void vector(const Slot&, const FlatVector&, std::size_t /*element_size*/,
                      const std::vector<WalkStep>& /*path*/) {}
  virtual void string(const Slot&, std::uint32_t /*position*/, std::string_view,
                      const std::vector<WalkStep>& /*path*/) {}
  // A slot that no known release has. Its meaning, and what it points to, are unknown.
  virtual void unknown_slot(TableId, const FlatTable&, unsigned /*slot*/,
                            const std::vector<WalkStep>& /*path*/) {}
};

// "layers[3].layer.descriptor.strideX"
std::string to_string(const std::vector<WalkStep>& path);

// Error (Malformed, with offset and path): the first place where the bytes do not follow the schema. The work
// is bounded by the file's size however often parts of it are referred to.
Result<void> walk(const FlatBuffer& file, const Reading& reading, WalkVisitor& visitor);

// Table type of a ConstTensor's payload by union number; None for numbers that are not in the union. NONE
// with a payload behind it is read as ByteData (defect D2 of Arm NN 20.08, armnn spec 1).
TableId payload_table(std::uint8_t union_value);

}  // namespace npubin::armnn
