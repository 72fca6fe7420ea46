// What the camera sees beside what the network will see.
#pragma once

#include "npubin/aipp.h"
#include "npubin/picture.h"

namespace npubin::cli {

// The source with the crop's rectangle on the left, the pixels that reach the network on the right, as levels
// of 0 to 255 (before mean, min and var). Channel 0 is shown as red, or as blue when `bgr`. Errors as
// Preprocessor::compile().
Result<Picture> aipp_preview(const aipp::Settings& settings, const aipp::NetworkInput& network,
                             const aipp::OutputOptions& output, ByteSpan image, const Picture& source,
                             bool bgr);

}  // namespace npubin::cli
