// The same graph in the schema of another age.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/armnn/document.h"
#include "npubin/graph.h"
#include "npubin/result.h"

namespace npubin::armnn {

// Ages that can be written: 19.02 ... 21.05. From 21.08 on constants are layers and depthwise weights are
// laid out anew, which is read but not written.
inline constexpr Age kNewestWritableAge = Age::V2105;

// The document's bytes in the schema of `target`: union numbers, descriptor slots, data type names, id
// scheme, weights as members in [M,I,H,W], and layers under the names they had. The result is read back and
// compared. Error (Refused): what the age cannot express, by name; (Malformed): the document has errors.
Result<std::vector<std::byte>> convert_to_age(const ArmnnDocument& document, Age target);

// Where two graphs differ in what they compute: ports, operators, connections, shapes, types, quantisation,
// constants. Empty where they do not. Depthwise weights are compared by size only where their order differs.
std::string graph_difference(const graph::Graph& a, const graph::Graph& b);

}  // namespace npubin::armnn
