// The checks of a .tflite document that need no operator's rules: indices, types, constants, quantisation,
// order of execution. tflite spec 1 and 2.
#pragma once

#include <cstddef>
#include <string>

#include "formats/tflite/document.h"
#include "npubin/diagnostics.h"

namespace npubin::tflite {

// Tensors of more dimensions are refused: no kernel takes them.
inline constexpr std::size_t kLargestRank = 8;

void validate_model(const TfliteDocument& document, Diagnostics& out);
void validate_tensors(const TfliteDocument& document, std::size_t subgraph, Diagnostics& out);
void validate_execution(const TfliteDocument& document, std::size_t subgraph, Diagnostics& out);
// Recursion and range of the subgraphs that IF, WHILE and CALL_ONCE call.
void validate_calls(const TfliteDocument& document, Diagnostics& out);

std::string tensor_path(std::size_t subgraph, std::size_t tensor);
std::string operator_path(std::size_t subgraph, std::size_t op);

}  // namespace npubin::tflite
