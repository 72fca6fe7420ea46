#include "formats/hef/document.h"

namespace npubin::hef {
namespace {
constexpr DiagnosticCode kCodes[] = {
    {"HEF-0101", "the header is cut off", "HailoRT gives up with HAILO_FILE_OPERATION_FAILURE (14).",
     "Copy the file again and compare its size with the original's."},
};
}
std::span<const DiagnosticCode> diagnostic_codes() {
  return kCodes;
}
}  // namespace npubin::hef
