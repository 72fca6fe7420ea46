// What `npubin convert` can do: one row per pair of source format and target extension.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/artifact.h"
#include "npubin/result.h"

namespace npubin::convert {

struct ConvertOptions {
  std::string schema;          // .armnn: seed, 19.02 ... 21.05; empty: 20.08
  std::string header_version;  // .hef: 1, 2 or 3
  // What the target cannot express but nearly, may become what is near it; Converted::approximations says so.
  bool approximate = false;
  bool dequantize = false;  // the float32 twin of a quantised network (float_twin.h)
};

struct Converted {
  std::vector<std::byte> bytes;             // of the target file
  std::vector<std::string> approximations;  // one sentence each; empty where the result means the same
};

struct Conversion {
  std::string_view from;  // registry name of the source format
  std::string_view to;    // extension of the target, with the dot
  std::string_view what;  // for --help and for refusals
  // Checked by the conversion itself as far as that is possible without running the result.
  Result<Converted> (*convert)(const Artifact& source, const ConvertOptions& options);
};

std::span<const Conversion> conversions();

// Error (Refused): there is no such conversion; the message lists those that the source has.
Result<const Conversion*> find_conversion(std::string_view from, std::string_view to_extension);

}  // namespace npubin::convert
