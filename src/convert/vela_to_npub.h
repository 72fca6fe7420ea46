// A Vela-compiled .tflite as the parts of an .npub.
#pragma once

#include <optional>
#include <string>

#include "formats/npub/parts.h"
#include "formats/tflite/vela.h"
#include "npubin/result.h"

namespace npubin::convert {

struct NpubOptions {
  bool cop1 = false;      // keep the driver's payload instead of raw words
  bool describe = false;  // add the trailing region that describes inputs and outputs
  std::optional<ethosu::Accelerator> accelerator;  // insist on this configuration
  std::string model_name;                          // for the sidecar
};

struct PackedModel {
  npub::Parts parts;
  std::string sidecar;  // JSON, schema npubin.npub/1
};

// Error (Refused): operators left on the CPU, or several ethos-u operators; the message lists them. Usage:
// the accelerator differs from the stream's.
Result<PackedModel> to_npub(const tflite::TfliteDocument& document, const NpubOptions& options);

}  // namespace npubin::convert
