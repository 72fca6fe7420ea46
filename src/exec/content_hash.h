#pragma once

#include <cstdint>

#include "npubin/bytes.h"

namespace npubin::exec {

// SessionOptions::model_hash of a file's bytes.
std::uint64_t content_hash(ByteSpan file);

}  // namespace npubin::exec
