// Pictures as the bytes of an input format, and back: for trying a config on a photograph.
#pragma once

#include "npubin/aipp.h"
#include "npubin/picture.h"
#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {

// RGB pixels in the format's nominal byte order (XRGB: X, R, G, B), YUV by the given standard, rounded to the
// nearest; chroma is the mean of the pixels that share it, U before V unless `v_first`. RAW: luma, scaled to
// the format's bits. The picture must already be of the wanted size. Error: Refused for formats without a
// layout.
Result<std::vector<std::byte>> bytes_of_picture(const Picture& picture, InputFormat format,
                                                const CscStandard& standard, bool v_first);

// The reverse, for showing: always RGB. Precondition: bytes.size() >= image_bytes(format, width, height).
Result<Picture> picture_of_bytes(ByteSpan bytes, InputFormat format, std::int32_t width, std::int32_t height,
                                 const CscStandard& standard, bool v_first);

}  // namespace npubin::aipp
