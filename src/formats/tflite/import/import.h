// From the document to the graph.
#pragma once

#include "formats/tflite/document.h"

namespace npubin::tflite {

enum class Constants : std::uint8_t {
  All,
  // Only the small integers that parameters are made of: what check and inspect need, at no cost in memory.
  Parameters,
};

// All checks of the document, then of every operator of the main subgraph; the graph where none failed.
// `findings` receives everything, also what was noticed while reading. Error: the first finding of severity
// Error.
Result<graph::Graph> import_graph(const TfliteDocument& document, Diagnostics& findings,
                                  Constants constants = Constants::All);

}  // namespace npubin::tflite
