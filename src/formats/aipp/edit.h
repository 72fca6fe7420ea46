// Changing values in a config without touching anything else: comments, order and layout stay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/aipp/config.h"
#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::aipp {

struct Change {
  std::string path;   // "mean_chn_0" where there is one block, else "aipp_op[1].mean_chn_0"
  std::string value;  // as in a config: `224`, `true`, `RGB888_U8`, `"data"`; empty: remove the field
};

// The new text. A field that is absent is added at the end of its block. The result is read again, and
// refused where it would not parse. Errors: Usage for a path or value that does not fit, Malformed for a text
// that cannot be read to begin with.
Result<std::string> edit_text(std::string_view text, const std::vector<Change>& changes);

// The same on text or binary form.
Result<std::vector<std::byte>> edit(ByteSpan data, const std::vector<Change>& changes);

// Every field whose value differs: "aipp_op[0].mean_chn_0: 0 became 104". Of blocks that both have.
std::vector<std::string> changes_between(const Config& before, const Config& after);

}  // namespace npubin::aipp
