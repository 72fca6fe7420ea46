// Text in pictures: a font of 5 x 7 pixels, enlarged by whole factors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "npubin/picture.h"

namespace npubin::vision {

constexpr int kGlyphWidth = 5, kGlyphHeight = 7;  // pixels; characters stand one apart

struct TextSize {
  std::int64_t width = 0, height = 0;  // pixels
};
TextSize text_size(std::string_view text, int scale);
// The upper left corner may lie outside of the picture. A character that is not ASCII becomes a question
// mark.
void draw_text(Picture& picture, std::int64_t left, std::int64_t top, std::string_view text, Colour colour,
               int scale);
// Text in black or white, whichever stands out, on a filled field, moved so that the field lies inside the
// picture where that is large enough.
void draw_label(Picture& picture, std::int64_t left, std::int64_t top, std::string_view text,
                Colour background, int scale);
// Of the field of draw_label().
std::int64_t label_height(int scale);

}  // namespace npubin::vision
