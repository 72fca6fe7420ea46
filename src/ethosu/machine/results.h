// What an operation left in its OFM.
#pragma once

#include "ethosu/machine/memory.h"
#include "ethosu/operation.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::ethosu {

// The OFM as a dense tensor [height, width, depth] of its own type, with its zero point. Error: outside
// memory.
Result<Tensor> read_feature_map(const FeatureMap& map, const Memory& memory);

struct ElementStatistics {
  std::int64_t minimum = 0, maximum = 0;
  std::uint64_t elements = 0, zeros = 0;  // zeros: equal to the zero point
  std::uint64_t saturated = 0;            // at an end of the clamp
};
// Over the OFM of an operation that has been executed.
Result<ElementStatistics> ofm_statistics(const Operation& operation, const Memory& memory);

}  // namespace npubin::ethosu
